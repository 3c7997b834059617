// The screen of the referee's phone: a table, a player, an offence; what waits; and what became of every press.

import { announce, ask, button, h, icon, refill, wind } from "../tablet/dom.js";
import { isHeldBack } from "../tablet/outbox.js";
import { signed, timeOfDay, _ } from "../tablet/words.js";
import { given, waitingList } from "./lists.js";
import { Foreseen, fourRows } from "./outlook.js";
import { harsher, isGrave, placesWith, pricesOf, tapOf } from "./rules.js";
import { canScan, scanned } from "./scan.js";
import { connectionWords, placeWords, priceWords, seatWords, stepWords, whereWords } from "./words.js";
import { shownNumber } from "../tablet/numbers.js";

// So long a press can be taken back before anybody has heard of it.
export const HOLD = 5_000;
const LONG_PRESS = 500;
const ABOUT_A_PLAYER = new Set(["give", "late", "arrived"]);

export class Phone {
  constructor({ root, server, outbox, remember }) {
    Object.assign(this, { root, server, outbox, remember });
    this.state = null;
    this.heardOf = "";
    this.log = [];
    this.view = "table";
    this.session = 0;
    this.table = 0;
    this.wind = "";
    this.hand = 0;
    this.isPicking = false;
    this.heard = 0;
    this.closed = "";
    this.look = () => {};
    this.foreseen = new Foreseen(server);
  }

  // What is known

  choose({ session = 0, table = 0 }) {
    Object.assign(this, { session, table });
  }

  learn(state) {
    const before = this.heardOf;
    this.state = state;
    this.heardOf = JSON.stringify({ ...state, at: 0 });
    this.heard = Date.now();
    this.offset = Date.parse(state.at) - Date.now();
    this.closed = "";
    if (before !== this.heardOf) this.show();
    else this.tick();
  }

  lost() {
    this.tick();
  }

  turnedAway({ status, problem }) {
    this.closed = status === 401 ? "sign-in" : problem.title;
    this.show();
  }

  get here() {
    const sessions = this.state?.sessions ?? [];
    const session = sessions.find((one) => one.number === this.session) ?? sessions[0];
    const table = session?.tables.find((one) => one.number === this.table);
    return { session, table, seat: table?.seats.find((one) => one.wind === this.wind) };
  }

  // What the state does not count yet: presses that wait, and those given since it was told. Penalties are numbered in the order given.
  get waiting() {
    const newest = Math.max(0, ...(this.state?.given ?? []).map((row) => row.number));
    const queued = this.outbox.entries.filter((entry) => entry.operation === "give" && !entry.problem);
    const since = this.log.filter((one) => one.operation === "give" && one.state.penalty > newest && !queued.some((entry) => entry.key === one.key));
    return [...queued, ...since].map((entry) => ({ ...entry.body, key: entry.key, points: undefined, cost: entry.shown.cost ?? 0 }));
  }

  openTable(session, table) {
    Object.assign(this, { session, table, wind: "", hand: 0, view: "table", isPicking: false });
    this.remember({ session, table });
  }

  go(change) {
    Object.assign(this, change);
    this.show();
    scrollTo(0, 0);
  }

  // What is shown

  // What lies beneath a finger is not replaced until it is lifted.
  show() {
    if (this.isPressing) {
      this.isStale = true;
      return;
    }
    this.isStale = false;
    const parts = { table: () => this.atTable(), list: () => waitingList(this), given: () => given(this) };
    refill(this.root, this.head(), this.notices(), h("div", { class: "phone-view" }, parts[this.view]()), h("div", { class: "phone-foot" }, this.heldBack(), this.tabs()));
    this.tick();
  }

  // Clocks and the age of what is shown go on without drawing anything anew.
  tick() {
    const age = this.heard ? Math.floor((Date.now() - this.heard) / 1000) : this.state ? Math.floor((Date.now() - Date.parse(this.state.at)) / 1000) : null;
    const said = this.root.querySelector("[data-connection]");
    if (said) said.textContent = connectionWords(this.outbox, age);
    for (const clock of this.root.querySelectorAll("[data-ticks]")) clock.textContent = clock.tells(Date.now() + (this.offset ?? 0));
    const left = this.root.querySelector("[data-left]");
    const until = Math.max(0, ...this.outbox.entries.filter(isHeldBack).map((entry) => entry.holdUntil));
    if (left && until) left.textContent = _("Sent in %(seconds)s s", { seconds: Math.max(1, Math.ceil((until - Date.now()) / 1000)) });
    else if (left) this.show();
  }

  head() {
    return h(
      "header",
      { class: "phone-head" },
      h("strong", { class: "phone-event" }, this.state?.tournament ?? _("Referee")),
      h("span", { class: "phone-connection", data: { connection: "" }, role: "status" }),
      h("a", { class: "button button-plain button-icon", href: this.root.dataset.desk, "aria-label": _("Judging at the desk") }, icon("menu")),
    );
  }

  notices() {
    const found = [];
    if (this.closed === "sign-in") {
      const address = `/accounts/login/?next=${encodeURIComponent(this.root.dataset.home)}`;
      found.push(h("div", { class: "notice notice-warning" }, icon("lock"), h("div", {}, _("You are signed out. Nothing that was pressed is lost."), " ", h("a", { href: address }, _("Sign in")))));
    } else if (this.closed) found.push(h("div", { class: "notice notice-danger" }, icon("alert"), h("div", {}, this.closed)));
    const refused = this.outbox.stuck.length;
    if (refused && this.view !== "given") {
      found.push(h("button", { type: "button", class: "notice notice-danger phone-refused", onclick: () => this.go({ view: "given" }), data: { focus: "refused" } }, icon("alert"), h("span", {}, _("Refused, needs your decision: %(count)s", { count: refused }))));
    }
    return found;
  }

  tabs() {
    const waits = this.state?.waiting.length ?? 0;
    const tabs = [
      ["table", _("Penalty"), "scales", 0],
      ["list", _("To do"), "list", waits],
      ["given", _("Given"), "history", this.outbox.unsent],
    ];
    return h(
      "nav",
      { class: "phone-tabs", "aria-label": _("Referee's phone") },
      tabs.map(([view, text, sign, count]) =>
        h(
          "button",
          { type: "button", class: "phone-tab", "aria-current": view === this.view ? "page" : null, onclick: () => this.go({ view, isPicking: false }), data: { focus: `tab-${view}` } },
          icon(sign),
          h("span", {}, text),
          count ? h("span", { class: "count" }, String(count)) : null,
        ),
      ),
    );
  }

  // A table

  atTable() {
    const { session, table } = this.here;
    if (!this.state) return h("p", { class: "lead" }, this.closed ? "" : _("No connection. The tables appear when it is back."));
    if (!session) return this.noSession();
    if (!table || this.isPicking) return this.pickTable(session);
    return [this.place(session, table), this.seats(session, table), this.offences(session, table)];
  }

  noSession() {
    return h(
      "div",
      { class: "empty" },
      h("p", {}, _("No session is in play, so there is no table to go to.")),
      h("p", {}, h("a", { class: "button", href: this.root.dataset.outside }, _("Penalty outside a table"))),
    );
  }

  pickTable(session) {
    const tables = session.tables.map((one) =>
      button(String(shownNumber(one.number)), () => this.go({ ...this.opened(session, one) }), { kind: `button-quiet phone-number${one.called ? " is-calling" : ""}`, id: `table-${one.number}`, label: _("Table %(table)s", { table: shownNumber(one.number) }) }),
    );
    return [
      h("h1", { class: "phone-title" }, _("Which table?")),
      canScan() ? button(_("Scan its code"), () => this.scan(), { kind: "button-wide", id: "scan" }, icon("qr")) : null,
      h("div", { class: "phone-numbers" }, tables),
    ];
  }

  opened(session, table) {
    this.openTable(session.number, table.number);
    return {};
  }

  async scan() {
    const place = await scanned();
    if (place) this.openTable(place.session, place.table);
    this.show();
  }

  place(session, table) {
    const hand = this.hand || table.hand;
    const step = (by) => this.go({ hand: Math.max(1, hand + by) });
    return h(
      "div",
      { class: "phone-place" },
      button(_("Table %(table)s", { table: shownNumber(table.number) }), () => this.go({ isPicking: true }), { kind: "button-quiet", id: "pick" }, icon("table")),
      table.has_hands
        ? h(
            "div",
            { class: "phone-hand", role: "group", "aria-label": _("Hand") },
            button("", () => step(-1), { kind: "button-quiet button-icon", id: "hand-less", label: _("The hand before"), disabled: hand <= 1 }, icon("left")),
            h("span", {}, _("Hand %(hand)s", { hand })),
            button("", () => step(1), { kind: "button-quiet button-icon", id: "hand-more", label: _("The next hand") }, icon("right")),
          )
        : null,
    );
  }

  seats(session, table) {
    if (table.is_own) return h("div", { class: "notice notice-warning" }, icon("alert"), h("div", {}, _("You play at this table; ask another referee.")));
    return h(
      "div",
      { class: "phone-seats" },
      table.seats.map((seat) =>
        h(
          "button",
          { type: "button", class: "seat-panel phone-seat", "aria-pressed": String(seat.wind === this.wind), onclick: () => this.go({ wind: seat.wind === this.wind ? "" : seat.wind }), data: { focus: `seat-${seat.wind}` } },
          wind(seat.wind),
          h("span", { class: "seat-name" }, seat.name),
          h("span", { class: "seat-total" }, signed(seat.points)),
          seat.late === "running" ? h("span", { class: "seat-role" }, _("Not here yet")) : null,
        ),
      ),
    );
  }

  offences(session, table) {
    const { seat } = this.here;
    if (!seat) return table.is_own ? null : h("p", { class: "soft phone-hint" }, _("Who? The offences follow, the most frequent first."));
    const offered = session.offences.filter((one) => one.mode !== "in_hand" || !table.has_hands);
    this.foresee(session, table, seat, offered);
    return [
      this.lateness(session, seat),
      h("div", { class: "phone-offences" }, offered.map((one) => this.offence(session, table, seat, one))),
      h("p", { class: "small soft phone-hint" }, _("A long press, or the dots, offers a harsher price, a dead hand, a warning or removal."), " ", h("a", { href: this.root.dataset.outside }, _("An offence that is not listed: at the desk"))),
    ];
  }

  lateness(session, seat) {
    if (seat.late === "running") return button(_("Here now"), () => this.arrived({ session: session.number, player: seat.player, text: seat.name }), { kind: "button-wide", id: "arrived" }, icon("check"));
    if (seat.late) return null;
    return button(_("The seat is empty: start the minutes"), () => this.press("late", session.number, seat.player, {}, { text: _("%(name)s is not here", { name: seat.name }) }), { kind: "button-plain phone-late", id: "late" }, icon("clock"));
  }

  offence(session, table, seat, offence) {
    const hand = this.hand || table.hand;
    const tap = tapOf(session, table, seat, offence, hand, this.waiting);
    const more = () => this.more(session, table, seat, offence);
    const pressed = tap ? () => this.give(session, table, seat, offence, tap) : more;
    const places = tap?.cost ? placesWith(session, table, seat, tap.cost, this.waiting) : null;
    return h(
      "div",
      { class: "phone-offence" },
      h(
        "button",
        { type: "button", class: "phone-press", data: { focus: `offence-${offence.code}` }, ...held(this, pressed, more) },
        h("span", { class: "phone-offence-name" }, offence.name),
        h("strong", { class: "phone-price" }, tap ? priceWords(tap) : _("choose …")),
        h("span", { class: "clause" }, offence.clause),
        h("span", { class: "small phone-effect" }, [stepWords(tap ?? {}), places ? placeWords(places) : ""].filter(Boolean).join(" · ")),
      ),
      button("", more, { kind: "button-plain button-icon phone-more", id: `more-${offence.code}`, label: _("Other prices: %(offence)s", { offence: offence.name }) }, icon("more")),
    );
  }

  // What each price would change in the standings is asked for when a player is chosen, once for all prices.
  async foresee(session, table, seat, offered) {
    if (this.waiting.length) return;
    const prices = pricesOf(session, table, seat, offered, this.hand || table.hand, { isChief: this.state.is_chief, waiting: [] });
    if (await this.foreseen.ask(session.number, seat.player, prices, this.heardOf)) this.show();
  }

  // The four now and after; what waits to be sent besides is counted at the table, and not in the standings.
  four(session, table, seat, cost, waiting) {
    const standings = waiting.length ? null : this.foreseen.of(session.number, seat.player, cost);
    return fourRows(session, table, seat, cost, waiting, standings);
  }

  async more(session, table, seat, offence) {
    const hand = this.hand || table.hand;
    const offers = harsher(session, table, seat, offence, hand, { isChief: this.state.is_chief, waiting: this.waiting });
    const choices = offers.map((value) => ({ value, text: priceWords({ ...value, cost: value.cost }), kind: isGrave(value) ? "button-danger button-wide" : "button-quiet button-wide" }));
    const tap = tapOf(session, table, seat, offence, hand, this.waiting);
    const shown = tap?.cost ? h("div", {}, h("p", {}, _("%(price)s, as one tap gives it:", { price: priceWords(tap) })), this.four(session, table, seat, tap.cost, this.waiting)) : null;
    const about = h("div", {}, h("p", {}, `${seatWords(seat)} · ${offence.clause}`), shown);
    const chosen = await ask(offence.name, about, [...choices, { value: null, text: _("Cancel"), kind: "button-plain button-wide" }]);
    if (!chosen || (isGrave(chosen) && !(await this.isSure(seat, chosen)))) return;
    const to = offence.to && chosen.points ? await this.receiver(table, seat) : null;
    if (offence.to && chosen.points && !to) return;
    this.give(session, table, seat, offence, { ...chosen, ...(to ? { to: to.player } : {}) });
  }

  // Who is sent away plays no more from the next hand on: that is said before.
  isSure(seat, chosen) {
    const said = chosen.effect === "removal" ? _("%(name)s plays no more from the next hand on and is not ranked.", { name: seat.name }) : _("%(name)s is disqualified once a second person has approved it.", { name: seat.name });
    return ask(priceWords(chosen), h("p", {}, said), [
      { value: true, text: _("Give it"), kind: "button-danger button-wide" },
      { value: false, text: _("Cancel"), kind: "button-plain button-wide" },
    ]);
  }

  receiver(table, seat) {
    const others = table.seats.filter((one) => one.wind !== seat.wind);
    return ask(_("Who receives the points?"), "", [...others.map((value) => ({ value, text: seatWords(value), kind: "button-quiet button-wide" })), { value: null, text: _("Cancel"), kind: "button-plain button-wide" }]);
  }

  // Presses

  give(session, table, seat, offence, price) {
    const { effect, points, step, cost, to } = price;
    const body = { offence: offence.code, hand: this.hand || table.hand };
    if (effect !== "game_points") body.effect = effect;
    if (points !== undefined) body.points = String(points);
    if (step !== undefined) body.step = step;
    if (to !== undefined) body.to = to;
    const text = [`${seat.name}: ${offence.name}`, stepWords(price), priceWords(price)].filter(Boolean).join(", ");
    this.go({ wind: "" });
    return this.press("give", session.number, seat.player, body, { text, cost: cost ?? 0, where: whereWords({ session: session.number, table: table.number }), ladder: offence.ladder });
  }

  // Somebody came at the moment of the press, whenever it is sent; the clock is the server's.
  arrived({ session, player, text }) {
    const at = new Date(Date.now() + (this.offset ?? 0)).toISOString();
    return this.press("arrived", session, player, { at }, { text: _("%(name)s is here", { name: text }), where: timeOfDay(at) });
  }

  // Presses about one player wait behind each other, those about others do not.
  async press(operation, session, player, body, shown) {
    const named = ABOUT_A_PLAYER.has(operation) ? { session, player, ...body } : body;
    await this.outbox.add({ session, table: player, operation, body: named, shown, hold: HOLD });
    announce(_("Sent in %(seconds)s s", { seconds: HOLD / 1000 }));
    this.show();
  }

  heldBack() {
    const entry = this.outbox.entries.filter(isHeldBack).at(-1);
    if (!entry) return null;
    return h(
      "div",
      { class: "phone-held", role: "alertdialog", "aria-label": _("Take back") },
      h("div", { class: "phone-held-text" }, h("strong", {}, entry.shown.text), h("span", { class: "small", data: { left: "" } })),
      this.heldFour(entry),
      button(_("Take back"), () => this.takeBack(entry), { kind: "button-big", id: "take-back" }, icon("undo")),
    );
  }

  // While it can be taken back it shows what it is about to do to the four.
  heldFour(entry) {
    const cost = entry.operation === "give" ? entry.shown.cost : 0;
    const session = this.state?.sessions.find((one) => one.number === entry.session);
    const table = session?.tables.find((one) => one.seats.some((seat) => seat.player === entry.table));
    if (!cost || !table) return null;
    const seat = table.seats.find((one) => one.player === entry.table);
    const before = this.waiting.filter((press) => press.key !== entry.key);
    return this.four(session, table, seat, cost, before);
  }

  // It has not left the device; if it has in this very moment, a revocation follows it.
  async takeBack(entry) {
    const isBack = await this.outbox.drop(entry, 0, "taken back", { isUntried: true });
    if (isBack) announce(_("Taken back: %(what)s", { what: entry.shown.text }));
    else if (entry.operation === "give") await this.press("revoke", entry.session, entry.table, { given: entry.key, reason: _("Pressed by mistake") }, { text: _("Revoked: %(what)s", { what: entry.shown.text }) });
    this.show();
  }
}

// A tap and a long press on one button; a finger that moves away does neither.
function held(phone, tap, long) {
  let timer = 0;
  let isLong = false;
  const stop = () => {
    clearTimeout(timer);
    phone.isPressing = false;
    // The click comes after the finger is lifted.
    if (phone.isStale) setTimeout(() => phone.show(), 0);
  };
  return {
    onpointerdown: () => {
      isLong = false;
      phone.isPressing = true;
      timer = setTimeout(() => {
        isLong = true;
        stop();
        long();
      }, LONG_PRESS);
    },
    onpointerup: stop,
    onpointerleave: stop,
    onpointercancel: stop,
    oncontextmenu: (event) => event.preventDefault(),
    onclick: () => (isLong ? (isLong = false) : tap()),
  };
}
