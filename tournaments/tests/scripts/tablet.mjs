// A table's screen on a tablet without a browser, and a finger that taps what carries a name.

import assert from "node:assert/strict";

import { Device, seatsOf, settled } from "./device.mjs";
import { Network } from "./network.mjs";
import { furnish } from "./page.mjs";

export function stateOf(system = "MCR", more = {}) {
  return {
    session: 1, table: 1, version: 0, tournament_name: "Cup", system, rules: {}, mode: "hands", state: "open", session_state: "open",
    seats: seatsOf(), hands: [], next: { number: 1, dealer: "E", round: "E", counters: 0, bets: 0, is_over: false },
    points_unit: 1, start_points: 0, hands_limit: null, grace: 120, called: false, answered: false, final: null,
    clock: { ends_at: null, paused_at: null, warning_minutes: 10, signal_at: null, hands_after: 0 },
    ...more,
  };
}

export class Tablet {
  static async open({ state = stateOf(), network = new Network(), device = new Device({ network }), may = [], credential = "device", session = undefined } = {}) {
    const tablet = new Tablet();
    Object.assign(tablet, { device, network, state });
    network.state = (at) => tablet.told(at);
    const pathed = `session-${state.session}/table-${state.table}/`;
    const { other } = network;
    network.other = (path, body) => other?.(path, body) ?? tablet.answer(path, pathed);
    tablet.page = device.open({ session });
    tablet.root = furnish(tablet.page.document);
    Object.assign(tablet.page.context, { location: { pathname: "/cup/tablet/", protocol: "https:", hostname: "cup.example", assign: (to) => (tablet.gone = to) }, CSS: { escape: (text) => text } });
    const { Outbox } = await tablet.page.load("tablet/outbox.js");
    const { Server } = await tablet.page.load("tablet/server.js");
    const { TableScreen } = await tablet.page.load("tablet/table.js");
    tablet.server = new Server("/cup/api/", credential);
    tablet.outbox = new Outbox("cup", tablet.server);
    await tablet.outbox.start();
    tablet.screen = new TableScreen({ root: tablet.root, server: tablet.server, outbox: tablet.outbox, slug: "cup", session: state.session, table: state.table, home: "/cup/tablet/", me: { may } });
    await tablet.screen.open();
    await settled();
    return tablet;
  }

  // How the table stands on the server.
  told({ version, done }) {
    const sent = done.filter((one) => one.operation === "hands");
    for (const one of sent) if (!this.times.has(one)) this.times.set(one, new Date(this.device.clock.now).toISOString());
    const hands = [...this.state.hands, ...sent.map((one, place) => ({ number: this.state.hands.length + place + 1, facts: one.facts, recorded_at: this.times.get(one) }))];
    return { ...this.state, version, hands, next: { ...this.state.next, number: hands.length + 1 } };
  }

  times = new Map();

  answer(path, pathed) {
    if (path === pathed) return this.network.state(this.network.at(this.state.session, this.state.table));
    if (path === "beat/") return { time: new Date(this.device.clock.now).toISOString(), version: this.network.at(this.state.session, this.state.table).version, called: this.state.called, answered: this.state.answered, ...this.news };
    return {};
  }

  find(name) {
    const found = this.page.document.querySelector(`[data-focus="${name}"]`);
    assert.ok(found, `nothing here is called ${name}`);
    return found;
  }

  has(name) {
    return this.page.document.querySelector(`[data-focus="${name}"]`) !== null;
  }

  async tap(...names) {
    for (const name of names) {
      this.find(name).click();
      await settled();
    }
  }

  async type(id, text) {
    this.page.document.querySelectorAll("input, textarea, select").find((one) => one.id === id).type_(text);
    await settled();
  }

  // Press a button of the open dialog.
  async press(text) {
    const [button] = (this.dialog?.querySelectorAll("button") ?? []).filter((one) => one.textContent === text);
    assert.ok(button, `no ${text} in ${this.dialog?.textContent}`);
    button.click();
    await settled();
  }

  get dialog() {
    return this.page.document.querySelectorAll("dialog[open]").at(-1);
  }

  text(selector) {
    return this.page.document.querySelector(selector)?.textContent ?? "";
  }

  get amounts() {
    return Object.fromEntries(this.page.document.querySelectorAll(".seat-panel").map((panel) => [panel.dataset.seat, whole(panel.querySelector(".seat-change").textContent)]));
  }

  get totals() {
    return Object.fromEntries(this.page.document.querySelectorAll(".seat-panel").map((panel) => [panel.dataset.seat, whole(panel.querySelector(".seat-total").textContent)]));
  }

  get message() {
    return this.text(".scoring-message");
  }

  get done() {
    return this.network.at(this.state.session, this.state.table).done;
  }
}

function whole(text) {
  return Number(text.replace("\u2212", "-").replace("\u202f", "").replace("+", ""));
}
