"""The record: who plays, who sat where, what was scored, and who did what when."""

from tournaments.models.adjustment import Adjustment, TeamLine
from tournaments.models.audit import PaperAudit, PaperSheet
from tournaments.models.device import Admission, Device
from tournaments.models.hall import HallScreen
from tournaments.models.history import HistoryEntry, Objection, Receipt
from tournaments.models.limit import UsedLimit
from tournaments.models.mail import Mail, MailText
from tournaments.models.people import Player, Registration, SamePerson, Substitute, Team
from tournaments.models.play import RefereeCall, Seat, Session, Table
from tournaments.models.protocol import FinalResult, Hand, HandCheck, Protocol
from tournaments.models.push import PushNotice, PushSubscription
from tournaments.models.site import AbuseReport, ErasureRequest, OperatorEntry
from tournaments.models.standing import Chances, FrozenStandings, Snapshot, Standing, StandingsRevision
from tournaments.models.tournament import EventTemplate, Invitation, Role, Tournament, User

__all__ = [
    "AbuseReport",
    "Adjustment",
    "Admission",
    "Chances",
    "Device",
    "ErasureRequest",
    "EventTemplate",
    "FinalResult",
    "FrozenStandings",
    "HallScreen",
    "Hand",
    "HandCheck",
    "HistoryEntry",
    "Invitation",
    "Mail",
    "MailText",
    "Objection",
    "OperatorEntry",
    "PaperAudit",
    "PaperSheet",
    "Player",
    "Protocol",
    "PushNotice",
    "PushSubscription",
    "Receipt",
    "RefereeCall",
    "Registration",
    "Role",
    "SamePerson",
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
