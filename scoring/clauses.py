"""Clauses of the rulebooks as they are cited, and those that hold for every system."""

from dataclasses import dataclass

from scoring.problems import gettext_noop


@dataclass(frozen=True)
class Clause:
    """One clause as it is cited, for example `SBR 2.8.2`, and what it is about in a few words."""

    tag: str
    title: str


_ = gettext_noop
EVENT: tuple[Clause, ...] = (
    Clause("RULES 1.1", _("ruleset and regulation are two things")),
    Clause("RULES 1.5", _("protocols, hand by hand or final points")),
    Clause("RULES 1.6", _("from game points to tournament points")),
    Clause("RULES 1.7", _("ranking criteria and presets")),
    Clause("RULES 1.8", _("ladders, fixed penalties, bounds")),
    Clause("SBR 2.7.5", _("tournament points for the places, ties split")),
    Clause("SBR 2.8.2", _("the ladder of minor offences")),
    Clause("SBR 2.8.4.5", _("lateness")),
    Clause("SBR 2.9.2", _("until when an appeal is filed")),
    Clause("SBR 3.1.4", _("players left over")),
    Clause("RIICHI 5.5", _("penalties taken after the game")),
    Clause("RIICHI 5.7", _("lateness by the minute")),
    Clause("RIICHI 5.9", _("a replayed hand does not count as played")),
    Clause("RIICHI reg. 6.2", _("final points on sticks")),
    Clause("RIICHI reg. 6.3", _("average place, points, variance, spread")),
    Clause("RULES 8.1", _("the step reached is the total, or each offence costs its own")),
    Clause("RULES 8.2", _("lateness at exactly ten and fifteen minutes")),
    Clause("RULES 8.3", _("ties split in every system")),
    Clause("RULES 8.4", _("tied places averaged")),
    Clause("RULES 8.5", _("every begun minute counts")),
    Clause("RULES 8.6", _("a substitute has no standing")),
    Clause("RULES 8.7", _("who was removed is not ranked")),
    Clause("RULES 8.30", _("sessions by their own regulation, ranking by the tournament's")),
    Clause("RULES 8.31", _("game points are net; points add the start")),
    Clause("RULES 8.32", _("fixed and awarded results")),
    Clause("RULES 8.33", _("three play, or fewer")),
    Clause("RULES 8.34", _("two absent, seats of nobody")),
    Clause("RULES 8.35", _("replaced within a session")),
    Clause("RULES 8.36", _("penalties before or after the places")),
    Clause("RULES 8.37", _("lateness and appeals by system")),
    Clause("RULES 8.38", _("one ladder for each of MCR's offences; the last step; revoked ones")),
    Clause("RULES 8.39", _("points paid to others; TP penalties")),
    Clause("RULES 8.42", _("bets left over; spread and variance")),
    Clause("RULES 8.43", _("shared first places, head-to-head, opponents, groups")),
    Clause("RULES 8.50", _("points for the whole tournament")),
    Clause("RULES 8.52", _("no tournament points where none are given")),
    Clause("RULES 8.51", _("tournament points taken are the person's")),
    Clause("RULES 8.53", _("before whom an appeal comes, and until when")),
    Clause("RULES 8.55", _("who leaves in the middle of a session")),
    Clause("RULES 8.57", _("telephones stand on the ladder, and a harsher price keeps its step")),
    Clause("RULES 8.58", _("bounds of game points that a referee may take")),
    Clause("RULES 8.59", _("who never came has no place")),
    Clause("RULES 9.4", _("members without a value in a group")),
    Clause("RULES 9.13", _("points of a team itself")),
    Clause("RULES 9.22", _("what may still happen")),
    Clause("RULES 9.23", _("dealers of the hands after a corrected one")),
    Clause("RULES 9.30", _("seats part equal players at a table")),
    Clause("RULES 9.31", _("oka: points returned at the end")),
    Clause("RULES 9.32", _("second and third places, sums of the current stage")),
    Clause("RULES 9.7", _("stages: what is carried over, who plays on")),
)
"""What the rulebooks and decisions say about a session's and an event's points, for all systems together."""
