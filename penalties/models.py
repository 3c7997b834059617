"""Judgements: penalties, lateness and appeals, with the lines that they brought upon players' accounts."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Adjustment, Hand, Player, Session, Table, Tournament, User


class Penalty(models.Model):
    """A decision on an offence; nothing is deleted, a revoked one says by whom and why. [RULES 1.8]"""

    class Kind(models.TextChoices):
        """Where its price comes from."""

        LADDER = "ladder", _("Ladder")
        FIXED = "fixed", _("Fixed price")
        DECISION = "decision", _("By decision")

    class Effect(models.TextChoices):
        """What it does."""

        GAME_POINTS = "game_points", _("Game points")
        TOURNAMENT_POINTS = "tournament_points", _("Tournament points")
        WARNING = "warning", _("Warning")
        DEAD_HAND = "dead_hand", _("Dead hand")
        REMOVAL = "removal", _("Removal from the event")
        DISQUALIFICATION = "disqualification", _("Disqualification")

    class State(models.TextChoices):
        """Whether it counts."""

        PROPOSED = "proposed", _("Awaiting a second approval")
        IN_FORCE = "in_force", _("In force")
        REVOKED = "revoked", _("Revoked")

    class Decider(models.TextChoices):
        """In which office it was decided."""

        REFEREE = "referee", _("Referee")
        CHIEF_REFEREE = "chief_referee", _("Chief referee")
        COMMITTEE = "committee", _("Arbitration committee")

    class Receiver(models.TextChoices):
        """Who receives the points."""

        NOBODY = "", _("Nobody")
        TABLE = "table", _("Each other player at the table")
        PLAYER = "player", _("One player")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="penalties")
    number = models.PositiveIntegerField(_("number"))
    code = models.CharField(max_length=64, blank=True)
    session = models.ForeignKey(
        Session, on_delete=models.PROTECT, related_name="penalties", null=True, blank=True
    )
    table = models.ForeignKey(
        Table, on_delete=models.SET_NULL, related_name="penalties", null=True, blank=True
    )
    hand = models.PositiveIntegerField(_("hand"), null=True, blank=True)
    struck = models.ForeignKey(Hand, on_delete=models.SET_NULL, related_name="+", null=True, blank=True)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="penalties")
    offence = models.CharField(_("offence"), max_length=64)
    clause = models.CharField(_("clause"), max_length=5000)
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    is_on_ladder = models.BooleanField(default=False)
    effect = models.CharField(_("effect"), max_length=17, choices=Effect.choices)
    points = models.PositiveIntegerField(_("points"), null=True, blank=True)
    tournament_points = models.CharField(_("tournament points"), max_length=50, blank=True)
    to = models.CharField(_("received by"), max_length=6, choices=Receiver.choices, blank=True)
    to_player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="penalties_received", null=True, blank=True
    )
    timing = models.CharField(max_length=6, choices=Adjustment.Timing.choices, blank=True)
    until = models.DateField(_("until"), null=True, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=13, choices=Decider.choices)
    reason = models.CharField(_("description"), max_length=5000, blank=True)
    state = models.CharField(_("state"), max_length=8, choices=State.choices, default=State.IN_FORCE)
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField()
    approved_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoke_reason = models.CharField(max_length=5000, blank=True)
    appeal = models.ForeignKey(
        "penalties.Appeal", on_delete=models.PROTECT, related_name="revoked", null=True, blank=True
    )
    status_before = models.CharField(max_length=12, blank=True)

    class Meta:
        """In the order given, which is the order of ladders. [RULES 8.38]"""

        ordering = ["number"]
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="penalty_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "code"], condition=~Q(code=""), name="penalty_code_once"
            ),
            models.CheckConstraint(
                condition=~Q(state="revoked") | Q(revoked_at__isnull=False), name="penalty_revoked_when"
            ),
            models.CheckConstraint(
                condition=Q(kind="decision") | Q(effect="game_points"), name="penalty_price_costs_points"
            ),
            models.CheckConstraint(
                condition=~Q(to="player") | Q(to_player__isnull=False), name="penalty_receiver_named"
            ),
        ]

    def __str__(self) -> str:
        """Return number and player."""
        return f"{self.number}. {self.player}"

    @property
    def record_code(self) -> str:
        """Return the id by which a record names it; one that came in a record keeps its own."""
        return self.code or f"n{self.number}"

    @property
    def is_in_force(self) -> bool:
        """Return whether it counts."""
        return self.state == self.State.IN_FORCE


class Lateness(models.Model):
    """A player who was not there at the start signal, until the arrival or until somebody else sits. [SBR 2.8.4.5]"""

    class State(models.TextChoices):
        """How it ended."""

        RUNNING = "running", _("Not here yet")
        ARRIVED = "arrived", _("Arrived")
        ABSENT = "absent", _("Did not come")
        MISTAKE = "mistake", _("Noted by mistake")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="latenesses")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="latenesses")
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.RUNNING)
    seconds = models.PositiveIntegerField(_("seconds after the start"), null=True, blank=True)
    is_waived = models.BooleanField(_("waived"), default=False)
    reason = models.CharField(_("reason"), max_length=5000, blank=True)
    noted_at = models.DateTimeField()
    noted_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    arrived_at = models.DateTimeField(null=True, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Once a player in a session."""

        ordering = ["id"]
        verbose_name = _("lateness")
        verbose_name_plural = _("latenesses")
        constraints = [
            models.UniqueConstraint(fields=["session", "player"], name="lateness_once_a_session"),
            models.CheckConstraint(
                condition=~Q(state="arrived") | Q(seconds__isnull=False), name="lateness_arrived_when"
            ),
            models.CheckConstraint(
                condition=Q(is_waived=False) | ~Q(reason=""), name="lateness_waived_with_reason"
            ),
        ]

    def __str__(self) -> str:
        """Name the player."""
        return f"{self.player}: {self.get_state_display()}"


class Appeal(models.Model):
    """A decision called into question: filed, heard, ruled on. [SBR 2.9]"""

    class By(models.TextChoices):
        """Who filed it."""

        PLAYER = "player", _("Player")
        TEAM_LEADER = "team_leader", _("Team leader")

    class Matter(models.TextChoices):
        """What it is about."""

        RULES = "rules", _("Rules and regulation")
        OTHER = "other", _("Another matter")

    class State(models.TextChoices):
        """Before whom it is, or how it ended."""

        CHIEF_REFEREE = "chief_referee", _("Before the chief referee")
        COMMITTEE = "committee", _("Before the committee")
        RECOMMENDED = "recommended", _("Recommended to the chief referee")
        UPHELD = "upheld", _("Upheld")
        DISMISSED = "dismissed", _("Dismissed")
        WITHDRAWN = "withdrawn", pgettext_lazy("appeal", "Withdrawn")
        NOT_ACCEPTED = "not_accepted", _("Not accepted: no deposit")

    OPEN = (State.CHIEF_REFEREE, State.COMMITTEE, State.RECOMMENDED)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="appeals")
    number = models.PositiveIntegerField(_("number"))
    code = models.CharField(max_length=64, blank=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="appeals")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="appeals")
    by = models.CharField(_("filed by"), max_length=11, choices=By.choices, default=By.PLAYER)
    matter = models.CharField(_("matter"), max_length=5, choices=Matter.choices, default=Matter.RULES)
    penalty = models.ForeignKey(
        Penalty, on_delete=models.PROTECT, related_name="appeals", null=True, blank=True
    )
    lateness = models.ForeignKey(
        Lateness, on_delete=models.PROTECT, related_name="appeals", null=True, blank=True
    )
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="appeals", null=True, blank=True)
    hand = models.PositiveIntegerField(_("hand"), null=True, blank=True)
    struck = models.ForeignKey(Hand, on_delete=models.SET_NULL, related_name="+", null=True, blank=True)
    text = models.TextField(_("text"), max_length=20_000)
    state = models.CharField(_("state"), max_length=13, choices=State.choices)
    filed_at = models.DateTimeField()
    filed_actor = models.CharField(max_length=60)
    deposit = models.DecimalField(_("deposit"), max_digits=22, decimal_places=2, default=0)
    deposit_paid_at = models.DateTimeField(null=True, blank=True)
    deposit_taken_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    deposit_returned_at = models.DateTimeField(null=True, blank=True)
    deposit_returned_by = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    hearing_at = models.DateTimeField(_("hearing"), null=True, blank=True)
    hearing_place = models.CharField(_("place of the hearing"), max_length=200, blank=True)
    heard = models.CharField(_("who was heard"), max_length=1000, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """In the order filed; against a penalty or a table."""

        ordering = ["number"]
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="appeal_number_once"),
            models.UniqueConstraint(
                fields=["tournament", "code"], condition=~Q(code=""), name="appeal_code_once"
            ),
            models.CheckConstraint(
                condition=Q(penalty__isnull=False) | Q(lateness__isnull=False) | Q(table__isnull=False),
                name="appeal_against_something",
            ),
            models.CheckConstraint(
                condition=Q(deposit_returned_at__isnull=True) | Q(deposit_paid_at__isnull=False),
                name="appeal_deposit_paid_before_returned",
            ),
        ]

    def __str__(self) -> str:
        """Return the number in words."""
        return str(_("Appeal no. %(number)s") % {"number": self.number})

    @property
    def record_code(self) -> str:
        """Return the id by which a record names it; one that came in a record keeps its own."""
        return self.code or f"a{self.number}"

    @property
    def is_open(self) -> bool:
        """Return whether it still has to be decided."""
        return self.state in self.OPEN

    @property
    def may_still_be_paid(self) -> bool:
        """Return whether its deposit can still be brought: also where it was closed for want of it. [SBR 2.9.2]"""
        return self.is_open or self.state == self.State.NOT_ACCEPTED


class Statement(models.Model):
    """A text added to an open appeal, or what was said at the hearing."""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="statements")
    text = models.TextField(_("text"), max_length=20_000)
    actor = models.CharField(max_length=60)
    at = models.DateTimeField()

    class Meta:
        """In the order added."""

        ordering = ["id"]
        verbose_name = _("statement")
        verbose_name_plural = _("statements")

    def __str__(self) -> str:
        """Return its beginning."""
        return self.text[:60]


class Conflict(models.Model):
    """Who could decide an appeal and has declared a conflict of interest in it. [SBR 2.9.5]"""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="conflicts")
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        """Declared once a person."""

        ordering = ["id"]
        verbose_name = _("conflict of interest")
        verbose_name_plural = _("conflicts of interest")
        constraints = [models.UniqueConstraint(fields=["appeal", "user"], name="conflict_declared_once")]

    def __str__(self) -> str:
        """Name the person."""
        return str(self.user)


class AppealFile(models.Model):
    """A photo or document beside an appeal, without metadata; kept in the database, so that backups have it."""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="files")
    number = models.PositiveIntegerField(_("number"))
    name = models.CharField(_("name"), max_length=100)
    content_type = models.CharField(max_length=20)
    size = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    content = models.BinaryField()
    added_at = models.DateTimeField()

    class Meta:
        """In the order added."""

        ordering = ["number"]
        verbose_name = _("file")
        verbose_name_plural = _("files")
        constraints = [
            models.UniqueConstraint(fields=["appeal", "number"], name="appeal_file_number_once"),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=5), name="appeal_file_at_most_five"
            ),
        ]

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def is_picture(self) -> bool:
        """Return whether it can be shown and printed as a picture."""
        return self.content_type.startswith("image/")


class Verdict(models.TextChoices):
    """How a body rules."""

    UPHELD = "upheld", _("Upheld")
    DISMISSED = "dismissed", _("Dismissed")
    RECOMMENDED = "recommended", _("Change recommended")


class Vote(models.Model):
    """How a member of the committee votes on an appeal; may change until the committee has ruled."""

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="votes")
    turn = models.PositiveIntegerField(default=1)
    member = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verdict = models.CharField(_("verdict"), max_length=11, choices=Verdict.choices)
    at = models.DateTimeField()

    class Meta:
        """One a member each time that the appeal is before the committee."""

        ordering = ["id"]
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        constraints = [
            models.UniqueConstraint(fields=["appeal", "turn", "member"], name="vote_once_a_member")
        ]

    def __str__(self) -> str:
        """Return who votes how."""
        return f"{self.member}: {self.get_verdict_display()}"


class Ruling(models.Model):
    """What a body ruled on an appeal, with its reasons. [SBR 2.9.3] [SBR 2.9.5]

    `effect` tells readers what was done and how the table stood before and after; nothing is counted from it.
    """

    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="rulings")
    by = models.CharField(_("ruled by"), max_length=13, choices=Penalty.Decider.choices)
    verdict = models.CharField(_("verdict"), max_length=11, choices=Verdict.choices)
    reasons = models.TextField(_("reasons"), max_length=20_000)
    effect = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    signed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        """In the order given."""

        ordering = ["id"]
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")

    def __str__(self) -> str:
        """Return who ruled what."""
        return f"{self.get_by_display()}: {self.get_verdict_display()}"


class Line(models.Model):
    """Which adjustment was posted for which penalty, lateness or appeal; standings never ask."""

    adjustment = models.OneToOneField(Adjustment, on_delete=models.PROTECT, related_name="judged_by")
    penalty = models.ForeignKey(Penalty, on_delete=models.PROTECT, related_name="lines", null=True)
    lateness = models.ForeignKey(Lateness, on_delete=models.PROTECT, related_name="lines", null=True)
    appeal = models.ForeignKey(Appeal, on_delete=models.PROTECT, related_name="lines", null=True)

    class Meta:
        """Each belongs to exactly one judgement."""

        ordering = ["id"]
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        constraints = [
            models.CheckConstraint(
                condition=(
                    Q(penalty__isnull=False, lateness__isnull=True, appeal__isnull=True)
                    | Q(penalty__isnull=True, lateness__isnull=False, appeal__isnull=True)
                    | Q(penalty__isnull=True, lateness__isnull=True, appeal__isnull=False)
                ),
                name="line_of_one_judgement",
            )
        ]

    def __str__(self) -> str:
        """Name the adjustment."""
        return str(self.adjustment)


class PrintRequest(models.Model):
    """A sheet that somebody wants out of the desk's printer: asked for on a phone or a page, printed at the desk. No part of the record."""

    class Kind(models.TextChoices):
        """What is printed; its number is that of the penalty, the appeal or the session, and of a slip that of the lateness's row."""

        PENALTY = "penalty", _("Penalty slip")
        LATENESS = "lateness", _("List of latenesses")
        LATE_SLIP = "late", _("Slip of a lateness")
        APPEAL = "appeal", _("Appeal file")
        RECEIPT = "receipt", _("Receipt of a deposit")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="print_requests")
    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    number = models.PositiveIntegerField(_("number"))
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    printed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """Each sheet waits once, in the order in which they were asked for."""

        ordering = ["id"]
        verbose_name = _("print request")
        verbose_name_plural = _("print requests")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "kind", "number"],
                condition=Q(printed_at=None),
                name="print_request_waits_once",
            )
        ]

    def __str__(self) -> str:
        """Name the sheet."""
        return f"{self.get_kind_display()} {self.number}"
