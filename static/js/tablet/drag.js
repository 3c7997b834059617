// Chips of a line moved by dragging them: a mouse drags at once, a finger after a moment's rest, because a swipe scrolls the line.

const REST = 250;
const SLACK = 6;

// Listeners for the line; `moved` is told the place of a chip and by how many places it was dragged.
export function draggable(moved) {
  let drag = null;

  const begin = () => {
    drag.isOn = true;
    drag.chip.classList.add("is-dragged");
  };
  const end = () => {
    clearTimeout(drag?.rest);
    drag?.chip.classList.remove("is-dragged");
    if (drag) drag.chip.style.transform = "";
    drag = null;
  };
  const started = (event) => {
    const chip = event.target.closest("li");
    if (!chip || event.button) return;
    drag = { chip, line: chip.parentElement, x: event.clientX, by: 0, isOn: false };
    if (event.pointerType !== "mouse") drag.rest = setTimeout(begin, REST);
  };
  const carried = (event) => {
    if (!drag) return;
    drag.by = event.clientX - drag.x;
    if (!drag.isOn && Math.abs(drag.by) > SLACK) {
      if (event.pointerType !== "mouse") return end();
      begin();
    }
    if (!drag.isOn) return;
    // Only from here on: a tap's click belongs to the button beneath it.
    drag.line.setPointerCapture?.(event.pointerId);
    drag.chip.style.transform = `translateX(${drag.by}px)`;
  };
  const dropped = () => {
    if (!drag?.isOn) return end();
    const { chip, line } = drag;
    const chips = [...line.children];
    const place = chips.indexOf(chip);
    const middle = centre(chip);
    const to = chips.filter((one) => one !== chip && centre(one) < middle).length;
    end();
    addEventListener("click", swallowed, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallowed, { capture: true }));
    if (to !== place) moved(place, to - place);
  };
  // A line that is being dragged along does not scroll away beneath the finger.
  const touched = (event) => drag?.isOn && event.cancelable && event.preventDefault();
  return { onpointerdown: started, onpointermove: carried, onpointerup: dropped, onpointercancel: end, ontouchmove: touched, oncontextmenu: touched };
}

function centre(chip) {
  const { left, width } = chip.getBoundingClientRect();
  return left + width / 2;
}

function swallowed(event) {
  event.preventDefault();
  event.stopPropagation();
}
