// Values every winning hand of sport mahjong and prints each list of fans once with a hand that has it: see bench/lists.py.
//
// The fans are written here a second time, from the rulebook, so that the engine of the program can be held against this one. Tiles are
// numbered as there: characters, dots, bamboos, winds, dragons. A list is a set of bits: fan n is bit n, more of the same are bits from
// 82 on. What depends on the last tile alone (44 to 47, 58, 80) is left out; a mark says what the last tile can have been.
//
// Hands that differ only by the names of suits, of dragons or of guest winds have the same lists, unless they are green or reversible
// (which some suits cannot be): of each such family one is valued.
//
// Prints: 3 * winds + way, marks, fans; then the hand for each mark, in the notation of the tests.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

using std::vector;
typedef unsigned __int128 List;
typedef uint64_t Tiles;  // a bit for each kind of tile

static const int EAST = 27, RED = 31, KINDS = 34;
static const int LAST_BIT = 93;
enum Winds { SINGLE, DOUBLE, BOTH };
enum Way { DISCARD, DRAW, UNDRAWN };
enum Kind { CHOW, PUNG, KONG };
enum Form { REGULAR, KNITTED, SEVEN_PAIRS, ORPHANS, SINGLES };
static const int IN_HAND = -1, PAIR = -1, NEITHER = -2;

struct Set {
    signed char kind, tile, open;  // open: 1, 0, or IN_HAND while states are chosen
};

// The table of fans

static const int VALUES[82] = {0,  88, 88, 88, 88, 88, 88, 88, 64, 64, 64, 64, 64, 64, 48, 48, 32, 32, 32, 24, 24,
                               24, 24, 24, 24, 24, 24, 24, 16, 16, 16, 16, 16, 16, 12, 12, 12, 12, 12, 8,  8,  8,
                               8,  8,  8,  8,  8,  8,  8,  6,  6,  6,  6,  6,  6,  4,  4,  4,  4,  2,  2,  2,  2,
                               2,  2,  2,  2,  2,  2,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1,  1};
static int fan_of[LAST_BIT];
static List excluded_by[LAST_BIT];
static vector<int> exclusions[82];

static List bit(int place) { return (List)1 << place; }

static void exclude(int fan, vector<int> others) { exclusions[fan] = others; }

static void prepare_fans() {
#include "excluded.inc"
    static const int more[] = {73, 73, 73, 64, 64, 59, 69, 70, 71, 72, 65};
    for (int place = 1; place < LAST_BIT; place++) fan_of[place] = place < 82 ? place : more[place - 82];
    for (int place = 1; place < LAST_BIT; place++)
        for (int other : exclusions[fan_of[place]])
            for (int dropped = 1; dropped < LAST_BIT; dropped++)
                if (fan_of[dropped] == other) excluded_by[place] |= bit(dropped);
}

static List times(int fan, int count) {
    List list = count > 0 ? bit(fan) : 0;
    for (int place = 82; place < LAST_BIT && count > 1; place++)
        if (fan_of[place] == fan) list |= bit(place), count--;
    return list;
}

template <typename Each>
static void each_bit(List list, Each each) {
    for (int half = 0; half < 2; half++)
        for (uint64_t left = (uint64_t)(list >> 64 * half); left; left &= left - 1) each(64 * half + __builtin_ctzll(left));
}

static List counted(List found) {
    List excluded = 0;
    each_bit(found, [&](int place) { excluded |= excluded_by[place]; });
    return found & ~excluded;
}

static int worth(List list) {
    int points = 0;
    each_bit(list, [&](int place) { points += VALUES[fan_of[place]]; });
    return points;
}

// One waiting tile, judged by shape [RULES 8.16]

static vector<signed char> known_suits(60466176 / 6, 0), known_honors(279936, 0);

static bool splits(int* held, int size, bool honors, bool needs_pair) {
    int low = 0;
    while (low < size && !held[low]) low++;
    if (low == size) return !needs_pair;
    bool fits = false;
    if (held[low] >= 3) {
        held[low] -= 3;
        fits = splits(held, size, honors, needs_pair);
        held[low] += 3;
    }
    if (!fits && needs_pair && held[low] >= 2) {
        held[low] -= 2;
        fits = splits(held, size, honors, false);
        held[low] += 2;
    }
    if (!fits && !honors && low + 2 < size && held[low + 1] && held[low + 2]) {
        held[low]--, held[low + 1]--, held[low + 2]--;
        fits = splits(held, size, honors, needs_pair);
        held[low]++, held[low + 1]++, held[low + 2]++;
    }
    return fits;
}

static bool is_complete(const int* block, bool honors) {
    int size = honors ? 7 : 9, code = 0, sum = 0, held[9];
    for (int at = 0; at < size; at++) code = code * 6 + block[at], sum += block[at], held[at] = block[at];
    signed char& known = (honors ? known_honors : known_suits)[code];
    if (!known) known = sum % 3 != 1 && splits(held, size, honors, sum % 3 == 2) ? 2 : 1;
    return known == 2;
}

static int completing(const int* block, bool honors) {
    int size = honors ? 7 : 9, count = 0, held[9];
    std::copy(block, block + size, held);
    for (int at = 0; at < size; at++) {
        held[at]++;
        count += is_complete(held, honors);
        held[at]--;
    }
    return count;
}

static bool is_lone_wait(const int* before, int winning) {
    int home = std::min(winning / 9, 3), sums[4] = {}, all = 0, odd = 0, last_odd = -1;
    for (int tile = 0; tile < KINDS; tile++) {
        sums[std::min(tile / 9, 3)] += before[tile];
        all += before[tile];
        if (before[tile] & 1) odd++, last_odd = tile;
    }
    if (completing(before + 9 * home, home == 3) != 1) return false;
    if (sums[home] % 3 == 2 && is_complete(before + 9 * home, home == 3))
        for (int other = 0; other < 4; other++)
            if (other != home && sums[other] % 3 == 2 && completing(before + 9 * other, other == 3)) return false;
    return !(all == 13 && odd == 1 && last_odd != winning);
}

// Groups of chows and of pungs: the choices worth most [MCR scoring 1e]

typedef std::pair<int, int> Group;  // a fan and its sets
typedef vector<vector<int>> Choices;

static bool joined_once(const vector<Group>& groups) {
    vector<int> islands;
    for (auto& group : groups) {
        int whole = group.second;
        vector<int> apart;
        for (int island : islands) {
            if (__builtin_popcount(island & group.second) > 1) return false;
            if (island & group.second)
                whole |= island;
            else
                apart.push_back(island);
        }
        apart.push_back(whole);
        islands = apart;
    }
    return true;
}

static void choose(const vector<Group>& groups, size_t at, vector<Group>& chosen, int points, int& most, std::set<vector<int>>& best) {
    if (at == groups.size()) {
        if (points > most) most = points, best.clear();
        if (points < most) return;
        vector<int> fans;
        for (auto& one : chosen) fans.push_back(one.first);
        std::sort(fans.begin(), fans.end());
        best.insert(fans);
        return;
    }
    choose(groups, at + 1, chosen, points, most, best);
    auto [fan, sets] = groups[at];
    for (auto& one : chosen)
        if ((one.first == fan && one.second & sets) || (one.second | sets) == one.second) return;
    chosen.push_back(groups[at]);
    if (joined_once(chosen)) choose(groups, at + 1, chosen, points + VALUES[fan], most, best);
    chosen.pop_back();
}

static Choices best_of(vector<Group> groups) {
    std::stable_sort(groups.begin(), groups.end(), [](auto& a, auto& b) { return VALUES[a.first] > VALUES[b.first]; });
    int most = -1;
    std::set<vector<int>> best;
    vector<Group> chosen;
    choose(groups, 0, chosen, 0, most, best);
    return Choices(best.begin(), best.end());
}

struct Look {  // at some of the sets: their steps, their numbers, their suits
    vector<int> tiles, numbers;
    bool one_suit, other_suits;
    bool steps(const vector<int>& row, int step) const {
        for (size_t at = 1; at < row.size(); at++)
            if (row[at] - row[at - 1] != step) return false;
        return true;
    }
    Look(const vector<int>& all, int sets) {
        std::set<int> suits;
        for (size_t at = 0; at < all.size(); at++)
            if (sets >> at & 1) tiles.push_back(all[at]), numbers.push_back(all[at] % 9), suits.insert(all[at] / 9);
        std::sort(numbers.begin(), numbers.end());
        one_suit = suits.size() == 1;
        other_suits = suits.size() == tiles.size();
    }
};

static vector<Group> chow_groups(const vector<int>& chows) {
    vector<Group> found;
    for (int sets = 1; sets < 1 << chows.size(); sets++) {
        Look look(chows, sets);
        size_t size = look.tiles.size();
        int apart = size == 2 ? look.tiles[1] - look.tiles[0] : 0;
        bool is_straight = size == 3 && look.numbers == vector<int>{0, 3, 6};
        bool is_shifted = look.one_suit && (look.steps(look.tiles, 1) || look.steps(look.tiles, 2));
        auto add = [&](bool holds, int fan) { if (holds) found.push_back({fan, sets}); };
        add(size == 2 && apart == 0, 69);
        add(size == 2 && (apart == 9 || apart == 18), 70);
        add(size == 2 && look.one_suit && apart == 3, 71);
        add(size == 2 && look.one_suit && apart == 6, 72);
        add(size == 3 && look.steps(look.tiles, 0), 23);
        add(size == 3 && look.steps(look.tiles, 9), 41);
        add(is_straight && look.other_suits, 39);
        add(is_straight && look.one_suit, 28);
        add(size == 3 && look.other_suits && look.steps(look.numbers, 1), 51);
        add(size == 3 && is_shifted, 30);
        add(size == 4 && look.steps(look.tiles, 0), 14);
        add(size == 4 && is_shifted, 16);
    }
    return found;
}

static vector<Group> pung_groups(const vector<int>& pungs) {
    vector<Group> found;
    for (int sets = 1; sets < 1 << pungs.size(); sets++) {
        Look look(pungs, sets);
        size_t size = look.tiles.size();
        if (look.tiles.back() >= EAST) continue;
        int apart = size == 2 ? look.tiles[1] - look.tiles[0] : 0;
        auto add = [&](bool holds, int fan) { if (holds) found.push_back({fan, sets}); };
        add(apart == 9 || apart == 18, 65);
        add(size == 3 && look.steps(look.tiles, 9), 32);
        add(size == 3 && look.other_suits && look.steps(look.numbers, 1), 42);
        add(size == 3 && look.one_suit && look.steps(look.tiles, 1), 24);
        add(size == 4 && look.one_suit && look.steps(look.tiles, 1), 15);
    }
    return found;
}

static const Choices& choices(const vector<int>& tiles, bool are_chows) {
    static std::unordered_map<uint64_t, Choices> known[2];
    static const Choices none = {{}};
    if (tiles.size() < 2) return none;
    uint64_t key = 1;
    for (int tile : tiles) key = key * 64 + tile;
    auto found = known[are_chows].find(key);
    if (found != known[are_chows].end()) return found->second;
    return known[are_chows][key] = best_of(are_chows ? chow_groups(tiles) : pung_groups(tiles));
}

// Readings

struct Part {  // a way to split one suit, or the honors
    Set sets[4];
    int count, pair;
};

static void split(int* held, int base, int size, Part& part, std::set<vector<int>>& seen, vector<Part>& found) {
    int low = 0;
    while (low < size && !held[low]) low++;
    if (low == size) {
        Part whole = part;
        std::sort(whole.sets, whole.sets + whole.count, [](auto& a, auto& b) { return std::make_pair(a.tile, a.kind) < std::make_pair(b.tile, b.kind); });
        vector<int> name = {whole.pair};
        for (int at = 0; at < whole.count; at++) name.push_back(whole.sets[at].tile * 2 + whole.sets[at].kind);
        if (seen.insert(name).second) found.push_back(whole);
        return;
    }
    signed char tile = base + low;
    if (part.count < 4 && held[low] >= 3) {
        held[low] -= 3, part.sets[part.count++] = {PUNG, tile, 0};
        split(held, base, size, part, seen, found);
        held[low] += 3, part.count--;
    }
    if (part.count < 4 && base < EAST && low + 2 < size && held[low + 1] && held[low + 2]) {
        held[low]--, held[low + 1]--, held[low + 2]--, part.sets[part.count++] = {CHOW, tile, 0};
        split(held, base, size, part, seen, found);
        held[low]++, held[low + 1]++, held[low + 2]++, part.count--;
    }
    if (part.pair < 0 && held[low] >= 2) {
        held[low] -= 2, part.pair = tile;
        split(held, base, size, part, seen, found);
        held[low] += 2, part.pair = -1;
    }
}

static const vector<Part>& parts(const int* held, int base) {
    static std::unordered_map<uint64_t, vector<Part>> known;
    int size = base == EAST ? 7 : 9, block[9];
    uint64_t key = base;
    for (int at = 0; at < size; at++) key = key * 5 + held[base + at], block[at] = held[base + at];
    auto found = known.find(key);
    if (found != known.end()) return found->second;
    vector<Part> all;
    std::set<vector<int>> seen;
    Part part = {{}, 0, -1};
    split(block, base, size, part, seen, all);
    return known[key] = all;
}

struct Reading {
    Form form;
    Set sets[4];
    int in_hand, count, pair;
    const int* knitting;
    vector<List> cores;  // what does not depend on the last tile, for each best choice of groups
};

static const int KNITTINGS[6][3] = {{0, 10, 20}, {0, 11, 19}, {1, 9, 20}, {1, 11, 18}, {2, 9, 19}, {2, 10, 18}};

static Tiles one(int tile) { return (Tiles)1 << tile; }
static Tiles numbers(int low, int high) {
    Tiles found = 0;
    for (int suit = 0; suit < 3; suit++)
        for (int number = low; number <= high; number++) found |= one(suit * 9 + number - 1);
    return found;
}
static Tiles these(std::initializer_list<int> tiles) {
    Tiles found = 0;
    for (int tile : tiles) found |= one(tile);
    return found;
}
static const Tiles WINDS = (Tiles)15 << EAST, DRAGONS = (Tiles)7 << RED, HONORS = WINDS | DRAGONS;
static const Tiles TERMINALS = numbers(1, 1) | numbers(9, 9), ORPHANS_ALL = TERMINALS | HONORS;
static const Tiles EVEN = numbers(2, 2) | numbers(4, 4) | numbers(6, 6) | numbers(8, 8);
static const Tiles GREEN = these({19, 20, 21, 23, 25, 32});
static const Tiles REVERSIBLE = these({9, 10, 11, 12, 13, 16, 17, 19, 21, 22, 23, 25, 26, 33});

static int seat_wind = EAST, round_wind = EAST + 1, winds = BOTH;

static int suits_of(Tiles kinds) {
    int suits = 0;
    for (int suit = 0; suit < 3; suit++) suits += (kinds >> 9 * suit & 511) != 0;
    return suits;
}

static List of_tiles(Tiles kinds) {
    int suits = suits_of(kinds);
    bool honors = kinds & HONORS;
    List list = 0;
    auto add = [&](bool holds, int fan) { if (holds) list |= bit(fan); };
    auto only = [&](Tiles allowed) { return !(kinds & ~allowed); };
    add(suits == 2, 75), add(!honors, 76), add(only(numbers(2, 8)), 68), add(suits == 1 && honors, 50), add(suits == 1 && !honors, 22);
    add(suits == 3 && kinds & WINDS && kinds & DRAGONS, 52), add(only(REVERSIBLE), 40), add(only(GREEN), 3);
    add(only(numbers(6, 9)), 36), add(only(numbers(1, 4)), 37), add(only(numbers(7, 9)), 25), add(only(numbers(4, 6)), 26), add(only(numbers(1, 3)), 27);
    add(only(ORPHANS_ALL), 18), add(only(TERMINALS), 8), add(only(HONORS), 11);
    return list;
}

static List of_pungs(const Reading& reading, const vector<int>& pungs, Tiles kinds) {
    int terminals = 0, of_winds = 0, dragons = 0, guests = 0, open = 0, concealed = 0;
    List list = 0;
    auto add = [&](bool holds, int fan) { if (holds) list |= bit(fan); };
    for (int tile : pungs) {
        dragons += tile >= RED;
        of_winds += tile >= EAST && tile < RED;
        guests += tile >= EAST && tile < RED && tile != seat_wind && tile != round_wind;
        terminals += tile < EAST && (tile % 9 == 0 || tile % 9 == 8);
        add(tile == round_wind, 60), add(tile == seat_wind, 61);
    }
    for (int at = 0; at < reading.count; at++)
        if (reading.sets[at].kind == KONG) (reading.sets[at].open ? open : concealed)++;
    list |= times(59, std::min(dragons, 2)) | times(73, terminals + (of_winds == 3 ? 0 : guests));
    add(dragons == 2, 54), add(dragons == 2 && reading.pair >= RED, 10), add(dragons == 3, 2);
    add(of_winds == 3, 38), add(of_winds == 3 && reading.pair >= EAST && reading.pair < RED, 9), add(of_winds == 4, 1);
    add(pungs.size() == 4, 49), add(pungs.size() == 4 && !(kinds & ~EVEN), 21);
    add(open == 1 && concealed == 0, 74), add(concealed == 1, 67), add((open == 2 && concealed == 0) || (open == 1 && concealed == 1), 57);
    add(open == 0 && concealed == 2, 48), add(open + concealed == 3, 17), add(open + concealed == 4, 5);
    return list;
}

static List of_sets(const Reading& reading, const vector<int>& chows, const vector<int>& pungs, Tiles kinds) {
    List list = 0;
    auto add = [&](bool holds, int fan) { if (holds) list |= bit(fan); };
    int pair = reading.pair, first = pair - 4;
    if (chows.size() == 4) {
        int low = chows[0], high = chows[2];
        bool are_ends = low % 9 == 0 && high % 9 == 0 && low != high && chows[1] == low + 6 && chows[3] == high + 6;
        add(are_ends && pair == 3 * 13 - (low + 4) - (high + 4), 29);
        add(first >= 0 && first < EAST && first % 9 == 0 && chows == vector<int>{first, first, first + 6, first + 6}, 13);
    }
    add(chows.size() + (reading.form == KNITTED ? 3 : 0) == 4 && !(kinds & HONORS), 63);
    if (reading.form == REGULAR) {
        auto is_five = [](int tile) { return tile == 4 || tile == 13 || tile == 22; };
        bool outside = ORPHANS_ALL >> pair & 1, fives = is_five(pair);
        for (int tile : pungs) outside = outside && ORPHANS_ALL >> tile & 1, fives = fives && is_five(tile);
        for (int tile : chows) outside = outside && (tile % 9 == 0 || tile % 9 == 6), fives = fives && tile % 9 >= 2 && tile % 9 <= 4;
        add(outside, 55), add(fives, 31);
    }
    return list;
}

static List of_form(Form form, Tiles kinds) {
    List list = 0;
    if (form == KNITTED) list |= bit(35);
    if (form == ORPHANS) list |= bit(7);
    if (form == SINGLES) list |= bit((kinds & HONORS) == HONORS ? 20 : 34) | (__builtin_popcountll(kinds & ~HONORS) == 9 ? bit(35) : 0);
    if (form == SEVEN_PAIRS) {
        int low = __builtin_ctzll(kinds), high = 63 - __builtin_clzll(kinds);
        bool is_shifted = !(kinds & HONORS) && suits_of(kinds) == 1 && __builtin_popcountll(kinds) == 7 && high - low == 6;
        list |= bit(19) | (is_shifted ? bit(6) : 0);
    }
    return list;
}

static void find_cores(Reading& reading, Tiles kinds, const int* every, const Set* melds, int melded) {
    vector<int> chows, pungs;
    for (int at = 0; at < reading.count; at++) (reading.sets[at].kind == CHOW ? chows : pungs).push_back(reading.sets[at].tile);
    std::sort(chows.begin(), chows.end());
    std::sort(pungs.begin(), pungs.end());
    int hogs = 0;
    for (int tile = 0; tile < KINDS; tile++) {
        bool is_kong = false;
        for (int at = 0; at < melded; at++) is_kong = is_kong || (melds[at].kind == KONG && melds[at].tile == tile);
        hogs += every[tile] == 4 && !is_kong;
    }
    List core = of_tiles(kinds) | of_form(reading.form, kinds) | of_sets(reading, chows, pungs, kinds) | times(64, hogs);
    if (!pungs.empty()) core |= of_pungs(reading, pungs, kinds);
    reading.cores.clear();
    for (auto& of_chows : choices(chows, true))
        for (auto& of_pungs : choices(pungs, false)) {
            std::map<int, int> counts;
            for (int fan : of_chows) counts[fan]++;
            for (int fan : of_pungs) counts[fan]++;
            List list = core;
            for (auto [fan, count] : counts) list |= times(fan, count);
            reading.cores.push_back(list);
        }
}

// A hand: the tiles in hand with the winning tile among them, and the declared sets

struct Shown {
    unsigned char marks = 0;
    std::string hands[3];
};
struct Hash {
    size_t operator()(const std::pair<int, List>& key) const {
        return (uint64_t)key.second * 0x9E3779B97F4A7C15ull ^ (uint64_t)(key.second >> 64) * 0xC2B2AE3D27D4EB4Full ^ (uint64_t)key.first << 57;
    }
};
static std::unordered_map<std::pair<int, List>, Shown, Hash> shown;

static std::string compact(const int* counts) {
    static const char HONOR_DIGITS[] = "1234765";
    std::string text;
    for (int suit = 0; suit < 4; suit++) {
        std::string digits;
        for (int at = 0; at < (suit == 3 ? 7 : 9); at++) digits += std::string(counts[9 * suit + at], suit == 3 ? HONOR_DIGITS[at] : '1' + at);
        if (!digits.empty()) text += digits + "mpsz"[suit];
    }
    return text;
}

static std::string written(const int* held, const Set* melds, int melded, int winning) {
    std::string text;
    for (int at = 0; at < melded; at++) {
        int counts[KINDS + 2] = {};
        auto [kind, tile, open] = melds[at];
        for (int step = 0; step < (kind == KONG ? 4 : 3); step++) counts[tile + (kind == CHOW ? step : 0)]++;
        text += (open ? "(" : "[") + compact(counts) + (open ? ") " : "] ");
    }
    int before[KINDS], last[KINDS] = {};
    std::copy(held, held + KINDS, before);
    before[winning]--, last[winning]++;
    return text + compact(before) + " + " + compact(last);
}

struct Hand {
    const int* held;
    const Set* melds;
    int melded, every[KINDS];
    Tiles kinds = 0, held_kinds = 0;
    bool is_concealed = true, all_open = true;
    vector<Reading> readings;

    Hand(const int* counts, const Set* sets, int number) : held(counts), melds(sets), melded(number) {
        std::copy(held, held + KINDS, every);
        for (int at = 0; at < melded; at++) {
            auto [kind, tile, open] = melds[at];
            (open ? is_concealed : all_open) = false;
            for (int step = 0; step < (kind == KONG ? 4 : 3); step++) every[tile + (kind == CHOW ? step : 0)]++;
        }
        for (int tile = 0; tile < KINDS; tile++) kinds |= every[tile] ? one(tile) : 0, held_kinds |= held[tile] ? one(tile) : 0;
        read();
        for (auto& reading : readings) find_cores(reading, kinds, every, melds, melded);
    }

    void read() {
        read_sets(held, REGULAR, nullptr);
        int different = __builtin_popcountll(held_kinds);
        for (auto& knitting : KNITTINGS) {
            int rest[KINDS];
            bool fits = different >= 9 && melded < 2;
            std::copy(held, held + KINDS, rest);
            for (int at = 0; at < 9; at++) fits = --rest[knitting[at / 3] + 3 * (at % 3)] >= 0 && fits;
            if (fits) read_sets(rest, KNITTED, knitting);
        }
        if (melded) return;
        bool are_pairs = different <= 7;
        for (int tile = 0; tile < KINDS; tile++) are_pairs = are_pairs && held[tile] % 2 == 0;
        if (are_pairs) add(SEVEN_PAIRS, -1);
        if (different == 13 && held_kinds == ORPHANS_ALL) add(ORPHANS, (int)(std::find(held, held + KINDS, 2) - held));
        if (different == 14)
            for (auto& knitting : KNITTINGS) {
                Tiles allowed = HONORS;
                for (int at = 0; at < 9; at++) allowed |= one(knitting[at / 3] + 3 * (at % 3));
                if (!(held_kinds & ~allowed)) return add(SINGLES, -1);
            }
    }

    void add(Form form, int pair) { readings.push_back({form, {}, 0, 0, pair, nullptr, {}}); }

    void read_sets(const int* counts, Form form, const int* knitting) {
        int needed = (form == KNITTED ? 1 : 4) - melded;
        for (auto& a : parts(counts, 0))
            for (auto& b : parts(counts, 9))
                for (auto& c : parts(counts, 18))
                    for (auto& d : parts(counts, EAST)) {
                        Reading reading = {form, {}, 0, 0, -1, knitting, {}};
                        int pairs = 0, sets = a.count + b.count + c.count + d.count;
                        for (auto* part : {&a, &b, &c, &d}) pairs += part->pair >= 0;
                        if (pairs != 1 || sets != needed) continue;
                        for (auto* part : {&a, &b, &c, &d}) {
                            for (int at = 0; at < part->count; at++) reading.sets[reading.count++] = part->sets[at];
                            if (part->pair >= 0) reading.pair = part->pair;
                        }
                        reading.in_hand = reading.count;
                        for (int at = 0; at < melded; at++) reading.sets[reading.count++] = melds[at];
                        readings.push_back(reading);
                    }
    }

    bool waits_for_one(const Reading& reading, int winning) const {
        int before[KINDS];
        std::copy(held, held + KINDS, before);
        before[winning]--;
        for (int at = 0; reading.knitting && at < 9; at++) before[reading.knitting[at / 3] + 3 * (at % 3)]--;
        return is_lone_wait(before, winning);
    }

    bool is_nine_gates(int winning) const {
        static const int gates[9] = {3, 1, 1, 1, 1, 1, 1, 1, 3};
        if (melded || kinds & HONORS || suits_of(kinds) != 1) return false;
        for (int at = 0; at < 9; at++)
            if (held[winning / 9 * 9 + at] - (winning % 9 == at) != gates[at]) return false;
        return true;
    }

    List finish(const Reading& reading, int completed, int winning, Way way) const {
        List list = 0;
        auto add = [&](bool holds, int fan) { if (holds) list |= bit(fan); };
        int concealed = 0;
        for (int at = 0; at < reading.count; at++)
            concealed += reading.sets[at].kind != CHOW && !reading.sets[at].open && (completed != at || way != DISCARD);
        add(is_concealed, way == DISCARD ? 62 : 56), add(melded == 4 && all_open && way == DISCARD, 53);
        add(concealed == 2, 66), add(concealed == 3, 33), add(concealed == 4, 12);
        if (way == UNDRAWN) return list;
        add(is_nine_gates(winning), 4);
        int wait = completed == PAIR ? 79 : 0;
        if (completed >= 0 && reading.sets[completed].kind == CHOW) {
            int low = reading.sets[completed].tile, place = winning - low;
            wait = place == 1 ? 78 : (low % 9 == 0 && place == 2) || (low % 9 == 6 && place == 0) ? 77 : 0;
        }
        add(wait && waits_for_one(reading, winning), wait);
        return list;
    }

    vector<int> completions(const Reading& reading, int winning) const {
        vector<int> found;
        if (reading.form == SEVEN_PAIRS || reading.form == SINGLES) return {NEITHER};
        if (reading.form == ORPHANS) return {winning == reading.pair ? PAIR : NEITHER};
        for (int at = 0; reading.knitting && at < 9; at++)
            if (reading.knitting[at / 3] + 3 * (at % 3) == winning) found.push_back(NEITHER);
        for (int at = 0; at < reading.in_hand; at++) {
            auto [kind, tile, open] = reading.sets[at];
            if (kind == CHOW ? tile <= winning && winning <= tile + 2 : tile == winning) found.push_back(at);
        }
        if (reading.pair == winning) found.push_back(PAIR);
        return found;
    }

    void value() const {
        for (int winning = 0; winning < KINDS; winning++)
            for (int way = DISCARD; held[winning] && way <= UNDRAWN; way++) {
                int most = -1;
                std::set<List> best;
                for (auto& reading : readings)
                    for (int completed : completions(reading, winning))
                        for (List core : reading.cores) {
                            List list = counted(core | finish(reading, completed, winning, (Way)way));
                            int points = worth(list);
                            if (points > most) most = points, best.clear();
                            if (points == most) best.insert(list);
                        }
                for (List list : best) show(list, winning, (Way)way);
            }
    }

    // Three copies in declared sets make Last Tile a must; another copy in hand rules it out; a robbed tile is the only one of its kind.
    void show(List list, int winning, Way way) const {
        bool must = every[winning] - held[winning] >= 3, cannot = held[winning] > 1;
        int marks = way == UNDRAWN ? 1 : (must ? 0 : 1) | (cannot ? 0 : 2) | (way == DISCARD && every[winning] == 1 ? 4 : 0);
        Shown& known = shown[{3 * winds + way, list}];
        for (int mark = 0; mark < 3; mark++)
            if ((marks & ~known.marks) >> mark & 1) known.hands[mark] = written(held, melds, melded, winning);
        known.marks |= marks;
    }
};

static void value(const int* held, const Set* melds = nullptr, int melded = 0) { Hand(held, melds, melded).value(); }

// Every hand

static void add_set(int* counts, int kind, int tile) {
    for (int step = 0; step < 3; step++) counts[tile + (kind == CHOW ? step : 0)]++;
}

// Choose for every set whether it is in hand, open, or a kong of either kind; equal sets need not be told apart.
static void with_states(const Set* sets, int count, const int* held, const int* all, int at, Set* chosen) {
    if (at == count) {
        int counts[KINDS + 2];
        Set melds[4];
        int melded = 0;
        std::copy(held, held + KINDS, counts);
        for (int each = 0; each < count; each++)
            if (chosen[each].open == IN_HAND)
                add_set(counts, chosen[each].kind, chosen[each].tile);
            else
                melds[melded++] = chosen[each];
        value(counts, melds, melded);
        return;
    }
    bool is_equal = at && sets[at].kind == sets[at - 1].kind && sets[at].tile == sets[at - 1].tile;
    for (signed char open : {IN_HAND, 1})
        if (!is_equal || open >= chosen[at - 1].open) {
            chosen[at] = {sets[at].kind, sets[at].tile, open};
            with_states(sets, count, held, all, at + 1, chosen);
        }
    if (sets[at].kind == PUNG && all[sets[at].tile] == 3)
        for (signed char open : {0, 1}) {
            chosen[at] = {KONG, sets[at].tile, open};
            with_states(sets, count, held, all, at + 1, chosen);
        }
}

static bool is_special(Tiles kinds) { return !(kinds & ~GREEN) || !(kinds & ~REVERSIBLE); }

static Tiles kinds_of(const int* names, int pair) {
    Tiles kinds = one(pair);
    for (int at = 0; at < 4; at++) kinds |= (names[at] < 64 ? (Tiles)7 : (Tiles)1) << (names[at] & 63);
    return kinds;
}

// Return whether no renaming of suits, dragons and guest winds gives a hand that comes before this one. Chows are named by their lowest
// tile, pungs by their tile and 64.
static bool comes_first(const int* names, int pair) {
    static const int ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    Tiles kinds = kinds_of(names, pair);
    if (is_special(kinds)) return true;
    int own[5] = {names[0], names[1], names[2], names[3], pair};
    bool honors = kinds & HONORS;
    for (auto& suits : ORDERS)
        for (int dragons = 0; dragons < (honors ? 6 : 1); dragons++)
            for (int guests = 0; guests < (honors ? 2 : 1); guests++) {
                auto renamed = [&](int tile) {
                    if (tile < EAST) return suits[tile / 9] * 9 + tile % 9;
                    if (tile >= RED) return RED + ORDERS[dragons][tile - RED];
                    return guests && tile >= EAST + 2 ? 2 * EAST + 5 - tile : tile;
                };
                int other[5];
                for (int at = 0; at < 4; at++) other[at] = (names[at] & 64) | renamed(names[at] & 63);
                other[4] = renamed(pair);
                if (is_special(kinds_of(other, other[4]))) continue;
                std::sort(other, other + 4);
                if (std::lexicographical_compare(other, other + 5, own, own + 5)) return false;
            }
    return true;
}

// Winds matter only in pungs: such hands are valued once with the wind of the round apart from the player's, and once with both in one.
static void with_winds(bool has_pung_of_winds, std::function<void()> work) {
    for (int which = has_pung_of_winds ? SINGLE : BOTH; which != (has_pung_of_winds ? BOTH : BOTH + 1); which++) {
        winds = which;
        round_wind = which == DOUBLE ? EAST : EAST + 1;
        work();
    }
}

static void four_sets_and_a_pair(const vector<int>& names) {
    size_t count = names.size();
    for (size_t a = 0; a < count; a++)
        for (size_t b = a; b < count; b++)
            for (size_t c = b; c < count; c++)
                for (size_t d = c; d < count; d++) {
                    int chosen[4] = {names[a], names[b], names[c], names[d]}, all[KINDS + 2] = {};
                    Set sets[4], states[4];
                    bool of_winds = false;
                    for (int at = 0; at < 4; at++) {
                        sets[at] = {(signed char)(chosen[at] >= 64 ? PUNG : CHOW), (signed char)(chosen[at] & 63), 0};
                        add_set(all, sets[at].kind, sets[at].tile);
                        of_winds = of_winds || (sets[at].tile >= EAST && sets[at].tile < RED);
                    }
                    if (*std::max_element(all, all + KINDS) > 4) continue;
                    for (int pair = 0; pair < KINDS; pair++) {
                        if (all[pair] > 2 || !comes_first(chosen, pair)) continue;
                        int held[KINDS] = {};
                        held[pair] = 2, all[pair] += 2;
                        with_winds(of_winds, [&] { with_states(sets, 4, held, all, 0, states); });
                        all[pair] -= 2;
                    }
                }
}

static void knitted_straights(const vector<int>& names) {
    for (auto& knitting : KNITTINGS)
        for (int name : names)
            for (int pair = 0; pair < KINDS; pair++) {
                int held[KINDS] = {}, all[KINDS + 2] = {};
                for (int at = 0; at < 9; at++) held[knitting[at / 3] + 3 * (at % 3)]++;
                held[pair] += 2;
                std::copy(held, held + KINDS, all);
                Set set = {(signed char)(name >= 64 ? PUNG : CHOW), (signed char)(name & 63), 0}, state[1];
                add_set(all, set.kind, set.tile);
                if (*std::max_element(all, all + KINDS) > 4) continue;
                with_winds(set.tile >= EAST && set.tile < RED, [&] { with_states(&set, 1, held, all, 0, state); });
            }
}

static void seven_pairs(int* held, int tile, int left) {
    if (!left) return value(held);
    for (int pairs = 0; tile < KINDS && pairs <= std::min(left, 2); pairs++) {
        held[tile] = 2 * pairs;
        seven_pairs(held, tile + 1, left - pairs);
    }
    if (tile < KINDS) held[tile] = 0;
}

static void single_tiles() {
    int held[KINDS];
    for (int pair = 0; pair < KINDS; pair++)
        if (ORPHANS_ALL >> pair & 1) {
            for (int tile = 0; tile < KINDS; tile++) held[tile] = (ORPHANS_ALL >> tile & 1) + (tile == pair);
            value(held);
        }
    for (int honors = 0; honors < 128; honors++)
        for (auto& knitting : KNITTINGS)
            for (int suited = 0; suited < 512; suited++) {
                if (__builtin_popcount(honors) + __builtin_popcount(suited) != 14) continue;
                std::fill(held, held + KINDS, 0);
                for (int at = 0; at < 7; at++) held[EAST + at] = honors >> at & 1;
                for (int at = 0; at < 9; at++) held[knitting[at / 3] + 3 * (at % 3)] += suited >> at & 1;
                value(held);
            }
}

int main() {
    prepare_fans();
    vector<int> names;
    for (int tile = 0; tile < EAST; tile++)
        if (tile % 9 < 7) names.push_back(tile);
    for (int tile = 0; tile < KINDS; tile++) names.push_back(64 + tile);
    four_sets_and_a_pair(names);
    knitted_straights(names);
    winds = BOTH, round_wind = EAST + 1;
    int held[KINDS] = {};
    seven_pairs(held, 0, 7);
    single_tiles();
    for (auto& [key, known] : shown) {
        std::string fans;
        each_bit(key.second, [&](int place) { fans += (fans.empty() ? "" : ",") + std::to_string(fan_of[place]); });
        printf("%d %d %s", key.first, known.marks, fans.empty() ? "-" : fans.c_str());
        for (auto& text : known.hands) printf(";%s", text.c_str());
        printf("\n");
    }
}
