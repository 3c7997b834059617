// Typing narrows a list at once; without script the whole list stands there.

export function plain(text) {
  return text.toLowerCase().replaceAll("ё", "е").normalize("NFKD").replace(/\p{M}/gu, "");
}

export function narrow(input) {
  const wanted = plain(input.value.trim());
  for (const row of document.querySelectorAll(`${input.dataset.narrows} [data-narrow-key]`)) {
    row.hidden = !plain(row.dataset.narrowKey).includes(wanted);
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
