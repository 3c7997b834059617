// The door: a tap is shown at once and sent behind it; the form it belongs to works without script.

const counts = document.getElementById("door-counts");
const said = document.querySelector(".flashes");
const list = document.getElementById("door-list");
const search = document.querySelector("[data-narrows]");

function say(sentence) {
  const flash = document.createElement("div");
  flash.className = "flash flash-error";
  const words = document.createElement("div");
  words.textContent = sentence;
  flash.append(words);
  said.replaceChildren(flash);
}

function press(form, isHere) {
  form.querySelector("button").setAttribute("aria-pressed", String(isHere));
  form.elements.came.value = isHere ? "0" : "1";
}

async function send(form) {
  const isHere = form.elements.came.value === "1";
  const body = new FormData(form);
  press(form, isHere);
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "door" } });
    const text = await answer.text();
    if (!answer.ok) throw new Error(answer.status === 409 || answer.status === 422 ? text : "");
    counts.innerHTML = text;
    said.replaceChildren();
  } catch (error) {
    press(form, !isHere);
    say(error.message && error.name === "Error" ? error.message : list.dataset.unsent);
  }
}

list?.addEventListener("submit", (event) => {
  if (!event.target.elements.came) return;
  event.preventDefault();
  send(event.target);
  if (search?.value) search.select();
});
