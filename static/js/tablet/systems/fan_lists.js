// Which lists of fans a hand of sport mahjong can have: the engine's table of all of them. Fans are bits of large numbers.

const known = new WeakMap();

export class FanLists {
  static of(tables) {
    if (!known.has(tables)) known.set(tables, new FanLists(tables));
    return known.get(tables);
  }

  constructor({ lists, fans }) {
    Object.assign(this, { lists, fans });
    this.core = BigInt(lists.core);
    this.cores = lists.cores.map(({ bits, classes }) => new Map(bits.map((core, place) => [BigInt(core), classes[place]])));
    this.finishes = lists.finishes.map(BigInt);
    this.beside = lists.beside.map(BigInt);
    this.anyKong = this.sum(lists.kongs);
    this.endingsOf = new Map();
  }

  bit(place) {
    return 1n << BigInt(place);
  }

  sum(places) {
    return places.reduce((total, place) => total | this.bit(place), 0n);
  }

  // The bits of each fan, for the first time that it counts, the second, and so on: its own, and those behind all of them.
  placesOf(fan) {
    return this.lists.fan_of_bit.flatMap((other, place) => (other === fan ? [place] : []));
  }

  bitsOf(counts) {
    const listed = Object.entries(counts);
    if (listed.length === 1 && Number(listed[0][0]) === this.lists.fans.chicken && listed[0][1] === 1) return 0n;
    return this.sum(listed.flatMap(([fan, count]) => this.placesOf(Number(fan)).slice(0, count)));
  }

  placesIn(bits) {
    return this.lists.fan_of_bit.flatMap((_fan, place) => (bits & this.bit(place) ? [place] : []));
  }

  isPossible(counts, way) {
    if (!Object.keys(counts).length) return false;
    const sought = this.bitsOf(counts);
    const core = sought & this.core;
    const found = this.cores[Number(way.isDoubleWind)].get(core);
    return found !== undefined && this.endings(found, way).has(sought ^ core);
  }

  // Everything that can stand beside the cores of a class.
  endings(found, way) {
    const name = [found, way.isSelfDrawn, way.usesDrawnTile, way.hasOtherHand].join();
    if (!this.endingsOf.has(name)) {
      const place = way.isSelfDrawn ? (way.usesDrawnTile ? 1 : 2) : 0;
      this.endingsOf.set(name, new Set(this.lists.classes[found][place].flatMap(([finish, marks]) => this.withLastTile(this.finishes[finish], marks, way))));
    }
    return this.endingsOf.get(name);
  }

  // Adds to a finish what the last tile may be worth.
  withLastTile(finish, marks, way) {
    const { fans, marks: known } = this.lists;
    const all = [];
    for (const [mark, last] of [[known.may_lack_last_tile, 0n], [known.may_have_last_tile, this.bit(fans.last_tile)]]) {
      if (!(marks & mark)) continue;
      const ending = finish | last;
      if (!way.isSelfDrawn) {
        all.push(ending, ending | this.bit(fans.on_last_claim));
        continue;
      }
      const drawn = finish & this.bit(fans.fully_concealed) ? 0n : this.bit(fans.self_drawn);
      all.push(ending | drawn, ending | this.bit(fans.on_last_draw));
      if (!way.usesDrawnTile || !(way.hasOtherHand || finish & this.anyKong)) continue;
      const replacement = ending | this.bit(fans.on_replacement);
      all.push(replacement, replacement | this.bit(fans.on_last_draw));
    }
    if (marks & known.may_rob) all.push(finish | this.bit(fans.robbing));
    return all;
  }

  // What in an impossible list cannot stand together, as exactly as can be told, and by which clause.
  conflict(counts, way) {
    const { fan_of_bit: fanOf, chow_groups: groups } = this.lists;
    const places = this.placesIn(this.bitsOf(counts));
    for (const [index, one] of places.entries()) {
      for (const other of places.slice(index + 1)) {
        if (!(this.beside[one] & this.bit(other))) return { clause: this.against(fanOf[one], fanOf[other]), fans: [fanOf[one], fanOf[other]] };
      }
    }
    const ofChows = Object.keys(counts).map(Number).filter((fan) => groups.includes(fan));
    const chows = this.bitsOf(Object.fromEntries(ofChows.map((fan) => [fan, counts[fan]])));
    const isAny = [...this.cores[Number(way.isDoubleWind)].keys()].some((core) => (core & chows) === chows);
    return isAny ? { clause: "MCR scoring 1e", fans: [] } : { clause: "MCR scoring 1e5", fans: ofChows.sort((one, other) => one - other) };
  }

  // The clause by which two fans are never counted in one hand.
  against(one, other) {
    const { fans, waits, kongs, chow_groups: groups } = this.lists;
    const areOf = (set) => set.includes(one) && set.includes(other);
    if (one === fans.chicken || other === fans.chicken) return this.fans[fans.chicken].clause;
    if (areOf(waits)) return "RULES 8.16";
    if (areOf(kongs)) return "RULES 8.17";
    if (areOf(groups)) return "MCR scoring 1e5";
    const worth = (fan) => this.fans[fan].points;
    const dearer = worth(one) !== worth(other) ? (worth(one) > worth(other) ? one : other) : Math.min(one, other);
    return this.fans[dearer].clause;
  }
}
