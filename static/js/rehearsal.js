// A rehearsal is played on while a page of its desk is open: every two seconds the page asks for what has become due.

const EVERY = 2000;
const form = document.querySelector("[data-turns]");

async function turn() {
  if (document.visibilityState === "visible") {
    try {
      await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    } catch {
      // Without a connection it stands still, and goes on when it is back.
    }
  }
  window.setTimeout(turn, EVERY);
}

if (form) {
  form.hidden = true;
  turn();
}
