"""Short help on the pages of the desk: two or three sentences, and the part of the guide that says more."""

from typing import Any, NamedTuple

from django import template
from django.template.context import Context
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

register = template.Library()


class Hint(NamedTuple):
    """What a page is for, and where the guide tells of it."""

    said: str | Promise
    guide: str
    section: str


HINTS = {
    "tournaments:desk": Hint(
        _("The box “What next” names the next step and has its button. What needs you at once stands above it, the tables below."),
        "organizer", "play"),
    "tournaments:people": Hint(
        _("Everybody who wants to play. Whoever registers on the public page appears by themselves; you add others by hand, "
          "from a list or from a file. The waiting list moves up by itself."),
        "organizer", "people"),
    "tournaments:check_in": Hint(
        _("Tap a name when its owner comes; a second tap takes it back. The counts say how many tables there will be, and what to "
          "do about players who make no whole table."),
        "organizer", "door"),
    "seating:draw": Hint(
        _("Choose how seats are drawn and who shall not meet, then draw. Nobody sees the draft; it can be changed or thrown away "
          "until you publish it."),
        "organizer", "draw"),
    "tournaments:sessions": Hint(
        _("Start a session when everybody sits: its clock runs from that moment. When all its tables are done, close it, and its "
          "results become final."),
        "organizer", "play"),
    "tournaments:edit_timetable": Hint(
        _("The plan of the event, public on its page and in the calendar file. It starts nothing by itself: you press “Start”."),
        "organizer", "play"),
    "tournaments:tables": Hint(
        _("Each table with its last hand and what it lacks. Open one to enter its protocol, answer its call or correct a hand."),
        "scorer", "hand"),
    "tournaments:hall_desk": Hint(
        _("What the projector shows. Open “Screen of the hall” on its computer and press “Sound on” there, or no signal is heard."),
        "organizer", "tablets"),
    "penalties:judging": Hint(
        _("Penalties, lateness, substitutes and appeals. What a penalty changes in points and places is shown before it is given."),
        "referee", "penalty"),
    "tournaments:tablets": Hint(
        _("Each tablet scans a code that is good once, for five minutes, and then enters hands without a password until you sign "
          "it off."),
        "scorer", "admit"),
    "tournaments:staff": Hint(
        _("Who works here, and as what. A role opens the pages that it needs and no others; whoever runs an event alone takes two."),
        "organizer", "staff"),
    "tournaments:edit_regulation": Hint(
        _("What this event is played by. It is filled in as the rulebook has it; what you change is public at once."),
        "organizer", "announce"),
    "tournaments:prints": Hint(
        _("Every paper of the event. Each page is shown as it will be printed; print it without scaling."),
        "organizer", "tablets"),
}  # fmt: skip


@register.inclusion_tag("components/page_help.html", takes_context=True)
def page_help(context: Context) -> dict[str, Any]:
    """Show the help of the page that is open, where there is any."""
    match = getattr(context.get("request"), "resolver_match", None)
    hint = HINTS.get(match.view_name) if match else None
    return {"hint": hint}
