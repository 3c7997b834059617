// One table's screen: what the server has, what is queued, what is being entered; and every way onward from there.

import { compareByHolding, LIFT } from "./board.js";
import { announce, button, h, icon, refill, wind } from "./dom.js";
import { confirmation, finalEntry } from "./closing.js";
import * as dialogs from "./dialogs.js";
import * as entry from "./draft.js";
import { entryArea, promptOf } from "./entry.js";
import { isSameHand } from "./facts.js";
import { callOut } from "./last_hand.js";
import { draftName, stateName } from "./outbox.js";
import { Refused, Unreachable } from "./server.js";
import { isBegun, offerMove } from "./moving.js";
import { ownWind, projected, seatsOf } from "./sheet.js";
import * as store from "./store.js";
import { arithmeticOf, describe, problemsOf } from "./systems/index.js";
import { namesOf } from "./tell.js";
import { chooseFans, chooseTiles, chooseWaiting, rulesOf } from "./values.js";
import { _, duration, ngettext, number, signed, timeOfDay } from "./words.js";
import { shownNumber } from "./numbers.js";

const BEAT = 8_000;
const CHECK_PAUSE = 120;
const MESSAGE = 7_000;
// The same hand sooner after the last one is asked about; hands that were queued longer than that may well be alike.
const TWICE = 10_000;
// The last hand of another tablet is asked about for longer: whoever sits here may be about to enter it once more.
const TWICE_ELSEWHERE = 300_000;
// No hand is played in less: one that follows another tablet's sooner is probably that same hand, heard otherwise.
const TOO_SOON = 40_000;
const CLOCK_STEP = 2_000;
// So many letters fill two lines of a phone's header.
const LONG = 34;
// Two taps on one name in less are one.
const BOUNCE = 400;
const MOST_ASIDE = 50;
// Where the players lie below what is entered (tablet.css): whoever goes through the page by keys or by ear meets them in that order too.
const UPRIGHT_PHONE = "(max-width: 39.99rem) and (orientation: portrait)";

export class TableScreen {
  constructor({ root, server, outbox, slug, session, table, home, me }) {
    Object.assign(this, { root, server, outbox, slug, session, table, home, me });
    this.path = `session-${session}/table-${table}/`;
    this.state = null;
    this.described = null;
    this.draft = entry.start();
    this.begun = null;
    this.correcting = null;
    this.mending = null;
    this.isSaving = false;
    this.early = [];
    this.verdict = null;
    this.told = null;
    this.parked = null;
    this.message = null;
    this.others = [];
    this.checks = {};
    this.warnings = [];
    this.offset = 0;
    this.final = null;
    this.dialog = null;
    this.newer = null;
  }

  async open() {
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.outbox.addEventListener("change", () => this.draw(), { signal });
    this.outbox.addEventListener("delivered", (event) => this.delivered(event.detail), { signal });
    this.outbox.addEventListener("elsewhere", () => this.catchUp(), { signal });
    this.outbox.addEventListener("refused", () => this.refused(), { signal });
    this.outbox.addEventListener("rejected", (event) => this.rejected(event.detail), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.beat(), { signal });
    addEventListener("online", () => this.beat(), { signal });
    addEventListener("keydown", (event) => this.pressed(event), { signal });
    this.upright = globalThis.matchMedia?.(UPRIGHT_PHONE);
    this.upright?.addEventListener("change", () => this.draw(), { signal });
    const holding = compareByHolding(this);
    this.root.addEventListener("pointerdown", (event) => (holding.begin(event), this.hold()), { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, holding.end, { signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (this.lifting = setTimeout(() => this.letGo(), LIFT)), { signal });
    this.root.addEventListener("click", (event) => this.heard(event), { signal, capture: true });
    await this.recall();
    await this.refresh();
    this.beat();
    this.ticking = setInterval(() => this.tick(), 1000);
    this.beating = setInterval(() => document.visibilityState === "visible" && this.beat(), BEAT);
    if (this.outbox.stuck.length) this.decide();
  }

  close() {
    this.stop.abort();
    clearInterval(this.ticking);
    clearInterval(this.beating);
  }

  // What the server has

  get place() {
    return stateName(this.slug, this.session, this.table);
  }

  get draftName() {
    return draftName(this.slug, this.session, this.table);
  }

  // The last hand that was saved here, so that it is known for this tablet's own when the page is opened again; whether it is entered twice is asked then all the same.
  get savedName() {
    return `saved:${this.slug}:${this.session}:${this.table}`;
  }

  async recall() {
    this.savedBefore = await store.read(this.savedName);
    this.offset = (await store.read("clock-offset")) ?? 0;
    this.take(await store.read(this.place));
    this.resume(await store.read(this.draftName));
    this.bury();
    this.draw();
    if (this.state) await this.learn();
  }

  // Which hands cannot be, so that this is known without a connection too; asked for until it has come, and when the settings change.
  async learn() {
    const of = JSON.stringify(this.state.rules ?? {});
    if (this.learned === of || this.isLearning) return;
    this.isLearning = true;
    try {
      const rules = await rulesOf(this);
      this.legality = rules?.legality ?? null;
      this.learned = this.legality ? of : null;
      this.told = null;
    } finally {
      this.isLearning = false;
    }
    this.draw();
  }

  // What was being typed goes on, unless the hand it was typed for has been entered since.
  resume(kept) {
    if (!kept || !this.state) return;
    if (kept.final) this.final = kept.final;
    if (!kept.draft) return;
    const stuck = this.pending.find((one) => one.problem && one.key === kept.mending);
    const isOurs = kept.mending ? stuck : kept.correcting ? kept.version === this.seen : kept.begun || kept.number >= this.sheet.next.number;
    if (!isOurs) return;
    Object.assign(this, { draft: kept.draft, begun: kept.begun ?? null, correcting: kept.correcting ?? null, mending: stuck ?? null, parked: kept.parked ?? null });
  }

  // Another window of this device has got an answer: it is here already.
  async catchUp() {
    this.take(await store.read(this.place));
    this.draw();
  }

  take(state) {
    if (!state) return;
    if (this.state && state.version < this.state.version) return;
    this.state = { phones: this.state?.phones, ...state };
    this.names = namesOf(state.seats);
    this.bury();
  }

  // A referee's penalty has declared a hand dead that is being played: it is part of what is entered.
  bury() {
    if (!this.state || this.correcting || this.mending) return;
    const { number } = this.sheet.next;
    this.draft = entry.withDead(this.draft, this.system, (this.state.dead_hands ?? []).filter((one) => one.hand === number));
  }

  async refresh() {
    try {
      const state = await this.server.get(this.path);
      if (!Number.isInteger(state.version) || !Array.isArray(state.seats)) throw new Unreachable("portal");
      const { others = [], checks = {} } = state;
      delete state.others;
      delete state.checks;
      this.noteChecks(checks);
      await store.keep(this.place, state);
      this.reached();
      this.take(state);
      this.noteCompany(others);
      this.learn();
    } catch (error) {
      this.failed(error);
    }
    this.draw();
  }

  get pending() {
    return this.outbox.at(this.session, this.table);
  }

  get sheet() {
    return projected(this.state, this.pending);
  }

  // Every entry is one step of the protocol.
  get seen() {
    const last = this.pending.at(-1);
    return last ? last.body.seen + 1 : (this.state?.version ?? 0);
  }

  async beat() {
    this.beatControl?.abort();
    this.beatControl = new AbortController();
    try {
      await this.outbox.recounted;
      const aside = this.outbox.asides.map(({ session, table, shown }) => ({ session, table, number: shown?.number ?? 0 }));
      const body = { unsent: this.outbox.entries.length, clock: Math.max(0, Date.now()), session: this.session, table: this.table, set_aside: aside.slice(0, MOST_ASIDE) };
      const news = await this.server.post("beat/", body, { signal: this.beatControl.signal });
      if (!news.time) throw new Unreachable("portal");
      this.reached();
      this.setClock(Date.parse(news.time) - Date.now());
      this.warnings = news.warnings ?? [];
      this.noteCompany(news.others ?? []);
      this.noteChecks(news.checks ?? {});
      this.noteVersion(news.app);
      offerMove(news.move, { outbox: this.outbox, home: this.home, isBusy: () => isBegun(this) });
      const clock = JSON.stringify([news.clock ?? null, news.dead ?? 0, news.taken ?? {}]);
      const isNews = news.version !== this.state?.version || news.called !== this.state?.called || news.answered !== this.state?.answered || (this.lastClock && clock !== this.lastClock);
      this.lastClock = clock;
      if (isNews && !this.pending.length) await this.refresh();
      this.outbox.flush();
    } catch (error) {
      this.failed(error);
    }
    this.draw();
  }

  // By how much this tablet's clock is wrong; kept, so that the time left is right without a connection too.
  setClock(offset) {
    if (Math.abs(offset - this.offset) > CLOCK_STEP) store.keep("clock-offset", offset);
    this.offset = offset;
  }

  noteCompany(others) {
    const news = others.filter((name) => !this.others.includes(name));
    if (news.length) this.say(_("Another tablet is at this table now: %(names)s.", { names: news.join(", ") }), { kind: "warning" });
    this.others = others;
  }

  // What players say of the hands on their phones; a new dispute is said at once, and stays until it is settled.
  noteChecks(checks) {
    const named = (one) => JSON.stringify([one.hand, one.wind, one.text]);
    const known = (this.checks.disputes ?? []).map(named);
    const [news] = (checks.disputes ?? []).filter((one) => !known.includes(named(one)));
    this.checks = checks;
    if (news && this.names) this.say(this.disputeWords(news), { kind: "warning", dispute: news });
  }

  disputeWords({ wind: seat, hand, text }) {
    const words = _("%(name)s: hand %(number)s is wrong.", { name: this.names.short[seat], number: hand });
    return text ? `${words} ${_("“%(text)s”", { text })}` : words;
  }

  noteVersion(version) {
    if (!version || version === this.root.dataset.version || this.newer) return;
    this.offerNewer(() => location.reload());
    navigator.serviceWorker?.getRegistration?.().then((registration) => registration?.update());
  }

  // A new version starts when a person says so: it is offered between two hands, where it covers nothing, and among what is rarer.
  offerNewer(start) {
    this.newer = start;
    this.draw();
  }

  reached() {
    this.outbox.connection = "online";
    this.signedOff = null;
  }

  failed(error) {
    if (error instanceof Unreachable) this.outbox.connection = error.why === "busy" ? "busy" : "offline";
    else if (error instanceof Refused) this.rejected(error);
    else if (error.name !== "AbortError") throw error;
  }

  rejected(error) {
    if ([401, 403, 404].includes(error.status)) this.signedOff = error.problem.title;
    else this.say(error.problem.title, { kind: "error" });
    this.draw();
  }

  delivered({ entry: sent, answer }) {
    if (sent.session !== this.session || sent.table !== this.table) return;
    this.take(answer.state);
    this.draw();
    // Those behind a hand that was changed may need a decision of their own.
    this.decide();
  }

  // What is being entered

  act = (work) => {
    if (this.isSaving) return;
    if (entry.isEmpty(this.draft) && this.refusedHand) {
      this.decide();
      return;
    }
    const next = entry.seated(entry.withKongFans(work(this.draft, this.system), this.draft, this.system), this.draft);
    const isIdle = next === this.draft;
    this.draft = next;
    this.begin();
    this.verdict = null;
    this.message = null;
    this.keepDraft();
    if (isIdle) this.say(_("Nothing was entered by this tap. %(prompt)s", { prompt: promptOf(this.draft, this.system, this.names) }), { kind: "warning" });
    else this.draw();
    this.check();
  };

  // A hand is entered for the place where its first tap was made, with what was known of the table then.
  begin() {
    if (entry.isEmpty(this.draft) || this.correcting || this.mending) this.begun = null;
    else this.begun ??= { number: this.sheet.next.number, seen: this.seen };
  }

  // Another tablet has moved the table on since the first tap.
  get isOvertaken() {
    return Boolean(this.begun) && this.begun.number !== this.sheet.next.number;
  }

  // What stands here and is nowhere else.
  get unsaved() {
    return this.begun || this.mending ? this.situation.number : null;
  }

  keepDraft() {
    const { draft, seen: version, correcting, begun, parked } = this;
    store.keepAtOnce(this.draftName, { draft, version, correcting, begun, parked, number: this.sheet.next.number, mending: this.mending?.key ?? null });
  }

  get facts() {
    return entry.facts(this.draft, this.system);
  }

  get isReady() {
    return !entry.isEmpty(this.draft) && entry.missing(this.draft, this.system) === "";
  }

  // The amounts as worked out here; the server's word replaces them as soon as it comes.
  amounts() {
    if (!this.isReady) return this.partial();
    if (this.verdict?.facts === JSON.stringify(this.facts) && this.verdict.answer) return this.verdict.answer.payments;
    return this.worked(this.facts);
  }

  partial() {
    const facts = entry.cleaned(this.draft, this.system);
    if (!facts.events.length) return null;
    if (this.draft.riichi.length) facts.riichi = this.draft.riichi;
    return this.worked(facts);
  }

  worked(facts) {
    try {
      return arithmeticOf(this.system.system, this.system.rules).payments(facts, this.situation).points;
    } catch {
      return null;
    }
  }

  get situation() {
    const { hands, next } = this.sheet;
    const corrected = this.correcting ? hands.find((hand) => hand.number === this.correcting) : null;
    const mended = this.mending ? hands.find((hand) => hand.entry?.id === this.mending.id) : null;
    const begun = this.isOvertaken ? hands.find((hand) => hand.number === this.begun.number) : null;
    return (corrected ?? mended ?? begun)?.before ?? next;
  }

  // Who plays the hand that is entered; a player who has left the table played only the hands before.
  get system() {
    if (!this.state) return null;
    const seats = this.state.seats.some((seat) => seat.left_after !== undefined) ? this.situation.seats : this.seats;
    const known = this.described;
    if (known?.state !== this.state || known.seats.join() !== seats.join()) this.described = { state: this.state, seats, system: describe(this.state, seats) };
    return this.described.system;
  }

  // All seats with points, also those whose players have left.
  get seats() {
    return seatsOf(this.state);
  }

  // Asks the server what it makes of the hand, so that a refusal is known before it is saved.
  check() {
    clearTimeout(this.checking);
    this.asking?.abort();
    if (!this.isReady || this.isOvertaken || (this.pending.length && !this.correcting && !this.mending)) return;
    const facts = this.facts;
    const written = JSON.stringify(facts);
    this.checking = setTimeout(async () => {
      this.asking = new AbortController();
      const body = this.correcting ? { facts, number: this.correcting } : { facts };
      try {
        await this.authorized();
        const answer = await this.server.post(`${this.path}preview/`, body, { signal: this.asking.signal });
        this.reached();
        this.verdict = { facts: written, answer };
      } catch (error) {
        if (error.name === "AbortError") return;
        if (error instanceof Refused && error.status === 422) this.verdict = { facts: written, problem: error.problem };
        else this.failed(error);
      }
      if (written === JSON.stringify(this.facts)) this.draw();
    }, CHECK_PAUSE);
  }

  async authorized() {
    if (!this.server.credential && !this.server.token) this.server.token = (await this.server.get("self/")).csrf ?? "";
  }

  // The server's word as soon as it has come; until then, and without a connection, what is known here.
  get problem() {
    if (!this.isReady) return null;
    const written = JSON.stringify(this.facts);
    if (this.verdict?.facts === written) return this.verdict.problem ?? null;
    if (this.told?.facts !== written) this.told = { facts: written, problem: this.judged(this.facts) };
    return this.told.problem;
  }

  // A hand that was recorded before the rules were read anew is the server's to judge.
  judged(facts) {
    const isOld = this.correcting && this.sheet.hands.find((hand) => hand.number === this.correcting)?.facts.first_reading;
    if (isOld) return null;
    const at = { ...this.situation, seats: this.system.seats };
    const problems = problemsOf(this.system.system, this.system.rules, this.legality, facts, at);
    return problems.length ? { code: problems[0].code, title: problems[0].sentence, problems } : null;
  }

  // A hand of this table that the rules refuse, and that waits for somebody: nothing is built on it.
  get refusedHand() {
    if (this.correcting || this.mending) return null;
    return this.pending.find((one) => one.operation === "hands" && one.problem?.status === 422) ?? null;
  }

  async save() {
    if (!this.isReady || this.problem || this.isSaving) return;
    if (this.refusedHand) return this.decide();
    if (this.correcting) return dialogs.correction(this);
    if (this.mending) return this.saveMended();
    const { facts } = this;
    const { number: hand } = this.situation;
    const payments = this.amounts();
    const written = JSON.stringify(facts);
    const seen = this.isOvertaken ? { seen: this.begun.seen } : {};
    if (this.isTwice(facts, written)) {
      const answer = await dialogs.twice(this, facts);
      if (answer === "one") return this.clear();
      if (!answer) return;
    }
    const rival = this.rivalOf(facts);
    if (rival) {
      const answer = await dialogs.tooSoon(this, rival, facts);
      if (answer === "theirs") return this.clear();
      if (!answer) return;
    }
    if (this.isTimeOver && !(await dialogs.late(this.state.clock))) return this.clear();
    this.saved = { written, at: Date.now() };
    store.keep(this.savedName, this.saved);
    await this.storing(() => this.write("hands", { facts, sure: true, ...seen }, { number: hand, payments }, this.draftName));
    this.clear();
    this.say(_("Hand %(number)s is entered.", { number: hand }), { undo: hand });
    this.goOn();
  }

  // While the device's memory is written, what is tapped waits.
  async storing(work) {
    this.isSaving = true;
    try {
      await work();
    } catch (error) {
      this.early = [];
      throw error;
    } finally {
      this.isSaving = false;
    }
  }

  // What was tapped meanwhile counts for what stands now.
  goOn() {
    if (this.isSaving || this.isHeld) return;
    for (const name of this.early.splice(0)) this.root.querySelector(`[data-focus="${CSS.escape(name)}"]`)?.click();
  }

  // The same as the last hand: saved here seconds ago, or come from elsewhere of late. What was begun before that is known by the server.
  isTwice(facts, written) {
    if (!facts.events.length || (this.isOvertaken && !this.pending.length)) return false;
    if (written === this.saved?.written) return Date.now() - this.saved.at < TWICE;
    const last = this.sheet.hands.at(-1);
    if (!last) return false;
    const at = last.recorded_at ? Date.parse(last.recorded_at) - this.offset : (last.entry?.madeAt ?? 0);
    return Date.now() - at < TWICE_ELSEWHERE && isSameHand(facts, last.facts);
  }

  // Another tablet's hand of a moment ago, where this one tells something else.
  rivalOf(facts) {
    const last = this.sheet.hands.at(-1);
    if (!last?.recorded_at || this.isOvertaken || this.pending.length || isSameHand(facts, last.facts)) return null;
    const own = this.saved ?? this.savedBefore;
    const isOurs = own && isSameHand(JSON.parse(own.written), last.facts);
    return !isOurs && Date.now() + this.offset - Date.parse(last.recorded_at) < TOO_SOON ? last : null;
  }

  // A refused hand, changed: it keeps its place before those that were entered after it.
  async saveMended() {
    const { facts, mending } = this;
    const { number: hand } = this.situation;
    const isHere = this.outbox.isStuck(mending);
    if (isHere) await this.storing(() => this.outbox.again(mending, this.state.version, { facts, sure: true }, { number: hand, payments: this.amounts() }));
    this.clear();
    this.say(isHere ? _("Hand %(number)s is entered.", { number: hand }) : _("This entry was decided in another window."), { kind: isHere ? "success" : "warning" });
    this.goOn();
  }

  // A hand ended by a chombo is replayed and does not count among those after the signal.
  get isTimeOver() {
    const { signal_at: signal, hands_after: most, paused_at: paused } = this.state.clock ?? {};
    if (!signal || paused || Date.now() + this.offset <= Date.parse(signal)) return false;
    const after = this.sheet.hands.filter((hand) => !hand.recorded_at || Date.parse(hand.recorded_at) > Date.parse(signal));
    return after.filter((hand) => !hand.facts.events.some((event) => event.type === "chombo")).length >= most;
  }

  clear() {
    const { parked } = this;
    this.parked = null;
    this.draft = entry.start();
    this.begun = null;
    this.correcting = null;
    this.mending = null;
    this.verdict = null;
    this.bury();
    store.forget(this.draftName);
    if (parked) this.bringBack(parked);
    this.draw();
  }

  // What was being entered is cleared, and can be brought back until something else is entered.
  wipe() {
    if (this.isSaving) return;
    const { draft, begun } = this;
    this.clear();
    this.say(_("The entry is cleared."), { back: { draft, begun } });
  }

  bringBack({ draft, begun }) {
    Object.assign(this, { draft, begun, message: null, verdict: null });
    this.keepDraft();
    this.draw();
    this.check();
  }

  write(operation, body, shown = {}, draft = "") {
    const seen = this.seen;
    return this.outbox.add({ session: this.session, table: this.table, operation, body: { seen, ...body }, shown, draft });
  }

  // What was said to be done a moment ago is not: a person decides now.
  refused() {
    if (this.message?.kind === "success") this.message = null;
    this.decide();
  }

  async undo() {
    const last = this.sheet.hands.at(-1);
    if (!last || this.isSaving) return;
    const isLate = last.recorded_at && Date.now() + this.offset - Date.parse(last.recorded_at) > this.state.grace * 1000;
    const answer = await dialogs.undo(this, last, Boolean(isLate));
    if (!answer) return;
    const { isChanged, ...said } = answer;
    await this.storing(async () => {
      // Sent while the question stood there, it is taken back on the server.
      const isDropped = !last.isSent && (await this.outbox.drop(last.entry, this.state.version, "undone", { isUntried: true }));
      if (!isDropped) await this.write("undo", { number: last.number, ...said });
    });
    // The hand before it was there when it was entered, and is no news from another tablet.
    const before = this.sheet.hands.at(-1);
    this.saved = before ? { written: JSON.stringify(before.facts), at: 0 } : null;
    const isTaken = Boolean(isChanged) && !this.begun;
    if (isTaken) this.takeUp(last);
    this.say(isTaken ? _("Hand %(number)s is taken back: change it and save it anew.", { number: last.number }) : _("Hand %(number)s is taken back.", { number: last.number }));
    this.goOn();
  }

  // What was taken back to be changed stands in the entry as it was saved: a slip is mended without typing the rest again.
  takeUp(hand) {
    this.draft = entry.load(hand.facts, this.system);
    this.begin();
    this.verdict = null;
    this.keepDraft();
    this.check();
  }

  async call() {
    const called = !this.state.called;
    try {
      await this.authorized();
      await this.server.post(`${this.path}call/`, { called });
      this.state.called = called;
      this.state.answered = false;
      this.reached();
      this.say(called ? _("The referee has been called.") : _("The call is over."));
    } catch (error) {
      this.failed(error);
      if (error instanceof Unreachable) this.say(_("No connection: call the referee aloud."), { kind: "warning" });
    }
    this.draw();
  }

  correct(hand) {
    this.correcting = hand.number;
    this.begun = null;
    this.mending = null;
    this.draft = entry.load(hand.facts, this.system);
    this.verdict = null;
    this.draw();
  }

  // A refused hand is changed where it stands in the queue; what was being entered behind it waits until that is done.
  mend(stuck) {
    if (this.begun) this.parked = { draft: this.draft, begun: this.begun };
    this.correcting = null;
    this.begun = null;
    this.mending = stuck;
    this.draft = entry.load(stuck.body.facts, this.system);
    this.verdict = null;
    this.keepDraft();
    this.draw();
    this.check();
  }

  // Something that this table sent was refused: a person decides.
  async decide() {
    const [stuck] = this.outbox.stuck.filter((one) => one.session === this.session && one.table === this.table);
    if (!stuck || this.dialog || this.mending || !this.state) return;
    this.dialog = true;
    let isDecided = false;
    try {
      isDecided = await dialogs.conflict(this, stuck);
    } finally {
      this.dialog = null;
    }
    // What was begun behind a hand that the rules refuse has the number that it has now.
    if (stuck.problem.status === 422 && this.begun && !this.mending) {
      this.begun = null;
      this.begin();
    }
    this.draw();
    if (isDecided) await this.decide();
  }

  say(text, { kind = "success", undo = null, back = null, dispute = null } = {}) {
    this.message = { text, kind, undo, back, dispute };
    announce(text);
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.message = null;
      this.draw();
    }, MESSAGE);
    this.draw();
  }

  pressed(event) {
    if (!this.state || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea")) return;
    if (event.key === "Enter" && !event.repeat && !event.target.closest("button, a, select, summary")) {
      event.preventDefault();
      document.querySelector(".button-save")?.click();
      return;
    }
    const winner = entry.current(this.draft)?.winners?.[this.draft.winner];
    if (/^[0-9]$/.test(event.key) && winner && entry.current(this.draft).from !== undefined) {
      if (this.system.value === "points") this.act((one) => entry.pressDigit(one, this.system, event.key));
      if (this.system.value === "fans") this.act((one) => entry.setFans(one, entry.nearestFans(one, this.system, Number(event.key))));
      event.preventDefault();
    }
    if (event.key === "Backspace" && winner && this.system.value === "points") this.act(entry.eraseDigit);
  }

  // Drawing

  tick() {
    const clock = this.root.querySelector(".clock");
    if (!clock || !this.state) return;
    const { text, look } = this.clock();
    if (clock.textContent !== text) clock.textContent = text;
    clock.className = `clock ${look}`;
    callOut(this, look);
  }

  clock() {
    const { ends_at: ends, paused_at: paused, warning_minutes: warning } = this.state.clock;
    if (!ends || this.state.session_state === "closed") return { text: "", look: "" };
    const now = paused ? Date.parse(paused) : Date.now() + this.offset;
    const left = (Date.parse(ends) - now) / 1000;
    if (left <= 0) return { text: `−${duration(-left)}`, look: "is-over" };
    return { text: duration(left), look: paused ? "is-paused" : left <= warning * 60 ? "is-warning" : "" };
  }

  // What lies beneath a finger is not replaced before it is lifted: the tap would be lost.
  hold() {
    clearTimeout(this.lifting);
    this.isHeld = true;
  }

  // A tap has arrived: nothing is beneath the finger any longer. One into the entry waits while the device's memory is written.
  heard(event) {
    this.isHeld = false;
    const name = this.isSaving ? event.target.closest?.(".scoring-seats [data-focus], .scoring-entry [data-focus]")?.dataset.focus : "";
    if (!name) return;
    event.stopPropagation();
    this.early.push(name);
  }

  letGo() {
    this.isHeld = false;
    if (this.isOwed) this.draw();
    this.goOn();
  }

  draw() {
    this.isOwed = Boolean(this.isHeld);
    if (this.isOwed) return;
    if (!this.state) {
      refill(this.root, this.waiting());
      return;
    }
    const sheet = this.sheet;
    const isPlaying = sheet.state === "open" && sheet.session_state === "open";
    const isFinal = sheet.mode === "final_result";
    const isEntering = Boolean(this.correcting || this.mending || (isPlaying && !isFinal && !sheet.next.is_over));
    const parts = [this.header(sheet, isEntering)];
    if (isEntering) parts.push(...this.seatsAndEntry(sheet));
    else if (isPlaying && isFinal) parts.push(finalEntry(this, sheet));
    else parts.push(confirmation(this, sheet));
    if (!isEntering) parts.push(h("div", { class: "closing-said" }, this.said(sheet)));
    parts.push(this.actions(sheet, isPlaying && !isFinal));
    this.root.className = isEntering ? "scoring-screen" : "scoring-screen is-closing";
    refill(this.root, ...parts);
    const chip = this.root.querySelector(".event.is-current") ?? [...this.root.querySelectorAll(".event")].at(-1);
    chip?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    this.tick();
    const prompt = this.isReady ? "" : promptOf(this.draft, this.system, this.names);
    if (prompt && prompt !== this.lastPrompt && isPlaying) announce(prompt);
    this.lastPrompt = prompt;
  }

  waiting() {
    const text = this.signedOff ?? (this.outbox.connection === "offline" ? _("No connection, and this tablet has not seen this table yet.") : _("Fetching the table …"));
    return h(
      "div",
      { class: "tablet-wait" },
      h("p", {}, text),
      button(_("Try again"), () => this.refresh(), { kind: "button-quiet" }),
      h("a", { class: "button button-quiet", href: this.home }, _("All tables")),
    );
  }

  /** The table, the hand that is being entered, the clock and the connection. */
  header(sheet, isEntering) {
    const { next } = sheet;
    const current = this.correcting || this.mending || this.isOvertaken ? this.situation : next;
    const marks = [
      this.system.handName && isEntering && !this.correcting ? _("hand %(number)s", { number: current.number }) : "",
      current.counters ? ngettext("%(count)s counter", "%(count)s counters", current.counters) : "",
      current.bets ? ngettext("%(count)s bet", "%(count)s bets", current.bets) : "",
    ].filter(Boolean);
    return h(
      "header",
      { class: "scoring-header" },
      h(
        "h1",
        { class: "scoring-title" },
        _("Table %(table)s", { table: shownNumber(this.table) }),
        h("small", {}, `${_("Session %(session)s", { session: this.session })} · ${sheet.tournament_name}`),
      ),
      isEntering
        ? h(
            "span",
            { class: "scoring-hand" },
            h(
              "span",
              { class: "scoring-hand-name" },
              this.system.keepsWinds || this.system.handName ? null : wind(current.round),
              h("span", {}, this.correcting ? _("Correcting hand %(number)s", { number: this.correcting }) : this.nameOf(current)),
            ),
            marks.length ? h("small", {}, marks.join(" · ")) : null,
          )
        : null,
      h("span", { class: "clock", role: "timer", "aria-label": _("Time left") }),
      this.connection(),
    );
  }

  // "Hand 5", or as the system's players say: "South 2".
  nameOf(at, number = at.number) {
    return this.system.handName?.(at, this.system.seats) ?? _("Hand %(number)s", { number });
  }

  connection() {
    const { unsent, asides } = this.outbox;
    const oldest = this.outbox.entries.length ? Math.max(0, Math.floor((Date.now() - this.outbox.entries[0].madeAt) / 60_000)) : 0;
    const queue = unsent ? _("In the queue: %(count)s", { count: unsent }) : "";
    const age = oldest ? ` (${ngettext("%(count)s min", "%(count)s min", oldest)})` : "";
    const look = { online: "saved", unknown: "queued", busy: "queued", offline: "offline" }[this.outbox.connection];
    const word = { online: _("Saved"), unknown: _("Connecting …"), busy: _("The server is busy"), offline: _("No connection") }[this.outbox.connection];
    const stuck = this.outbox.stuck.length ? _("Needs a decision") : "";
    const aside = asides.length ? _("Not sent: %(count)s", { count: asides.length }) : "";
    const unsaved = this.unsaved && !this.correcting ? _("Hand %(number)s not saved", { number: this.unsaved }) : "";
    const isCalm = this.outbox.connection === "online" && !unsent;
    const sent = unsent && this.outbox.connection === "online" ? queue + age : [isCalm && (aside || unsaved) ? "" : word, queue && queue.toLowerCase() + age].filter(Boolean).join(" · ");
    const text = stuck || [aside, sent, aside ? "" : unsaved].filter(Boolean).join(" · ");
    const kind = stuck || aside || oldest >= 20 ? "offline" : (unsent || unsaved) && look === "saved" ? "queued" : look;
    return h(
      "button",
      {
        type: "button",
        class: `connection connection-${kind}${text.length > LONG ? " is-long" : ""}`,
        onclick: () => (stuck ? this.decide() : dialogs.queue(this)),
        data: { focus: "connection", connection: this.outbox.connection, unsent: String(unsent), aside: String(asides.length) },
      },
      icon({ saved: "check", queued: "queue", offline: "offline" }[kind]),
      h("span", { role: "status" }, text),
    );
  }

  seatsAndEntry(sheet) {
    const amounts = this.amounts();
    const { act, draft, names, system } = this;
    const parts = [
      h(
        "div",
        { class: `scoring-seats seats-${this.seats.length}` },
        this.seats.map((seat) => (system.seats.includes(seat) ? this.seat(seat, sheet, amounts) : this.emptySeat(seat, sheet))),
      ),
      h(
        "div",
        { class: "scoring-entry" },
        ...entryArea({ draft, system, names, act, said: this.said(sheet), unpaid: this.unpaid(amounts), explain: this.explain(), tools: { winner: (winner) => this.tools(winner), weigh: (seat) => this.weigh(seat) } }).filter(Boolean),
        this.notices(),
      ),
    ];
    return this.upright?.matches ? parts.reverse() : parts;
  }

  // Other ways to say what a hand is worth.
  tools(winner) {
    const choice = (text, id, act) =>
      h("button", { type: "button", class: "choice", disabled: !winner, onclick: act, data: { focus: id } }, h("span", {}, text));
    return [
      this.system.hasFanTable ? choice(_("Fans …"), "fan-list", () => this.fans(winner)) : null,
      choice(_("Tiles …"), "tiles", () => this.tiles(winner)),
    ];
  }

  async fans(winner) {
    const event = entry.current(this.draft);
    const taken = await chooseFans(this, winner, event.from === null);
    if (taken) this.act((draft) => entry.setFanList(draft, taken.list, taken.fans));
  }

  async tiles(winner) {
    const event = entry.current(this.draft);
    const context = {
      seatWind: ownWind(this.system.system, this.situation, this.system.seats, winner.seat),
      roundWind: this.situation.round,
      isFirstWin: entry.winsOf(this.draft, winner.seat) < 2,
      hasRiichi: this.draft.riichi.includes(winner.seat),
    };
    const taken = await chooseTiles(this, winner, event, context);
    if (taken) this.act((draft) => entry.setTiles(draft, this.system, taken));
  }

  async weigh(seat) {
    const taken = await chooseWaiting(this, this.names.full[seat]);
    if (taken) this.act((draft) => entry.setEnd(draft, seat, taken.state, taken.base));
  }

  // A pig's fine goes to nobody; riichi bets lie on the table and are told there.
  unpaid(amounts) {
    if (!amounts || this.system.hasRiichi) return 0;
    return -Object.values(amounts).reduce((sum, points) => sum + points, 0);
  }

  // The clauses behind the amounts, as the server gives them.
  explain() {
    const lines = this.isReady && this.verdict?.facts === JSON.stringify(this.facts) ? this.verdict.answer?.lines : null;
    return lines?.length ? () => dialogs.explanation(this, lines) : null;
  }

  notices() {
    const lines = this.warnings.map((warning) => warning.sentence);
    if (store.isFleeting()) lines.unshift(_("This browser keeps nothing on the tablet: leave this page open until everything is sent."));
    if (this.signedOff) lines.unshift([this.signedOff, " ", this.wayIn()]);
    return lines.map((line) => h("p", { class: "tablet-notice" }, icon("alert"), h("span", {}, line)));
  }

  // Who is no longer known here comes back by a code, or by signing in; what is unsent waits for it.
  wayIn() {
    if (this.server.credential) return h("a", { href: this.home }, _("Admit this tablet"));
    return h("a", { href: `/accounts/login/?next=${encodeURIComponent(location.pathname)}` }, _("Sign in"));
  }

  seat(seat, sheet, amounts) {
    const situation = this.situation;
    const isDealer = seat === situation.dealer;
    const { look, role } = this.role(seat);
    const change = amounts ? amounts[seat] : null;
    const letter = ownWind(this.system.system, situation, this.system.seats, seat);
    const classes = ["seat-panel", look, change < 0 ? "is-losing" : change > 0 ? "is-gaining" : ""].filter(Boolean).join(" ");
    return h(
      "button",
      { type: "button", class: classes, onclick: () => this.tapSeat(seat), data: { focus: `seat-${seat}`, seat } },
      wind(letter, isDealer),
      h("span", { class: "seat-name" }, this.names.full[seat]),
      h("span", { class: "seat-total" }, number(sheet.points[seat] + (sheet.start_points || 0))),
      h("span", { class: change < 0 ? "seat-change is-negative" : "seat-change" }, change === null ? "" : signed(change)),
      h("span", { class: "seat-role" }, role),
      this.checked(seat, sheet),
    );
  }

  // The seat's word on the last hand: a dot that fills, in its corner where it moves nothing.
  checked(seat, sheet) {
    if (this.begun || this.correcting) return null;
    const last = sheet.hands.at(-1);
    const { said, recorded_at: at } = this.checks;
    if (!said || !last?.recorded_at || Date.parse(at) !== Date.parse(last.recorded_at)) return null;
    const look = said[seat] === undefined ? "" : said[seat] ? "is-right" : "is-wrong";
    const words = { "": _("no word on hand %(number)s yet", { number: last.number }), "is-right": _("hand %(number)s is right", { number: last.number }), "is-wrong": _("hand %(number)s is wrong", { number: last.number }) }[look];
    return h("span", { class: `seat-check ${look}`, title: words }, h("span", { class: "visually-hidden" }, words));
  }

  // Whoever has left keeps the points of the hands that were played, and has no part in this one.
  emptySeat(seat, sheet) {
    return h(
      "div",
      { class: "seat-panel is-out", data: { seat } },
      wind(seat),
      h("span", { class: "seat-name" }, this.names.full[seat]),
      h("span", { class: "seat-total" }, number(sheet.points[seat] + (sheet.start_points || 0))),
      h("span", { class: "seat-change" }),
      h("span", { class: "seat-role" }, _("Has left")),
    );
  }

  // The seat's part in the event that is being entered, or what it has done before in this hand.
  role(seat) {
    const event = entry.current(this.draft);
    if (event?.type === "win") {
      if (event.winners.some((winner) => winner.seat === seat)) return { look: "is-winner", role: _("Wins") };
      if (event.from === seat) return { look: "is-payer", role: _("Discarded") };
    } else if (event && event.seat === seat) return { look: "is-winner", role: "" };
    else if (event?.from === seat) return { look: "is-payer", role: _("Discarded") };
    const order = this.draft.events.filter((one) => one.type === "win").findIndex((one) => one.winners.some((winner) => winner.seat === seat));
    if (order >= 0) return { look: "is-out", role: this.system.isSequence ? _("Won: %(order)s", { order: order + 1 }) : _("Wins") };
    if (this.draft.events.some((one) => one.type === "dead_hand" && one.seat === seat)) return { look: "is-dead", role: _("Dead hand") };
    return { look: "", role: "" };
  }

  // A finger that bounces has tapped once: its second tap would take back what its first one said.
  tapSeat(seat) {
    const now = Date.now();
    const isBounce = this.tapped?.seat === seat && this.tapped.draft === this.draft && now - this.tapped.at < BOUNCE;
    if (isBounce) return;
    this.act((draft) => entry.tapSeat(draft, this.system, seat));
    this.tapped = { seat, at: now, draft: this.draft };
  }

  // The same for the bar and for the message that offers it: once the table has ended its game, nothing is taken back.
  mayUndo(sheet) {
    if (!sheet.hands.length || this.correcting || this.mending) return false;
    // The hands of who has left stand; only a referee corrects or voids one of them.
    if (sheet.seats.some((seat) => sheet.hands.length <= seat.left_after)) return false;
    return sheet.state === "open" && sheet.session_state === "open" && sheet.mode !== "final_result";
  }

  actions(sheet, isPlaying) {
    const called = sheet.called;
    return h(
      "footer",
      { class: "scoring-actions" },
      this.correcting || this.mending
        ? button(h("span", { class: "for-wide" }, _("Leave it as it was")), () => this.clear(), { kind: "button-quiet", id: "cancel", label: _("Leave it as it was") }, icon("close"))
        : this.begun
          ? button(h("span", { class: "for-wide" }, _("Clear all")), () => this.wipe(), { kind: "button-quiet", id: "clear-entry", label: _("Clear all of this entry") }, icon("close"))
          : button(h("span", { class: "for-wide" }, _("Undo")), () => this.undo(), {
            kind: "button-quiet",
            id: "undo",
            disabled: !this.mayUndo(sheet),
            label: _("Undo the last hand"),
          }, icon("undo")),
      button(h("span", { class: "for-wide" }, sheet.answered ? _("On the way") : called ? _("Called") : _("Referee")), () => this.call(), {
        kind: called ? "button-quiet is-called" : "button-quiet",
        id: "call",
        label: sheet.answered
          ? _("The referee is on the way; press to end the call")
          : called
            ? _("The referee is called; press to end the call")
            : _("Referee: call to the table"),
        "aria-pressed": String(called),
      }, icon("bell")),
      button("", () => dialogs.more(this, sheet), { kind: "button-quiet", id: "more", label: _("More") }, icon("more")),
      this.saveButton((isPlaying && !sheet.next.is_over) || this.mending),
    );
  }

  saveButton(isPlaying) {
    if (!isPlaying && !this.correcting) return null;
    const text = this.correcting ? _("See what changes") : this.system.handName ? _("Save %(hand)s", { hand: this.nameOf(this.situation).replaceAll(" ", "\u00a0") }) : _("Save hand %(number)s", { number: this.situation.number });
    return button(text, () => this.save(), { kind: "button-save", id: "save", disabled: !this.isReady || Boolean(this.problem) });
  }

  // What stands in place of the prompt: why the hand cannot be, or what was just done.
  said(sheet) {
    const problem = this.problem;
    if (problem) {
      const sentences = problem.problems?.length ? problem.problems : [{ sentence: problem.title }];
      return h(
        "div",
        { class: "scoring-message notice notice-danger", role: "alert" },
        icon("alert"),
        h("p", {}, sentences.map((one) => [one.sentence, one.clause ? h("small", {}, ` [${one.clause}]`) : null, " "])),
        button(offersOf(sentences).length ? _("Nearest possible") : _("In full"), () => this.readRefusal(sentences), { kind: "button-plain", id: "refusal" }),
      );
    }
    if (this.message) return this.shown(sheet, this.message);
    if (!this.isOvertaken) return this.openDispute() ?? this.readyNewer(sheet);
    const words = _("Hand %(number)s was entered on another tablet or in another window meanwhile. Save yours: if both are the same, it is one hand.", { number: this.begun.number });
    return h("div", { class: "scoring-message notice notice-warning" }, icon("alert"), h("p", {}, words));
  }

  // A hand that a player finds wrong, as long as nothing is being entered: the scorer is never held up by it.
  openDispute() {
    const [dispute] = this.checks.disputes ?? [];
    if (!dispute || this.begun || this.correcting) return null;
    return this.shown(this.sheet, { text: this.disputeWords(dispute), kind: "warning", dispute });
  }

  readyNewer(sheet) {
    if (!this.newer || this.begun || this.correcting || this.mending) return null;
    return this.shown(sheet, { text: _("A new version of this screen is ready."), kind: "warning", newer: this.newer });
  }

  // The refusal in full, with what could stand in the place of the refused value; one press takes it.
  async readRefusal(sentences) {
    const taken = await dialogs.refusal(sentences, offersOf(sentences));
    if (taken) this.act((draft) => entry.takeOffer(draft, taken.field, taken.facts));
  }

  shown(sheet, { text, kind, undo, back, dispute, newer }) {
    const look = { success: "notice-good", warning: "notice-warning", error: "notice-danger" }[kind];
    return h(
      "div",
      { class: `scoring-message notice ${look}` },
      icon(kind === "success" ? "check" : "alert"),
      h("p", {}, text),
      undo && undo === sheet.hands.at(-1)?.number && this.mayUndo(sheet) ? button(_("Undo"), () => this.undo(), { kind: "button-plain" }) : null,
      dispute ? button(_("Look"), () => dialogs.dispute(this, dispute), { kind: "button-plain", id: "dispute" }) : null,
      newer ? button(_("Reload"), newer, { kind: "button-plain", id: "reload" }) : null,
      back ? button(_("Bring it back"), () => this.bringBack(back), { kind: "button-plain", id: "bring-back" }) : null,
    );
  }

  lastSaid(hand) {
    return hand.recorded_at ? timeOfDay(hand.recorded_at) : _("not sent yet");
  }
}

function offersOf(problems) {
  return problems.flatMap((one) => (one.offers ?? []).map((offer) => ({ ...offer, field: one.field })));
}
