// How the screen looks, chosen on the tablet itself: light, dark or for the sun, and in which language.

import { h, icon } from "./dom.js";
import { _ } from "./words.js";

const YEAR = 31_536_000;
const PATIENCE = 5000;
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

// The words of the other language come from the server; what is entered is kept on the device. The page is left only once
// the server answers in that language: a browser may write the cookie later than it asks for the page anew.
async function chooseLanguage(language, say) {
  remember("django_language", language);
  const isThere = await speaks(language) || await speaks(language);
  if (isThere) location.reload();
  else say(_("The other language comes from the server: press again when there is a connection."));
}

async function speaks(language) {
  try {
    const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    return answer.ok && answer.headers.get("Content-Language") === language;
  } catch {
    return false;
  }
}

export function looks() {
  const themes = THEMES().map(([theme, text, sign]) =>
    h("button", { type: "button", class: "button button-quiet", "aria-pressed": String(theme === chosenTheme()), onclick: () => pressed(theme), data: { theme } }, icon(sign), text),
  );
  const pressed = (theme) => {
    chooseTheme(theme);
    for (const one of themes) one.setAttribute("aria-pressed", String(one.dataset.theme === theme));
  };
  const said = h("p", { class: "soft looks-said", role: "status" });
  const say = (text) => {
    said.textContent = text;
  };
  const languages = LANGUAGES.filter(([code]) => code !== document.documentElement.lang).map(([code, name]) =>
    h("button", { type: "button", class: "button button-quiet", lang: code, onclick: () => chooseLanguage(code, say), data: { language: code } }, name),
  );
  return h("div", { class: "looks", role: "group", "aria-label": _("Theme and language") }, themes, languages, said);
}
