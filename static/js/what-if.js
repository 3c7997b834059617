// What if: results are set by touch, and the standings follow as soon as the reader pauses.

const PAUSE = 500;
const TOLD = 100; // The same sentence is read out again only if it was gone.
const form = document.querySelector("[data-what-if]");
let waiting = null;

function numberOf(input) {
  const value = Number(input.value.replace("−", "-").replace(/\s/g, ""));
  return Number.isFinite(value) ? value : 0;
}

async function show() {
  const address = new URL(form.action || window.location.href, window.location.href);
  address.search = new URLSearchParams(new FormData(form)).toString();
  try {
    const answer = await fetch(address);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const then = page.getElementById("then");
    const now = document.getElementById("then");
    if (then && now) now.replaceWith(document.importNode(then, true));
    else if (then) form.after(document.importNode(then, true));
    const said = document.querySelector("[data-then-said]");
    said.textContent = "";
    window.setTimeout(() => { said.textContent = said.dataset.thenSaid; }, TOLD);
    window.history.replaceState(null, "", address);
    document.dispatchEvent(new CustomEvent("refreshed"));
  } catch {
    // Without a network the button still sends the form, and the browser says why that fails.
  }
}

function showSoon() {
  window.clearTimeout(waiting);
  waiting = window.setTimeout(show, PAUSE);
}

if (form) {
  for (const button of form.querySelectorAll("[data-step]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const input = button.parentElement.querySelector("input");
      input.value = String(numberOf(input) + Number(button.dataset.step));
      showSoon();
    });
  }
  form.addEventListener("input", (event) => {
    if (event.target.matches("[type=checkbox]")) form.requestSubmit();
    else showSoon();
  });
}
