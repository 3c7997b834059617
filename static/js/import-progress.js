// A list that is being put on: the bar moves until the answer takes the place of this page.

const form = document.querySelector("form[data-progress]");
const EVERY = 500;
let timer = null;

async function look(box, address) {
  try {
    const answer = await fetch(address, { headers: { accept: "application/json" } });
    if (answer.ok) {
      const { percent } = await answer.json();
      box.querySelector("progress").value = percent;
      box.querySelector("[data-percent]").textContent = `${percent} %`;
    }
  } catch {
    // The connection comes and goes; the list is put on without it.
  }
  if (!box.hidden) timer = window.setTimeout(look, EVERY, box, address);
}

form?.addEventListener("submit", (event) => {
  const box = form.querySelector("[data-progress-box]");
  if (!["confirm", "good"].includes(event.submitter?.name) || !box.hidden) return;
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
  window.clearTimeout(timer);
  timer = window.setTimeout(look, EVERY, box, form.dataset.progress);
});

// Somebody who comes back to this page by “back” finds it as it was before, and nothing is asked any more.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  window.clearTimeout(timer);
  form?.querySelector("[data-progress-box]").setAttribute("hidden", "");
});
