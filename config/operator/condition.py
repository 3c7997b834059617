"""The condition of the site, part by part, in sentences that say what to do."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.models import Report
from config.operator import metrics, reports
from config.server.health import LEAST_FREE_BYTES
from tournaments.standings.operations import recompute

Reports = Mapping[str, Report]
SWEEP_LATE = 60
CERTIFICATE_SOON = timedelta(days=14)
BACKUP_OLD = timedelta(hours=26)
DRILL_OLD = timedelta(days=9)
CHORES_OLD = timedelta(days=3)
PLENTY = 20 * LEAST_FREE_BYTES


@dataclass(frozen=True)
class Part:
    """One part of the site: its name, whether it needs somebody, and sentences about it."""

    name: str
    look: str
    word: str
    lines: tuple[str, ...]
    can_send_mail: bool = False

    @property
    def is_bad(self) -> bool:
        """Whether the operator should do something."""
        return self.look == "alert"


def good(name: str, *lines: str, **more: Any) -> Part:
    """Say that a part is well."""
    return Part(name, "done", _("Well"), lines, **more)


def bad(name: str, *lines: str, **more: Any) -> Part:
    """Say that a part needs somebody."""
    return Part(name, "alert", _("Needs you"), lines, **more)


def idle(name: str, *lines: str, **more: Any) -> Part:
    """Say that a part was not looked at yet."""
    return Part(name, "idle", _("Not yet"), lines, **more)


def off(name: str, *lines: str, **more: Any) -> Part:
    """Say that a part is not set up."""
    return Part(name, "idle", _("Off"), lines, **more)


def parts() -> list[Part]:
    """Return the condition of every part."""
    latest = reports.latest()
    described: list[Callable[[Reports], Part]] = [
        jobs, mail, certificate, disk, chains, backup, copy, drill, chores,
    ]  # fmt: skip
    return [describe(latest) for describe in described]


def jobs(latest: Reports) -> Part:
    """Return whether standings are worked out, and who does it."""
    name, behind = _("Background jobs"), len(recompute.behind())
    numbers = metrics.overview()
    lines = [
        ngettext("%(count)s process reports.", "%(count)s processes report.", len(numbers.processes))
        % {"count": len(numbers.processes)},
    ]
    if behind:
        lines.append(
            ngettext(
                "%(count)s event waits for its standings.",
                "%(count)s events wait for their standings.",
                behind,
            )
            % {"count": behind}
        )
    else:
        lines.append(_("The standings of every event are up to date."))
    if not numbers.redis_is_up:
        return bad(
            name, _("Redis does not answer. Scores are stored all the same; standings come later."), *lines
        )
    if numbers.sweep_age is None or numbers.sweep_age > SWEEP_LATE:
        return bad(
            name,
            _("Nobody has looked for lost jobs in the last minute: are worker and beat running?"),
            *lines,
        )
    if numbers.failures:
        lines.append(
            ngettext(
                "%(count)s job has failed since its process started; the log says why.",
                "%(count)s jobs have failed since their processes started; the log says why.",
                numbers.failures,
            )
            % {"count": numbers.failures}
        )
    return good(name, *lines)


def mail(latest: Reports) -> Part:
    """Return whether letters go out."""
    name, report = _("Mail"), latest.get(reports.Name.MAIL)
    if not getattr(settings, "EMAIL_HOST", "") or "smtp" not in _mail_backend():
        return off(name, _("No mail server is set up: letters go to the log. Set EMAIL_HOST."))
    if report is None:
        return idle(name, _("No letter was sent yet. Try one."), can_send_mail=True)
    if not report.is_good:
        return bad(name, _("The last letter could not be sent: %(error)s") % report.facts, can_send_mail=True)
    return good(name, _("The last letter went out %(when)s.") % {"when": when(report.at)}, can_send_mail=True)


def _mail_backend() -> str:
    is_ours = settings.EMAIL_BACKEND == "config.operator.mail.Backend"
    return "smtp" if is_ours else settings.EMAIL_BACKEND


def certificate(latest: Reports) -> Part:
    """Return how long the certificate is good."""
    name, report = _("Certificate"), latest.get(reports.Name.CERTIFICATE)
    if not getattr(settings, "HTTPS", False):
        return off(name, _("This site is served without HTTPS."))
    if report is None:
        return idle(name, _("Nobody has looked at it yet; that is done once a day."))
    left = metrics.seconds_left(report.facts)
    if left is None:
        return bad(name, _("Looked at %(when)s: %(error)s") % {**report.facts, "when": when(report.at)})
    facts = {"name": report.facts["host"], "when": day(datetime.fromisoformat(report.facts["ends_at"]))}
    sentence = _("The certificate of %(name)s is good until %(when)s.") % facts
    if left < CERTIFICATE_SOON.total_seconds():
        return bad(name, sentence, _("It should have been renewed: look into the log of the front server."))
    return good(name, sentence)


def disk(latest: Reports) -> Part:
    """Return how much room is left, here and where the backups are."""
    name = _("Disk")
    settings.VAR_DIR.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.VAR_DIR).free
    lines = [_("Free where the site works: %(size)s.") % {"size": filesizeformat(free)}]
    report = latest.get(reports.Name.BACKUP)
    of_backups = report.facts.get("free") if report else None
    if of_backups is not None:
        lines.append(_("Free where the backups are: %(size)s.") % {"size": filesizeformat(of_backups)})
    if free < LEAST_FREE_BYTES or (of_backups is not None and of_backups < PLENTY):
        return bad(name, *lines, _("Make room: a full disk stops the entry of scores."))
    return good(name, *lines)


def chains(latest: Reports) -> Part:
    """Return whether the histories were whole when they were last verified."""
    name, report = _("History chains"), latest.get(reports.Name.CHAINS)
    if report is None:
        return idle(name, _("Not verified yet; that is done once a day."))
    if not report.is_good:
        told = {"when": when(report.at), "error": report.facts.get("error", "")}
        return bad(name, _("Broken when verified %(when)s: %(error)s") % told)
    count = report.facts["tournaments"]
    sentence = ngettext(
        "%(count)s event, every entry as it was written, verified %(when)s.",
        "%(count)s events, every entry as it was written, verified %(when)s.",
        count,
    )
    return _unless_old(name, report, CHORES_OLD, sentence % {"count": count, "when": when(report.at)})


def backup(latest: Reports) -> Part:
    """Return when the last backup was made."""
    name, report = _("Backup"), latest.get(reports.Name.BACKUP)
    if report is None:
        return idle(name, _("No backup was made by the schedule yet. Run the service “backup”."))
    if not report.is_good:
        return bad(name, *_failed(report))
    facts = {
        "file": report.facts["file"],
        "size": filesizeformat(report.facts["bytes"]),
        "when": when(report.at),
    }
    return _unless_old(name, report, BACKUP_OLD, _("%(file)s, %(size)s, made %(when)s.") % facts)


def copy(latest: Reports) -> Part:
    """Return whether the backups leave the machine."""
    name, report = _("Copy elsewhere"), latest.get(reports.Name.COPY)
    if report is None:
        return off(
            name, _("Backups lie on this machine alone. Set BACKUP_ELSEWHERE, so that they survive it.")
        )
    if not report.is_good:
        return bad(name, *_failed(report))
    sentence = _("Copied %(when)s.") % {"when": when(report.at)}
    if report.facts.get("is_same_disk"):
        return bad(
            name, sentence, _("The copy lies on the same disk as the backup: is the other one mounted?")
        )
    return _unless_old(name, report, BACKUP_OLD, sentence)


def drill(latest: Reports) -> Part:
    """Return when a backup was last restored beside the site and proved."""
    name, report = _("Restore drill"), latest.get(reports.Name.DRILL)
    if report is None:
        return idle(name, _("No backup was restored and proved yet; that is done once a week."))
    if not report.is_good:
        return bad(name, *_failed(report))
    facts = {"file": report.facts["file"], "when": when(report.at)}
    return _unless_old(name, report, DRILL_OLD, _("%(file)s was restored and proved %(when)s.") % facts)


def chores(latest: Reports) -> Part:
    """Return whether rows that nobody needs are deleted."""
    name, report = _("Daily chores"), latest.get(reports.Name.CHORES)
    if report is None:
        return idle(
            name, _("Not done yet; they begin some minutes after the start, and with Redis within two hours.")
        )
    if not report.is_good:
        return bad(name, *_failed(report))
    sentence = _("Expired sign-ins and old receipts were deleted %(when)s.") % {"when": when(report.at)}
    return _unless_old(name, report, CHORES_OLD, sentence)


def _unless_old(name: str, report: Report, oldest: timedelta, *lines: str) -> Part:
    """Say that a part is well, unless it was last looked at too long ago."""
    if timezone.now() - report.at > oldest:
        return bad(name, *lines, _("That is longer ago than it should be."))
    return good(name, *lines)


def _failed(report: Report) -> Iterator[str]:
    told = {"when": when(report.at), "error": report.facts.get("error", "")}
    yield _("Failed %(when)s: %(error)s") % told
    if report.good_at:
        yield _("It last went well %(when)s.") % {"when": when(report.good_at)}
    else:
        yield _("It never went well.")


def when(moment: datetime) -> str:
    """Write a moment and how long ago it was."""
    is_new = timezone.now() - moment < timedelta(minutes=1)
    ago = _("just now") if is_new else _("%(time)s ago") % {"time": timesince(moment)}
    return f"{date_format(timezone.localtime(moment), 'DATETIME_FORMAT')} UTC ({ago})"


def day(moment: datetime) -> str:
    """Write a day."""
    return date_format(timezone.localtime(moment), "DATE_FORMAT")
