// Typing narrows a list at once; without script the whole list stands there.

import { answers } from "./names.js";

export function narrow(input) {
  const wanted = input.value.trim();
  for (const row of document.querySelectorAll(`${input.dataset.narrows} [data-narrow-key]`)) {
    row.hidden = !answers(wanted, row.dataset.narrowKey);
  }
}

function narrowAll() {
  for (const input of document.querySelectorAll("[data-narrows]")) if (input.value) narrow(input);
}

document.addEventListener("input", (event) => {
  if (event.target.matches("[data-narrows]")) narrow(event.target);
});
document.addEventListener("refreshed", narrowAll);
narrowAll();
