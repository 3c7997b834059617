"""Dragging sessions of the timetable: a finger that scrolls the page moves nothing."""

import pytest
from django.conf import settings

pytestmark = pytest.mark.browser

LINE = """
<ol class="time-line"><li data-shifts="1-1"><span data-grip>10:00</span> <strong>Session 1</strong>
  <form onsubmit="return false"></form></li></ol>
"""
DRAG = """([type, place]) => {
  const form = document.querySelector("form");
  form.replaceChildren();
  form.submit = () => { document.title = form.elements.minutes.value; };
  document.title = "";
  HTMLElement.prototype.setPointerCapture = () => {};
  const send = (name, y) => document.querySelector(place).dispatchEvent(
    new PointerEvent(name, { bubbles: true, pointerType: type, button: 0, clientY: y }));
  send("pointerdown", 100);
  send("pointermove", 130);
  send("pointerup", 130);
  return document.title;
}"""


def test_a_finger_moves_a_session_by_its_time_alone_and_a_mouse_by_the_whole_line(page):
    """[RULES 9.27]"""
    page.set_content(LINE)
    page.add_script_tag(path=settings.BASE_DIR / "static/js/timetable.js")
    drags = [("touch", "strong"), ("touch", "[data-grip]"), ("mouse", "strong")]
    assert [page.evaluate(DRAG, list(drag)) for drag in drags] == ["", "30", "30"]
