"""Doubles in an organizer's directory: two entries are called one person or two, and that is taken back."""

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import SamePerson, User
from tournaments.people.queries.directory import directory_of, known_as
from tournaments.record.refusal import refuse


@transaction.atomic
def merge(user: User, first: int, second: int) -> SamePerson:
    """Call two entries of the own events one person; the events keep both as they were. [RULES 9.38]"""
    return _decide(user, first, second, are_two=False)


@transaction.atomic
def keep_apart(user: User, first: int, second: int) -> SamePerson:
    """Call two entries of the own events two namesakes, who are not asked about again. [RULES 9.38]"""
    return _decide(user, first, second, are_two=True)


def _decide(user: User, first: int, second: int, *, are_two: bool) -> SamePerson:
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    known = directory_of(user)
    one, other = known_as(known, first), known_as(known, second)
    if one is None or other is None:
        refuse("not_found", gettext_noop("These people are not in your directory."))
    if one == other:
        refuse("wrong_state", gettext_noop("These two are one person already."))
    low, high = sorted((one.newest.pk, other.newest.pk))
    made, _is_new = SamePerson.objects.update_or_create(
        owner=user, first_id=low, second_id=high, defaults={"are_two": are_two}
    )
    return made


@transaction.atomic
def take_apart(row: SamePerson) -> None:
    """Take back what was said of two entries: they are two persons again, or may be one."""
    SamePerson.objects.filter(pk=row.pk).delete()
