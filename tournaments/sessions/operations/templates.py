"""Templates of an organizer: what an event is like under a name, from which others begin."""

from typing import Any

from django.db import IntegrityError, transaction

from scoring.problems import Problem, gettext_noop
from tournaments.models import EventTemplate, Tournament, User
from tournaments.people.rules.names import tidy_name
from tournaments.people.rules.questions import read_questions, told_questions
from tournaments.record.refusal import Refused, refuse

SETTINGS = (
    "time_zone", "city", "venue", "description", "currency", "prize_places", "language", "offer_hours", "mails_players", "asks_pin",
)  # fmt: skip
"""What of an event's settings a template has; name, address, days and registration times are each event's own."""
LONGEST_NAME, MOST_TEMPLATES = 100, 50


@transaction.atomic
def save_template(tournament: Tournament, name: str, *, owner: User) -> EventTemplate:
    """Store regulation, settings, quotas and questions of an event under a name; the event itself is not changed."""
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    name = _checked(name)
    if owner.event_templates.count() >= MOST_TEMPLATES:
        refuse(
            "too_many_templates", gettext_noop("At most %(n)s templates; delete one first."), n=MOST_TEMPLATES
        )
    asked = [one for one in read_questions(tournament.questions) if one.is_asked]
    settings: dict[str, Any] = {field: getattr(tournament, field) for field in SETTINGS}
    template = EventTemplate(
        owner=owner,
        name=name,
        system=tournament.system,
        preset=tournament.preset,
        regulation=tournament.regulation,
        settings=settings | {"quotas": tournament.quotas, "questions": told_questions(asked)},
    )
    _store(template)
    return template


@transaction.atomic
def rename_template(template: EventTemplate, name: str) -> EventTemplate:
    """Call a template otherwise; one that was deleted meanwhile stays deleted."""
    locked = EventTemplate.objects.select_for_update(no_key=True).filter(pk=template.pk).first()
    if locked is None:
        refuse("not_found", gettext_noop("This template was deleted."))
    locked.name = _checked(name)
    _store(locked)
    return locked


@transaction.atomic
def delete_template(template: EventTemplate) -> None:
    """Delete a template; events that began from it stay as they are."""
    EventTemplate.objects.filter(pk=template.pk).delete()


def take_template(template: EventTemplate, tournament: Tournament) -> None:
    """Give a new event the quotas and questions of its template."""
    tournament.quotas = template.settings.get("quotas", {})
    tournament.questions = template.settings.get("questions", [])
    tournament.save(update_fields=["quotas", "questions"])


def _checked(name: str) -> str:
    """Tidy a name; one without letters, or a long one, is refused."""
    name = tidy_name(name)
    if not name:
        refuse("name_required", gettext_noop("Write a name for the template."), field="name")
    if len(name) > LONGEST_NAME:
        refuse("name_too_long", gettext_noop("At most %(n)s characters."), field="name", n=LONGEST_NAME)
    return name


def _store(template: EventTemplate) -> None:
    try:
        with transaction.atomic():
            template.save()
    except IntegrityError as error:
        raise Refused(Problem("name_taken", NAME_TAKEN, "name", details={"name": template.name})) from error


NAME_TAKEN = gettext_noop(
    "You have a template of this name: %(name)s. Choose another name, or delete that one."
)
