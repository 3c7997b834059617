// A draw that is being made: the bar moves, and the page goes on when it is done.

const box = document.querySelector("[data-progress]");
const EVERY = 700;

document.documentElement.classList.add("has-script");

async function look() {
  try {
    const answer = await fetch(box.dataset.progress, { headers: { accept: "application/json" } });
    if (answer.ok) {
      const { state, percent } = await answer.json();
      box.querySelector("progress").value = percent;
      box.querySelector("[data-percent]").textContent = `${percent} %`;
      if (state !== "running") {
        window.location.reload();
        return;
      }
    }
  } catch {
    // The connection comes and goes; the draw goes on without it.
  }
  window.setTimeout(look, EVERY);
}

if (box) window.setTimeout(look, EVERY / 2);
