"""The record: who plays, who sat where, what was scored, and who did what when."""

from tournaments.models.adjustment import Adjustment, TeamLine
from tournaments.models.device import Admission, Device
from tournaments.models.hall import HallScreen
from tournaments.models.history import HistoryEntry, Receipt
from tournaments.models.limit import UsedLimit
from tournaments.models.mail import Mail
from tournaments.models.people import Player, Registration, Substitute, Team
from tournaments.models.play import Seat, Session, Table
from tournaments.models.protocol import FinalResult, Hand, Protocol
from tournaments.models.site import AbuseReport, ErasureRequest, OperatorEntry
from tournaments.models.standing import Snapshot, Standing, StandingsRevision
from tournaments.models.tournament import Invitation, Role, Tournament, User

__all__ = [
    "AbuseReport",
    "Adjustment",
    "Admission",
    "Device",
    "ErasureRequest",
    "FinalResult",
    "HallScreen",
    "Hand",
    "HistoryEntry",
    "Invitation",
    "Mail",
    "OperatorEntry",
    "Player",
    "Protocol",
    "Receipt",
    "Registration",
    "Role",
    "Seat",
    "Session",
    "Snapshot",
    "Standing",
    "StandingsRevision",
    "Substitute",
    "Table",
    "Team",
    "TeamLine",
    "Tournament",
    "UsedLimit",
    "User",
]
