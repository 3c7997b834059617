// Words and numbers as people read them. The catalogue of the page's language is loaded before any module.

export const MINUS = "\u2212";
const THIN_SPACE = "\u202f";

// Before an own wording of a system stands its code; the catalogue holds those that differ (config/messages.py).
const CONTEXT = "\u0004";

function ownKey(text) {
  const system = globalThis.document?.querySelector("[data-system]")?.dataset.system;
  return system ? system + CONTEXT + text : "";
}

function filled(text, details) {
  return text.replace(/%\((\w+)\)s/g, (whole, name) => (name in details ? String(details[name]) : whole));
}

function said(text) {
  if (!globalThis.gettext) return text;
  const key = ownKey(text);
  const own = key && globalThis.gettext(key);
  return own && own !== key ? own : globalThis.gettext(text);
}

export function _(text, details = {}) {
  return filled(said(text), details);
}

export function ngettext(one, many, count, details = {}) {
  const key = ownKey(one);
  const known = key && globalThis.django?.catalog?.[key] ? key : one;
  const found = globalThis.ngettext ? globalThis.ngettext(known, many, count) : count === 1 ? one : many;
  return filled(found, { count: number(count), ...details });
}

export function number(value) {
  const digits = String(Math.abs(value));
  const parted = digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : digits;
  return (value < 0 ? MINUS : "") + parted;
}

export function signed(value) {
  return (value > 0 ? "+" : "") + number(value);
}

// A place or its points as the server sends them: whole, or a fraction such as 7/2 where a place is shared.
export function share(value) {
  const [part, whole] = String(value ?? "").split("/").map(Number);
  return whole ? (part / whole).toLocaleString(globalThis.document?.documentElement.lang ?? "en", { maximumFractionDigits: 2 }) : value;
}

export function windName(wind) {
  return { E: _("East"), S: _("South"), W: _("West"), N: _("North") }[wind];
}

export function windLetter(wind) {
  return { E: _("E"), S: _("S"), W: _("W"), N: _("N") }[wind];
}

export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, place) => (place ? String(part).padStart(2, "0") : String(part))).join(":");
}

export function timeOfDay(instant) {
  return new Date(instant).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
