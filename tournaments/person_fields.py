"""What is known of a person, field by field: the one list that forms, lists, files, standings, draws and erasure read.

The order is that of columns in files and tables; a form has an order of its own. [DESIGN 1]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from scoring.problems import gettext_noop
from scoring.regulation import PlayerField


class Spelling(Enum):
    """How a text is stored that somebody typed."""

    WORDS = auto()
    """Letters composed, ends trimmed, single spaces."""
    CAPITALS = auto()
    AS_TYPED = auto()


@dataclass(frozen=True)
class Grouping:
    """What is said of people who have something in common, by which rules rank them together or keep them apart."""

    by: PlayerField
    within: str
    """The field's name within a sentence."""
    plural: str
    """The heading of the table that ranks them."""
    in_table: str
    """What stands on a diploma after the place in that table."""
    never_meet: str
    """What a draw promises if it can keep all of them apart."""
    too_many: str
    """What it says if it cannot, with the least number of meetings as `n`."""
    nobody: str
    """What it says if nobody can be kept apart by this."""


@dataclass(frozen=True)
class PersonField:
    """One field: what it is called, how it is read and stored, who sees it."""

    name: str
    """As forms, imported lists, snapshots and records call it."""
    label: str
    headings: tuple[str, ...] = ()
    """What the column of a list may be called, in lower case, besides the label in each language."""
    longest: int | None = 100
    """The most characters of what is typed or listed; None if a rule of its own says what is right."""
    spelling: Spelling | None = Spelling.WORDS
    """None if an operation of its own stores it."""
    is_of_registration: bool = False
    """Whether it is stored with the place in the event, not with the person."""
    federation: str = ""
    """The federation that gave this number; `Player.federation_ids` holds the numbers of all."""
    is_relation: bool = False
    """Whether it is stored as a row of its own that has a name."""
    in_standings: bool = False
    """Whether the snapshot of the standings has it, which then can be narrowed by it."""
    in_record: bool = False
    """Whether the record has it as a text under the same name. [RECORD 2]"""
    is_public: bool = False
    """Whether the list of players has it that everybody may read, as a page of the API or as a file."""
    is_contact: bool = False
    """Whether it is forgotten some months after the event; only who manages the people sees it."""
    grouping: Grouping | None = None

    @property
    def column(self) -> str:
        """Return where the database has it."""
        return "federation_ids" if self.federation else self.name

    @property
    def lookup(self) -> str:
        """Return how a query reads it as a text."""
        return f"{self.name}__name" if self.is_relation else self.column

    @property
    def blank(self) -> Any:
        """Return what the column holds once the person is erased."""
        if self.is_relation:
            return None
        return {} if self.federation else ""

    def text_of(self, player: Any) -> str:
        """Return what is known of a player; empty where nothing is, or where it was erased."""
        value = getattr(player, self.column)
        return str((value.get(self.federation) if self.federation else value) or "")


NAME = PersonField(
    "name",
    gettext_noop("Name"),
    (
        "name", "player", "full name", "имя", "фио", "игрок", "имя и фамилия", "фамилия, имя", "фамилия и имя",
    ),
    longest=None, spelling=None, in_standings=True, is_public=True,
)  # fmt: skip
NUMBER = PersonField(
    "number",
    gettext_noop("Number"),
    ("number", "no", "no.", "№", "номер", "seed"),
    longest=None, spelling=None, is_of_registration=True,
)  # fmt: skip
COUNTRY = PersonField(
    "country",
    gettext_noop("Country"),
    ("country", "страна"),
    longest=None, spelling=Spelling.CAPITALS, in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.COUNTRY,
        within=gettext_noop("country"),
        plural=gettext_noop("Countries"),
        in_table=gettext_noop("in the standings of countries"),
        never_meet=gettext_noop("Players from one country never need to meet."),
        too_many=gettext_noop(
            "The largest country has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list has a country, so there is nobody to keep apart."),
    ),
)  # fmt: skip
REGION = PersonField(
    "region",
    gettext_noop("Region"),
    ("region", "регион"),
    in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.REGION,
        within=gettext_noop("region"),
        plural=gettext_noop("Regions"),
        in_table=gettext_noop("in the standings of regions"),
        never_meet=gettext_noop("Players from one region never need to meet."),
        too_many=gettext_noop(
            "The largest region has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list has a region, so there is nobody to keep apart."),
    ),
)  # fmt: skip
CITY = PersonField(
    "city",
    gettext_noop("City"),
    ("city", "город"),
    in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.CITY,
        within=gettext_noop("city"),
        plural=gettext_noop("Cities"),
        in_table=gettext_noop("in the standings of cities"),
        never_meet=gettext_noop("Players from one city never need to meet."),
        too_many=gettext_noop(
            "The largest city has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list has a city, so there is nobody to keep apart."),
    ),
)  # fmt: skip
CLUB = PersonField(
    "club",
    gettext_noop("Club"),
    ("club", "клуб"),
    in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.CLUB,
        within=gettext_noop("club"),
        plural=gettext_noop("Clubs"),
        in_table=gettext_noop("in the standings of clubs"),
        never_meet=gettext_noop("Players of one club never need to meet."),
        too_many=gettext_noop(
            "The largest club has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list has a club, so there is nobody to keep apart."),
    ),
)  # fmt: skip
TEAM = PersonField(
    "team",
    gettext_noop("Team"),
    ("team", "команда"),
    is_relation=True, in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.TEAM,
        within=gettext_noop("team"),
        plural=gettext_noop("Teams"),
        in_table=gettext_noop("in the team standings"),
        never_meet=gettext_noop("Teammates never need to meet."),
        too_many=gettext_noop(
            "The largest team has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list is in a team, so there is nobody to keep apart."),
    ),
)  # fmt: skip
GROUP = PersonField(
    "group",
    gettext_noop("Group"),
    ("group", "группа"),
    in_standings=True, in_record=True, is_public=True,
    grouping=Grouping(
        PlayerField.GROUP,
        within=gettext_noop("group"),
        plural=gettext_noop("Groups"),
        in_table=gettext_noop("in the standings of groups"),
        never_meet=gettext_noop("Players of one group never need to meet."),
        too_many=gettext_noop(
            "The largest group has more players than there are tables: meetings within it, at least %(n)s."
        ),
        nobody=gettext_noop("Nobody on the list is in a group, so there is nobody to keep apart."),
    ),
)  # fmt: skip
EMA_NUMBER = PersonField(
    "ema_number",
    gettext_noop("EMA number"),
    ("ema", "ema number", "ema_number", "ema id", "ema no.", "номер ema"),
    longest=None, spelling=None, federation="EMA", is_public=True,
)  # fmt: skip
EMAIL = PersonField(
    "email",
    gettext_noop("E-mail"),
    ("e-mail", "email", "почта", "электронная почта"),
    longest=254, spelling=Spelling.AS_TYPED, is_contact=True,
)  # fmt: skip
PHONE = PersonField(
    "phone",
    gettext_noop("Phone"),
    ("phone", "телефон"),
    longest=40, spelling=Spelling.AS_TYPED, is_contact=True,
)  # fmt: skip
COMMENT = PersonField(
    "comment",
    gettext_noop("Note to the organizer"),
    ("comment", "note", "note to the organizer", "комментарий", "примечание"),
    longest=500, spelling=Spelling.AS_TYPED, is_of_registration=True,
)  # fmt: skip

PERSON = (NAME, NUMBER, COUNTRY, REGION, CITY, CLUB, TEAM, GROUP, EMA_NUMBER, EMAIL, PHONE, COMMENT)
"""The list."""
OF_THE_PLAYER = tuple(one for one in PERSON if not one.is_of_registration)
IN_STANDINGS = tuple(one for one in PERSON if one.in_standings)
IN_RECORD = tuple(one for one in PERSON if one.in_record)
PUBLIC = tuple(one for one in PERSON if one.is_public)
CONTACTS = tuple(one for one in PERSON if one.is_contact)
GROUPINGS: Mapping[str, Grouping] = {one.name: one.grouping for one in PERSON if one.grouping}
CLOSEST_FIRST = (TEAM, CLUB, GROUP, CITY, REGION, COUNTRY)
"""Those by which rules group people, from the closest community to the widest."""


def federation_ids(values: Mapping[str, str]) -> dict[str, str]:
    """Return the numbers of federations that a form or a row of a list gives."""
    return {one.federation: values[one.name] for one in PERSON if one.federation and values.get(one.name)}
