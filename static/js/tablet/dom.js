// Small helpers that build the page; nothing here is ever parsed from text.

import { ngettext, windLetter, windName, _ } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
let pictures = { icons: "", tiles: "" };

export function usePictures(found) {
  pictures = found;
}

export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(element, name, value);
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "class") element.className = value;
  else if (name === "data") Object.assign(element.dataset, value);
  else if (name in element && !name.includes("-") && typeof value !== "object") element[name] = value;
  else element.setAttribute(name, value === true ? "" : value);
}

function drawn(address, attributes, label) {
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  if (label) {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", label);
  } else picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", address);
  picture.append(use);
  return picture;
}

export function icon(name) {
  return drawn(`${pictures.icons}#icon-${name}`, { class: "icon", viewBox: "0 0 24 24" });
}

// A code that a camera reads; light stays light in the dark theme.
export function qrPicture(modules, path, label) {
  const size = modules.length + 8;
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, class: "qr-picture" })) picture.setAttribute(name, value);
  const drawing = document.createElementNS(SVG, "path");
  drawing.setAttribute("d", path);
  picture.append(drawing);
  return picture;
}

export function tile(code, size = "") {
  return drawn(`${pictures.tiles}#tile-${code}`, { class: `tile ${size}`, viewBox: "0 0 48 64" }, tileName(code));
}

export function tileName(code) {
  const honors = {
    E: _("East wind"),
    S: _("South wind"),
    W: _("West wind"),
    N: _("North wind"),
    R: _("Red dragon"),
    G: _("Green dragon"),
    Wh: _("White dragon"),
    J: _("Joker"),
  };
  if (honors[code]) return honors[code];
  const rank = Number(code.slice(1));
  if (code[0] === "m") return ngettext("%(count)s of characters", "%(count)s of characters", rank);
  if (code[0] === "p") return ngettext("%(count)s of dots", "%(count)s of dots", rank);
  return ngettext("%(count)s of bamboos", "%(count)s of bamboos", rank);
}

export function wind(letter, isDealer = false) {
  const name = windName(letter) + (isDealer ? `, ${_("dealer")}` : "");
  return h(
    "span",
    { class: isDealer ? "wind is-dealer" : "wind", title: name },
    h("span", { "aria-hidden": "true" }, windLetter(letter)),
    h("span", { class: "visually-hidden" }, name),
  );
}

export function button(text, act, { kind = "", id = "", disabled = false, label = "", ...more } = {}, ...children) {
  const properties = { type: "button", class: `button ${kind}`.trim(), onclick: act, disabled, ...more };
  if (id) properties.data = { focus: id };
  if (label) properties["aria-label"] = label;
  return h("button", properties, ...children, text);
}

// Puts new children in place of the old and the keyboard's focus back where it was.
export function refill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.focus : "";
  parent.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  if (focused) parent.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

export function announce(text) {
  const said = document.querySelector("[data-said]");
  if (said && said.textContent !== text) said.textContent = text;
}

// A dialog that answers with the value of the button pressed, or null when it was closed. What is `said` stays in sight above the buttons.
export function ask(title, content, choices, { wide = false, kind = "", said = null } = {}) {
  return new Promise((resolve) => {
    const heading = h("h2", { id: "dialog-title" }, title);
    const close = (value) => {
      box.close();
      box.remove();
      resolve(value);
    };
    const buttons = choices.map((choice) =>
      button(choice.text, () => {
        const value = choice.take ? choice.take() : choice.value;
        if (value !== undefined) close(value);
      }, { kind: choice.kind ?? "button-quiet", disabled: choice.disabled ?? false }),
    );
    const box = h(
      "dialog",
      { class: `${wide ? "tablet-dialog is-wide" : "tablet-dialog"} ${kind}`.trim(), "aria-labelledby": "dialog-title" },
      heading,
      content,
      h("div", { class: "actions" }, said, ...buttons),
    );
    box.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(null);
    });
    document.body.append(box);
    box.showModal();
    // The first button has the focus, and is not scrolled to: what is to be read comes first.
    box.scrollTop = 0;
    box.dismiss = close;
  });
}
