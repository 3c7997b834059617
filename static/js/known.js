// Registering again: a device that has opened one's private page of an earlier event can fill in the form from it.
// Nothing is asked of the server before a name is pressed, and nothing is sent before the form is.

const box = document.querySelector("[data-known]");
const PLACE = "four-winds/me/";
const PRIVATE = /^\/[-\w]+\/me\/[-\w:.]+\/$/;
const SAME = ["name", "country", "region", "city", "club", "email", "phone"];
const MOST = 6;

/** What the last press put into the fields, by their names: it goes again where another name is pressed. */
const filled = new Map();

/** Return the path of a private page of this site, nothing for whatever else stands there. */
function privatePath(url) {
  const { origin, pathname } = new URL(String(url), window.location.href);
  return origin === window.location.origin && PRIVATE.test(pathname) ? pathname : "";
}

/** Return the private pages that this device knows, by the name of the person. */
function known() {
  const found = new Map();
  try {
    for (const place of Object.keys(localStorage).filter((one) => one.startsWith(PLACE))) {
      const me = JSON.parse(localStorage.getItem(place));
      const path = privatePath(me?.url);
      if (path && typeof me.name === "string") found.set(me.name, [...(found.get(me.name) ?? []), path]);
    }
  } catch {
    // A device that keeps nothing knows nobody.
  }
  return [...found].slice(0, MOST);
}

/** Read what was said last about a person, at those of the pages that still answer. */
async function read(paths) {
  const found = [];
  for (const path of paths) {
    const answer = await fetch(`${path}data.json`, { headers: { accept: "application/json" } });
    if (!answer.ok) continue;
    const { player, registration } = await answer.json();
    if (player?.name) found.push([registration?.created_at ?? "", player]);
  }
  return found.sort(([one], [other]) => one.localeCompare(other)).at(-1)?.[1] ?? null;
}

/** Fill in a field; one of which nothing is known is left as it is typed, and not as it was filled in for somebody else. */
function put(name, value) {
  const field = document.querySelector(`main form [name="${name}"]`);
  if (!field || (!value && field.value !== filled.get(name))) return;
  field.value = value || "";
  filled.set(name, field.value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function say(which) {
  const line = box.querySelector("[data-known-said]");
  line.textContent = line.dataset[which];
  line.hidden = false;
}

async function fill(paths) {
  try {
    const player = await read(paths);
    if (!player) return say("failed");
    for (const name of SAME) put(name, player[name]);
    put("ema_number", player.federation_ids?.EMA);
    document.querySelector("main form [name=name]").focus();
    return say("done");
  } catch {
    return say("failed");
  }
}

if (box) {
  for (const [name, paths] of known()) {
    const button = box.querySelector("template").content.firstElementChild.cloneNode(true);
    button.querySelector("span").textContent = name;
    button.addEventListener("click", () => fill(paths));
    box.querySelector("[data-known-names]").append(button);
    box.hidden = false;
  }
}
