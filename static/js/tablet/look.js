// How the screen looks, chosen on the tablet itself: light, dark or for the sun, and in which language.

import { h, icon } from "./dom.js";
import { _ } from "./words.js";

const YEAR = 31_536_000;
const THEMES = () => [
  ["auto", _("As the device"), "theme"],
  ["light", _("Light"), "sun"],
  ["dark", _("Dark"), "moon"],
  ["sun", _("In the sun: black on white"), "sun"],
];
const LANGUAGES = [["en", "English"], ["ru", "Русский"]];

function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

function chosenTheme() {
  return document.documentElement.dataset.theme ?? "auto";
}

function chooseTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  remember("theme", theme);
}

// The words of the other language come from the server; what is entered is kept on the device.
function chooseLanguage(language) {
  remember("django_language", language);
  location.reload();
}

export function looks() {
  const themes = THEMES().map(([theme, text, sign]) =>
    h("button", { type: "button", class: "button button-quiet", "aria-pressed": String(theme === chosenTheme()), onclick: () => pressed(theme), data: { theme } }, icon(sign), text),
  );
  const pressed = (theme) => {
    chooseTheme(theme);
    for (const one of themes) one.setAttribute("aria-pressed", String(one.dataset.theme === theme));
  };
  const languages = LANGUAGES.filter(([code]) => code !== document.documentElement.lang).map(([code, name]) =>
    h("button", { type: "button", class: "button button-quiet", lang: code, onclick: () => chooseLanguage(code), data: { language: code } }, name),
  );
  return h("div", { class: "looks", role: "group", "aria-label": _("Theme and language") }, themes, languages);
}
