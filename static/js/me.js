// "This is me": a choice kept on this device alone; own seat, own row and own page are then at hand.

const bar = document.querySelector("[data-own-bar]");
const slug = bar?.dataset.event ?? "";
const place = `four-winds/me/${slug}`;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null;
  }
}

function keep(me) {
  try {
    if (me) localStorage.setItem(place, JSON.stringify(me));
    else localStorage.removeItem(place);
  } catch {
    // A device that keeps nothing shows the page to everybody alike.
  }
  show();
  tellOthers();
}

function show() {
  const me = kept();
  const number = String(me?.number ?? "");
  for (const mark of document.querySelectorAll("[data-own-number]")) {
    mark.classList.toggle("is-me", number !== "" && mark.dataset.ownNumber === number);
  }
  for (const row of document.querySelectorAll(".standings [data-number]")) {
    row.classList.toggle("is-mine", number !== "" && row.dataset.number === number);
  }
  const button = document.querySelector("[data-own-choose]");
  button?.setAttribute("aria-pressed", String(button.dataset.number === number));
  if (!bar) return;
  bar.hidden = !me;
  document.documentElement.classList.toggle("has-own-bar", Boolean(me));
  if (!me) return;
  const link = bar.querySelector("[data-own-link]");
  link.textContent = me.name;
  link.href = me.url;
}

function tellOthers() {
  document.dispatchEvent(new CustomEvent("chosen"));
}

function choose(button) {
  const isChosen = button.getAttribute("aria-pressed") === "true";
  const { number, name, url } = button.dataset;
  keep(isChosen ? null : { number, name, url: url || `/${slug}/player-${number}/` });
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("[data-own-choose]") : null;
  if (button) choose(button);
  if (event.target instanceof Element && event.target.closest("[data-own-forget]")) keep(null);
});
document.addEventListener("refreshed", show);
const own = document.querySelector("[data-own-choose][data-url]:not([data-of-staff])");
if (own && !kept()) choose(own);
show();
