// A page with a form says at once that somebody else has changed what it shows; nothing that is typed is touched.
import { follow } from "./live.js";

const notice = document.querySelector("[data-changed]");
const seen = () => document.querySelector("input[name=seen]").value;
let revision = 0;
let asked = 0;

/** Ask what is stored now, and show the notice where that is not what this page was made from. */
async function compare(next) {
  asked = next;
  try {
    const answer = await fetch(window.location.href, { headers: { "X-Part": "seen" }, cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const stored = page.querySelector("input[name=seen]");
    if (stored) notice.hidden = stored.value === seen();
    revision = Math.max(revision, next);
  } catch {
    // The next news asks again.
  }
}

if (notice) {
  follow({
    events: notice.dataset.events,
    snapshot: notice.dataset.snapshot,
    shown: () => revision,
    onRevision: (next) => { if (next > asked || next > revision) compare(next); },
  });
}
