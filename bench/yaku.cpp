// Lays out every hand of riichi of four sets and a pair and prints which yaku can be listed together: see bench/yaku.py.
//
// The yaku and minipoints are written here a second time, from the rulebook, so that the engine of the program can be held against them.
// Tiles: three suits of nine, then the seat wind and the round wind (one and the same where `winds` is 1), guest winds, dragons. Of hands
// that differ only by the names of suits, of guest winds or of dragons one is laid out; dragons are counted, not named.
//
// Prints: winds, closed, way (1 from the wall), has a kong, the winning tile is the only one of its kind, yaku as bits, minipoints as bits
// (20, 25, 30, 40 ...; 0 beside yakuman).

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <vector>

enum {
    PINFU, IIPEIKOU, RYANPEIKOU, TANYAO, DRAGON, DRAGONS_TWO, SEAT, ROUND, CHANTA, JUNCHAN, DOUJUN, DOUKOU, ITTSU, CHIITOITSU, TOITOI,
    SANANKOU, SANKANTSU, HONITSU, CHINITSU, SHOUSANGEN, HONROUTOU, KOKUSHI, CHUUREN, SUUANKOU, SUUKANTSU, RYUUIISOU, CHINROUTOU,
    TSUUIISOU, DAISANGEN, SHOUSUUSHII, DAISUUSHII
};
static const int WIND = 27, DRAGON_TILE = 31, KINDS = 34;
typedef uint32_t Mask;
static Mask bit(int yaku) { return Mask(1) << yaku; }

struct Set { int tile, is_pung; };
static std::vector<Set> sets;
static std::map<std::array<int, 5>, std::map<Mask, Mask>> found;

static bool is_outer(int tile) { return tile >= WIND || tile % 9 == 0 || tile % 9 == 8; }
static int place_of(int fu) { return fu == 20 ? 0 : fu == 25 ? 1 : fu / 10 - 1; }

static bool is_first_of_its_suits(const std::array<int, 4>& chosen) {
    static const int turns[5][3] = {{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (auto& turn : turns) {
        std::array<int, 4> other;
        for (int i = 0; i < 4; i++) {
            int number = chosen[i], size = number < 21 ? 7 : 9, first = number < 21 ? 0 : 21;
            other[i] = number >= 48 ? number : first + turn[(number - first) / size] * size + (number - first) % size;
        }
        std::sort(other.begin(), other.end());
        if (other < chosen) return false;
    }
    return true;
}

static void lay_out(const std::array<int, 4>& chosen) {
    Set hand[4];
    int held[KINDS] = {}, chows = 0;
    for (int i = 0; i < 4; i++) {
        hand[i] = sets[chosen[i]];
        for (int step = 0; step < 3; step++) held[hand[i].tile + (hand[i].is_pung ? 0 : step)]++;
        chows += !hand[i].is_pung;
    }
    for (int tile = 0; tile < KINDS; tile++)
        if (held[tile] > 4) return;
    if ((held[30] && !held[29]) || (held[33] && !held[32]) || (held[32] && !held[31])) return;
    for (int pair = 0; pair < KINDS; pair++) {
        if (held[pair] > 2) continue;
        held[pair] += 2;
        uint64_t kinds = 0;
        for (int tile = 0; tile < KINDS; tile++) kinds |= uint64_t(held[tile] > 0) << tile;
        const uint64_t honors = kinds >> WIND;
        int suits = 0;
        bool is_simple = !honors, is_outer_only = true, all_green = true;
        for (int tile = 0; tile < KINDS; tile++)
            if (held[tile]) {
                if (is_outer(tile)) is_simple = false;
                else is_outer_only = false;
                if (tile < WIND && !(tile % 9 == 1 || tile % 9 == 2 || tile % 9 == 3 || tile % 9 == 5 || tile % 9 == 7)) all_green = false;
                if (tile >= WIND && tile < DRAGON_TILE) all_green = false;
            }
        for (int suit = 0; suit < 3; suit++) suits += ((kinds >> 9 * suit) & 511) != 0;
        int dragons = 0, winds = 0, dragon_kinds = 0;
        for (auto& set : hand) dragons += set.tile >= DRAGON_TILE, winds += set.tile >= WIND && set.tile < DRAGON_TILE;
        for (int tile = DRAGON_TILE; tile < KINDS; tile++) dragon_kinds += held[tile] > 0;
        if (dragon_kinds > 1 || suits > 1 || (suits == 0)) all_green = false;
        int same = 0, twice = 0;
        bool doujun = false, doukou = false, ittsu = false, outside = chows > 0 && is_outer(pair), only_terminals = pair < WIND;
        for (int i = 0; i < 4; i++) {
            auto has = [&](int tile, int is_pung) {
                return std::any_of(hand, hand + 4, [&](Set& one) { return one.tile == tile && one.is_pung == is_pung; });
            };
            const Set& set = hand[i];
            if (set.tile < 9 && has(set.tile + 9, set.is_pung) && has(set.tile + 18, set.is_pung)) (set.is_pung ? doukou : doujun) = true;
            if (!set.is_pung && set.tile % 9 == 0 && has(set.tile + 3, 0) && has(set.tile + 6, 0)) ittsu = true;
            if (set.is_pung ? !is_outer(set.tile) : set.tile % 9 != 0 && set.tile % 9 != 6) outside = false;
            if (set.tile >= WIND) only_terminals = false;
            for (int j = 0; j < i; j++) same += !set.is_pung && !hand[j].is_pung && hand[j].tile == set.tile;
        }
        if (chows == 4) {
            std::array<int, 4> lows = {hand[0].tile, hand[1].tile, hand[2].tile, hand[3].tile};
            std::sort(lows.begin(), lows.end());
            twice = lows[0] == lows[1] && lows[2] == lows[3];
        }
        Mask shape = 0;
        if (is_simple) shape |= bit(TANYAO);
        if (dragons >= 1) shape |= bit(DRAGON);
        if (dragons >= 2) shape |= bit(DRAGONS_TWO);
        if (outside && !is_outer_only) shape |= only_terminals ? bit(JUNCHAN) : bit(CHANTA);
        if (doujun) shape |= bit(DOUJUN);
        if (doukou) shape |= bit(DOUKOU);
        if (ittsu) shape |= bit(ITTSU);
        if (chows == 0) shape |= bit(TOITOI);
        if (suits == 1) shape |= honors ? bit(HONITSU) : bit(CHINITSU);
        if (dragons == 2 && pair >= DRAGON_TILE) shape |= bit(SHOUSANGEN);
        if (is_outer_only) shape |= bit(HONROUTOU);
        Mask yakuman = 0;
        if (dragons == 3) yakuman |= bit(DAISANGEN);
        if (winds == 3 && pair >= WIND && pair < DRAGON_TILE) yakuman |= bit(SHOUSUUSHII);
        if (winds == 4) yakuman |= bit(DAISUUSHII);
        if (suits == 0) yakuman |= bit(TSUUIISOU);
        if (is_outer_only && !honors) yakuman |= bit(CHINROUTOU);
        bool nine_gates = suits == 1 && !honors;
        for (int suit = 0; suit < 3 && nine_gates; suit++)
            if ((kinds >> 9 * suit) & 511)
                for (int n = 0; n < 9; n++)
                    if (held[9 * suit + n] < (n == 0 || n == 8 ? 3 : 1)) nine_gates = false;
        bool has_winds = pair == 27 || pair == 28 || winds;
        for (int is_double = 0; is_double < 1 + has_winds; is_double++) {
            Mask own = 0;
            for (auto& set : hand) {
                if (set.tile == 27) own |= bit(SEAT) | (is_double ? bit(ROUND) : 0);
                if (set.tile == 28 && !is_double) own |= bit(ROUND);
            }
            int pair_fu = pair >= DRAGON_TILE ? 2 : pair == 27 ? (is_double ? 4 : 2) : pair == 28 && !is_double ? 2 : 0;
            uint32_t seen[2][2][2][2][3][4] = {};  // closed, from the wall, single, pinfu, concealed pungs (3, 4), kongs (some, 3, 4)
            int states[4], many = 1;
            for (int i = 0; i < 4; i++) many *= hand[i].is_pung ? 4 : 2;
            for (int number = 0; number < many; number++) {
                int rest = number, kongs = 0, closed_pungs = 0, sets_fu = pair_fu;
                bool is_open = false, is_real = true;
                for (int i = 0; i < 4; i++) {
                    const int size = hand[i].is_pung ? 2 : 1;
                    states[i] = rest & (1 << size) - 1, rest >>= size;  // 1 and 3 are open, 2 and 3 are kongs
                    is_open |= states[i] & 1;
                    if (!hand[i].is_pung) continue;
                    if (states[i] & 2) is_real &= held[hand[i].tile] == 3, kongs++;
                    closed_pungs += !(states[i] & 1);
                    sets_fu += (states[i] & 1 ? 2 : 4) << (states[i] & 2 ? 2 : 0) << is_outer(hand[i].tile);
                }
                if (!is_real) continue;
                const int few_kongs = kongs > 2 ? kongs - 1 : kongs > 0;
                for (int place = -1; place < 4; place++) {
                    if (place >= 0 && states[place]) continue;
                    const bool chow = place >= 0 && !hand[place].is_pung, pung = place >= 0 && hand[place].is_pung;
                    for (int step = 0; step < (chow ? 3 : 1); step++) {
                        const int tile = place < 0 ? pair : hand[place].tile + step, low = chow ? hand[place].tile % 9 : 0;
                        const bool two_sided = chow && step != 1 && !(low == 0 && step == 2) && !(low == 6 && step == 0);
                        const bool is_pinfu = !is_open && chows == 4 && !pair_fu && two_sided;
                        for (int from_wall = 0; from_wall < 2; from_wall++) {
                            const int concealed = closed_pungs - (pung && !from_wall);
                            int fu = sets_fu + (place < 0 || (chow && !two_sided) ? 2 : 0);
                            if (pung && !from_wall) fu -= is_outer(tile) ? 4 : 2;
                            if (from_wall) fu += is_pinfu ? 20 : 22;
                            else if (!is_open) fu += 30;
                            else fu = fu ? fu + 20 : 22;
                            seen[!is_open][from_wall][held[tile] == 1][is_pinfu][concealed > 2 ? concealed - 2 : 0][few_kongs] |=
                                bit(place_of((fu + 9) / 10 * 10));
                        }
                    }
                }
            }
            for (int i = 0; i < 192; i++) {
                const int is_closed = i / 96, from_wall = i / 48 % 2, single = i / 24 % 2, is_pinfu = i / 12 % 2, concealed = i / 4 % 3, kongs = i % 4;
                const Mask fu = seen[is_closed][from_wall][single][is_pinfu][concealed][kongs];
                if (!fu) continue;
                Mask top = yakuman, yaku = shape | own;
                if (concealed == 2) top |= bit(SUUANKOU);
                if (kongs == 3) top |= bit(SUUKANTSU);
                if (nine_gates && is_closed && !kongs) top |= bit(CHUUREN);
                if (is_pinfu) yaku |= bit(PINFU);
                if (is_closed && twice) yaku |= bit(RYANPEIKOU);
                else if (is_closed && same) yaku |= bit(IIPEIKOU);
                if (concealed == 1) yaku |= bit(SANANKOU);
                if (kongs == 2) yaku |= bit(SANKANTSU);
                for (int wind = is_double; wind < (has_winds ? is_double + 1 : 2); wind++) {
                    auto& known = found[{wind, is_closed, from_wall, kongs > 0, single}];
                    if (top) known[top] |= 0;
                    else known[yaku] |= fu;
                    if (all_green) known[top | bit(RYUUIISOU)] |= 0;
                }
            }
        }
        held[pair] -= 2;
    }
}

int main() {
    for (int suit = 0; suit < 3; suit++)
        for (int low = 0; low < 7; low++) sets.push_back({9 * suit + low, 0});
    for (int tile = 0; tile < KINDS; tile++) sets.push_back({tile, 1});
    const int n = sets.size();
    std::array<int, 4> chosen;
    for (chosen[0] = 0; chosen[0] < n; chosen[0]++)
        for (chosen[1] = chosen[0]; chosen[1] < n; chosen[1]++)
            for (chosen[2] = chosen[1]; chosen[2] < n; chosen[2]++)
                for (chosen[3] = chosen[2]; chosen[3] < n; chosen[3]++)
                    if (is_first_of_its_suits(chosen)) lay_out(chosen);
    for (auto& [how, lists] : found)
        for (auto& [yaku, fu] : lists)
            printf("%d %d %d %d %d %u %u\n", how[0], how[1], how[2], how[3], how[4], yaku, fu);
}
