// A session of the timetable is dragged up or down: a minute a pixel, in steps of five; let go, and it is sent as the buttons send it.
// A finger takes it by its time: anywhere else it scrolls the page, and must not move the day on the way.

const STEP = 5;
const STARTS = 4;
let held = null;

function minutesOf(event) {
  return Math.round((event.clientY - held.from) / STEP) * STEP;
}

function written(minutes) {
  return minutes ? `${minutes > 0 ? "+" : "−"}${Math.abs(minutes)}` : "";
}

function begin(event) {
  const item = event.target.closest("[data-shifts]");
  if (!item || event.button > 0 || event.target.closest("button, a, input")) return;
  if (event.pointerType !== "mouse" && !event.target.closest("[data-grip]")) return;
  held = { item, from: event.clientY, minutes: 0 };
  item.setPointerCapture(event.pointerId);
}

function move(event) {
  if (!held) return;
  held.minutes = Math.abs(event.clientY - held.from) < STARTS ? 0 : minutesOf(event);
  held.item.classList.toggle("is-held", held.minutes !== 0);
  held.item.dataset.moved = written(held.minutes);
}

function letGo(event) {
  if (!held) return;
  const { item, minutes } = held;
  held = null;
  item.classList.remove("is-held");
  delete item.dataset.moved;
  if (event.type === "pointercancel" || !minutes) return;
  const form = item.querySelector("form");
  const sent = document.createElement("input");
  Object.assign(sent, { type: "hidden", name: "minutes", value: String(minutes) });
  form.prepend(sent);
  form.submit();
}

const lines = document.querySelectorAll(".time-line");
for (const line of lines) {
  line.addEventListener("pointerdown", begin);
  line.addEventListener("pointermove", move);
  line.addEventListener("pointerup", letGo);
  line.addEventListener("pointercancel", letGo);
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && held) {
    held.item.classList.remove("is-held");
    delete held.item.dataset.moved;
    held = null;
  }
});
