// A published seating: tap two players, and they stand in the form; the reason is still to be typed.

const box = document.querySelector("[data-change]");
const fields = ["first", "second"].map((name) => box?.querySelector(`[name=${name}]`));

function mark() {
  const chosen = fields.map((field) => field.value);
  for (const seat of box.querySelectorAll("[data-choose]")) {
    seat.setAttribute("aria-pressed", String(chosen.includes(seat.dataset.choose)));
  }
}

function choose(number) {
  const held = fields.find((field) => field.value === number);
  if (held) held.value = "";
  else (fields.find((field) => !field.value) ?? fields[1]).value = number;
  mark();
  if (fields.every((field) => field.value)) box.querySelector("[name=reason]").focus();
}

if (box) {
  box.addEventListener("click", (event) => {
    const seat = event.target instanceof Element ? event.target.closest("[data-choose]") : null;
    if (seat) choose(seat.dataset.choose);
  });
  box.addEventListener("change", mark);
  mark();
}
