// Two tablets at one table, each with a network of its own that fails, and two people who enter what they saw played.

import assert from "node:assert/strict";

import { Clock, Device, settled } from "./device.mjs";
import { Network } from "./network.mjs";
import { Tablet } from "./tablet.mjs";

const FAULTS = ["request lost", "answer lost", "half an answer", "portal", "gateway's page", "answered by a gateway's page", "request never answered", "answer never comes"];
const HANDS = 6;
// A hand is known by its value: ten and its number, or thirty and its number if it was misheard.
const MISHEARD = 20;
const LONG = 12_000;
const MOST_ROUNDS = 20;

export function chance(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function anyOf(list, random) {
  return list[Math.floor(random() * list.length)];
}

function hand(facts) {
  return facts.events[0].winners[0].fans % 10;
}

class Person {
  constructor(tablet, random) {
    Object.assign(this, { random, saved: new Set(), isOut: false, isOpening: false });
    this.sit(tablet);
  }

  // Whatever goes into the queue from here counts as saved to this person.
  sit(tablet) {
    const { outbox } = tablet;
    const add = outbox.add.bind(outbox);
    outbox.add = async (entry) => {
      const queued = await add(entry);
      this.saved.add(hand(entry.body.facts));
      return queued;
    };
    this.tablet = tablet;
  }

  get knows() {
    return this.tablet.screen.sheet.hands.map((one) => hand(one.facts));
  }

  // Enter a hand, unless the screen shows that it is there; the last one may be entered over what is shown.
  async enter(number) {
    await this.answer();
    if (!this.tablet.screen.state) return;
    const { knows, tablet } = this;
    this.entering = number;
    if (knows.slice(0, -1).includes(number) || this.saved.has(number)) return;
    const value = String(10 + number + (this.random() < 0.15 ? MISHEARD : 0));
    await tablet.tap("seat-E");
    if (tablet.dialog) return this.answer();
    await tablet.tap("seat-S", ...[...value].map((digit) => `digit-${digit}`));
    if (this.random() < 0.2) await tablet.device.clock.run(Math.floor(this.random() * 4_000));
    await this.answer();
    if (!tablet.screen.begun) return;
    await tablet.tap("save");
    await this.answer();
    if (tablet.screen.begun) await tablet.tap("clear-entry");
  }

  // What a sensible person presses, who knows which hands were played.
  async answer() {
    for (let asked = 0; this.tablet.dialog; asked += 1) {
      assert.ok(asked < 20, `no way out of ${this.tablet.dialog.textContent}`);
      await this.press(this.tablet.dialog);
    }
  }

  async press(dialog) {
    const offered = dialog.querySelectorAll("button").map((one) => one.textContent);
    const has = (text) => offered.includes(text);
    if (has("It is one hand")) return this.tablet.press("It is one hand");
    if (has("Drop it") && has("The other version is right")) {
      await this.tablet.press("The other version is right");
      return this.tablet.press("Drop it");
    }
    if (has("It is the next hand: record it")) return this.tablet.press(this.knows.includes(this.entering) ? "It is one hand, and theirs is right" : "It is the next hand: record it");
    const [stuck] = this.tablet.outbox.stuck;
    const there = stuck && this.tablet.screen.state.hands.find((one) => hand(one.facts) === hand(stuck.body.facts));
    const isThere = Boolean(there);
    const theirs = there && [`It is hand ${there.number}, and theirs is right`, "It is one hand, and theirs is right"].find(has);
    if (theirs) {
      const before = this.tablet.outbox.entries.length;
      await this.tablet.press(theirs);
      if (this.tablet.dialog) await this.press(this.tablet.dialog);
      if (this.tablet.outbox.entries.length === before && this.tablet.dialog) await this.tablet.press("Decide later");
      return undefined;
    }
    if (!isThere && has("It is another hand: record mine after it")) return this.tablet.press("It is another hand: record mine after it");
    return this.tablet.press(["Decide later", "Go back", "Close"].find(has));
  }
}

// Play one table; what must hold is asserted on the way and at the end.
export async function pair(seed) {
  const random = chance(seed);
  const network = new Network();
  network.tellsSince = true;
  const clock = new Clock();
  const people = [];
  let isBad = true;
  network.fault = (request) => {
    const person = people.find(({ tablet }) => tablet.device === request.window.device);
    if (!isBad || !(person?.isOut || random() < 0.1)) return "pass";
    return person?.isOpening === false ? anyOf(FAULTS, random) : "request lost";
  };
  for (const hasLocks of [true, random() < 0.7]) {
    const device = new Device({ network, clock, hasLocks, random });
    people.push(new Person(await Tablet.open({ network, device }), random));
  }
  const there = () => network.at(1, 1).done.map((one) => hand(one.facts));
  const check = () => {
    for (const { tablet, saved } of people) {
      if (tablet.text(".connection") !== "Saved") continue;
      for (const number of saved) assert.ok(there().includes(number), `pair ${seed}: hand ${number} is called saved`);
    }
    assert.deepEqual(there(), [...new Set(there())], `pair ${seed}: a hand is there twice`);
  };
  for (let number = 1; number <= HANDS; number += 1) {
    const who = anyOf([[0], [1], [0, 1], [1, 0], [0, 1]], random);
    for (const one of who) {
      await people[one].enter(number);
      await clock.run(Math.floor(random() * 5_000));
      check();
    }
    for (const person of people) {
      if (random() < 0.3) person.isOut = !person.isOut;
      if (random() < 0.1) await reopened(person, network);
    }
    await clock.run(Math.floor(random() * 9_000));
    check();
  }
  isBad = false;
  const isOpen = () => people.some(({ tablet }) => tablet.dialog || tablet.outbox.unsent || tablet.text(".connection") !== "Saved");
  for (let round = 0; round < 2 || (round < MOST_ROUNDS && isOpen()); round += 1) {
    for (const person of people) await person.answer();
    await clock.run(LONG);
    for (const person of people) if (!person.tablet.dialog) person.tablet.screen.decide();
    await settled();
    check();
  }
  const entered = [...new Set(people.flatMap(({ saved }) => [...saved]))].sort();
  assert.deepEqual(there().sort(), entered, `pair ${seed}: a hand is lost`);
  for (const { tablet } of people) {
    assert.equal(tablet.outbox.unsent, 0, `pair ${seed}: something is unsent`);
    assert.equal(tablet.text(".connection"), "Saved");
    assert.deepEqual(tablet.page.errors, []);
    tablet.page.close();
  }
}

async function reopened(person, network) {
  const { device, page } = person.tablet;
  page.close();
  person.isOpening = true;
  person.sit(await Tablet.open({ network, device }));
  person.isOpening = false;
}
