"""A file of players at the desk: uploaded, shown as it was understood, and only then put on the list."""

import re
from dataclasses import replace
from pathlib import PurePath
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core import signing
from django.core.cache import cache
from django.http import HttpResponse, JsonResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.problems import Problem, Refusal, gettext_noop
from tournaments.models import Tournament
from tournaments.people.operations import importing as operations
from tournaments.people.operations.importing import Wish
from tournaments.people.queries.places import will_wait
from tournaments.people.rules.imported import (
    FIELDS,
    LABELS,
    LEAVE_OUT,
    MOST_PROBLEMS,
    Choice,
    Incoming,
    Understood,
)
from tournaments.record.refusal import Refused, refuse, say, sentences
from tournaments.web import files, rates
from tournaments.web.access import page
from tournaments.web.callers import spend
from tournaments.web.files import FileTable
from tournaments.web.forms import RefusableForm
from tournaments.web.frame import done, show
from tournaments.web.requests import Request
from tournaments.web.rules import MOST_BYTES, WINDOWS, Grid, Row, check_size
from tournaments.web.uploads import read_table
from tournaments.web.workbooks import ZIP

BOTH = ("GET", "POST")
SALT = "tournaments.import-preview"
LIFETIME = 30 * 60
LIFETIME_OF_PROGRESS = 10 * 60
LONGEST_NAME = 40
MOST_ASKED = 300
SHOWN_ROWS = 500
MOST_TYPED, LONGEST_TYPED = 1000, 400
CELL = re.compile("cell-([0-9]{1,6})-([0-9]{1,3})", re.ASCII)

CHOICES: dict[str, str | Promise] = {
    Choice.SKIP: gettext_lazy("skip"),
    Choice.UPDATE: gettext_lazy("update"),
    Choice.ADD: gettext_lazy("add as another person"),
}
SEPARATOR_NAMES: dict[str, str | Promise] = {
    ";": gettext_lazy("semicolons"),
    ",": gettext_lazy("commas"),
    "\t": gettext_lazy("tabs"),
    "|": gettext_lazy("bars"),
}


WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")


class UploadForm(RefusableForm):
    """The file, whatever it is called."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
        help_text=gettext_lazy("CSV or XLSX, at most 1 MB and 2,000 rows. The first row names the columns."),
        error_messages={"required": gettext_lazy("Choose a file.")},
    )


@page("manage_people", methods=BOTH)
def import_players(request: Request, tournament: Tournament) -> HttpResponse:
    """Take a file, show what was understood, and put all on the list once that is confirmed. [INTEGRITY 53]"""
    if request.method == "POST" and "preview" in request.POST:
        return _preview(request, tournament)
    form = (
        UploadForm(request.POST or None, request.FILES or None) if request.method == "POST" else UploadForm()
    )
    closed = operations.seating_problems(tournament)
    if request.method == "POST" and closed:
        form = UploadForm(request.POST, request.FILES)
        form.is_valid()
        form.add_refusal(Refused(*closed))
        return _form(request, tournament, form, closed, status=Refused(*closed).status)
    if not form.is_valid():
        return _form(request, tournament, form, closed, status=422 if form.is_bound else 200)
    upload = form.cleaned_data["file"]
    body = b""
    try:
        spend(request, rates.UPLOAD)
        check_size(upload.size)
        body = upload.read(MOST_BYTES + 1)
        grid = read_table(body)
    except (Refusal, Refused) as refusal:
        refused = Refused(*(_as_it_is(problem, upload.name, body) for problem in refusal.problems))
        form.add_refusal(refused)
        return _form(request, tournament, form, closed, status=refused.status)
    sealed = _seal(request, tournament, grid, shown_name(upload.name), uuid4().hex)
    return _show(request, tournament, Wish(grid), sealed, shown_name(upload.name))


def _as_it_is(problem: Problem, name: str, body: bytes) -> Problem:
    """Say of text in which no table was found that it is text, where its name says that it is a workbook. [INTEGRITY 51]"""
    is_text = body and not body.startswith(ZIP)
    if problem.code != "file_empty" or not is_text or not name.lower().endswith(WORKBOOKS):
        return problem
    return Problem("not_a_workbook", TEXT_NOT_WORKBOOK, "file", details={"name": shown_name(name)})


TEXT_NOT_WORKBOOK = gettext_noop(
    "%(name)s is called a workbook, but it is a text file with no rows of a table. Save the list as XLSX or CSV and upload that."
)


@page("manage_people")
def sample(request: Request, tournament: Tournament) -> HttpResponse:
    """Return an empty table with every column, to be filled in."""
    sheet = FileTable([_(LABELS[name]) for name in FIELDS], [])
    answer = HttpResponse(b"".join(files.csv_lines(sheet)), content_type=files.TYPES[files.CSV])
    answer["Content-Disposition"] = 'attachment; filename="players.csv"'
    return answer


@page("manage_people")
def progress(request: Request, tournament: Tournament) -> HttpResponse:
    """Say how many per cent of the list that this user is importing are done."""
    return JsonResponse({"percent": cache.get(_place_of_progress(request, tournament)) or 0})


def _reporter(request: Request, tournament: Tournament) -> operations.Report:
    """Begin at nothing, and keep what is reported where the page that waits can ask for it.

    It is kept in the cache: the list is put on in one transaction, of which nobody else sees anything before its end.
    """
    place = _place_of_progress(request, tournament)
    cache.set(place, 0, LIFETIME_OF_PROGRESS)
    return lambda percent: cache.set(place, percent, LIFETIME_OF_PROGRESS)


def _place_of_progress(request: Request, tournament: Tournament) -> str:
    return f"import-progress-{tournament.pk}-{request.user.pk}"


def shown_name(name: str) -> str:
    """Return the file's own name, short and without its folders; it is never used for anything else. [INTEGRITY 51]"""
    own = re.sub(r"[\x00-\x1f]", "", PurePath(name.replace("\\", "/")).name) or "—"
    return own if len(own) <= LONGEST_NAME else f"{own[:20]}…{own[-15:]}"


# The preview: the table travels sealed in the form, so that nothing of it is stored before it is confirmed


def _seal(request: Request, tournament: Tournament, grid: Grid, name: str, key: str) -> str:
    """Seal the table for this user and this event; it opens for half an hour. [INTEGRITY 54]"""
    said = {
        "event": tournament.pk,
        "user": request.user.pk,
        "key": key,
        "file": name,
        "header": list(grid.header),
        "rows": [[row.number, *row.cells] for row in grid.rows],
        "encoding": grid.encoding,
        "separator": grid.separator,
        "problems": [
            [problem.code, problem.sentence, problem.field, dict(problem.details)]
            for problem in grid.problems[:MOST_PROBLEMS]
        ],
    }
    return signing.dumps(said, salt=SALT, compress=True)


def _opened(request: Request, tournament: Tournament) -> tuple[dict[str, Any], Grid]:
    """Open a sealed table; a stranger's, an old or a forged one is gone."""
    try:
        said: dict[str, Any] = signing.loads(request.POST["preview"], salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        said = {}
    if (said.get("event"), said.get("user")) != (tournament.pk, request.user.pk):
        refuse("preview_gone", gettext_noop("The preview has expired; upload the file again."))
    rows = tuple(Row(number, tuple(cells)) for number, *cells in said["rows"])
    problems = tuple(
        Problem(code, sentence, field, details=details) for code, sentence, field, details in said["problems"]
    )
    return said, Grid(tuple(said["header"]), rows, said["encoding"], said["separator"], problems)


def _preview(request: Request, tournament: Tournament) -> HttpResponse:
    """Look through the table again under what was chosen, or put it on the list."""
    said, grid = _opened(request, tournament)
    mended = _mended(request, grid)
    sealed = request.POST["preview"]
    if mended != grid:
        grid, sealed = mended, _seal(request, tournament, mended, said["file"], said["key"])
    wish = Wish(grid, _columns(request, grid), _choices(request, tournament, grid))
    if "good" in request.POST:
        return _take_good(request, tournament, wish, said, sealed)
    if "confirm" not in request.POST:
        return _show(request, tournament, wish, sealed, said["file"])
    try:
        report = _reporter(request, tournament)
        counts = operations.import_table(tournament, wish, key=said["key"], by=request.actor, report=report)
    except Refused as refused:
        return _show(request, tournament, wish, sealed, said["file"], refused=refused)
    return done(request, _what_was_done(counts), "tournaments:people", tournament.slug)


def _take_good(
    request: Request, tournament: Tournament, wish: Wish, said: dict[str, Any], sealed: str
) -> HttpResponse:
    """Put the rows in which nothing is wrong on the list, and keep the others to be mended; what is mended stays so."""
    try:
        report = _reporter(request, tournament)
        counts = operations.import_table(
            tournament, wish, key=said["key"], by=request.actor, takes_good=True, report=report
        )
    except Refused as refused:
        return _show(request, tournament, wish, sealed, said["file"], refused=refused)
    left = set(counts.get("left", ()))
    if not left:
        return done(request, _what_was_done(counts), "tournaments:people", tournament.slug)
    rows = tuple(row for row in wish.grid.rows if row.number in left)
    fields = {f"rows.{number}" for number in left}
    problems = tuple(problem for problem in wish.grid.problems if problem.field in fields)
    grid = replace(wish.grid, rows=rows, problems=problems)
    messages.success(request, _what_was_done(counts))
    sealed = _seal(request, tournament, grid, said["file"], uuid4().hex)
    return _show(request, tournament, replace(wish, grid=grid, choices=None), sealed, said["file"])


def _mended(request: Request, grid: Grid) -> Grid:
    """Take what was typed over the cells in which something was wrong."""
    typed: dict[int, dict[int, str]] = {}
    for name in list(request.POST)[:MOST_TYPED]:
        found = CELL.fullmatch(name)
        if found:
            typed.setdefault(int(found[1]), {})[int(found[2])] = request.POST[name][:LONGEST_TYPED]
    if not typed:
        return grid
    rows = tuple(
        replace(
            row,
            cells=tuple(typed.get(row.number, {}).get(index, cell) for index, cell in enumerate(row.cells)),
        )
        for row in grid.rows
    )
    return replace(grid, rows=rows)


def _columns(request: Request, grid: Grid) -> list[str]:
    """Read what was chosen for each column; what is not offered is not known."""
    offered = {*FIELDS, LEAVE_OUT}
    said = [request.POST.get(f"column-{index}", "") for index in range(len(grid.header))]
    return [name if name in offered else "" for name in said]


def _choices(request: Request, tournament: Tournament, grid: Grid) -> dict[int, str]:
    """Read what was chosen for each doubtful row; the choice for all holds for the rest."""
    for_all = request.POST.get("row-all", "")
    found = {}
    for row in grid.rows:
        said = request.POST.get(f"row-{row.number}", "") or for_all
        if said in set(Choice):
            found[row.number] = said
    return found


def _what_was_done(counts: dict[str, Any]) -> str:
    """Show what was done."""
    said = [
        ngettext(
            "%(n)s player has been put on the list.",
            "%(n)s players have been put on the list.",
            counts["add"],
        )
        % {"n": counts["add"]}
    ]
    if waiting := counts.get("waiting"):
        said.append(_("Of them on the waiting list: %(n)s.") % {"n": waiting})
    if counts["update"]:
        said.append(_("Updated: %(n)s.") % {"n": counts["update"]})
    if counts["skip"]:
        said.append(_("Skipped: %(n)s.") % {"n": counts["skip"]})
    return " ".join(said)


# What is shown


def _form(
    request: Request, tournament: Tournament, form: UploadForm, closed: list[Problem], *, status: int
) -> HttpResponse:
    return show(
        request,
        "organizer/import",
        tournament,
        form=form,
        closed=sentences(closed) if closed and not form.is_bound else [],
        columns=[_(LABELS[name]) for name in FIELDS],
        status=status,
    )


def _show(
    request: Request,
    tournament: Tournament,
    wish: Wish,
    sealed: str,
    name: str,
    *,
    refused: Refused | None = None,
) -> HttpResponse:
    """Show the table as it was understood, with everything that is wrong or doubtful."""
    understood = operations.look_through(tournament, wish, by=request.actor)
    problems = list(understood.problems)
    unanswered = understood.unanswered
    if refused is not None and not problems and not unanswered:
        problems = list(refused.problems)
    wrong = Refused(*(problems or unanswered)) if problems or unanswered else None
    faulty = {problem.field.split(".")[1] for problem in problems if problem.field.startswith("rows.")}
    return show(
        request,
        "organizer/import_preview",
        tournament,
        sealed=sealed,
        file_name=name,
        encoding=wish.grid.encoding,
        is_windows=wish.grid.encoding == WINDOWS,
        separator=str(SEPARATOR_NAMES.get(wish.grid.separator, "")),
        columns=_column_choices(wish.grid, understood),
        problems=[_fault(problem, wish.grid, understood) for problem in problems[:MOST_PROBLEMS]],
        more=max(0, len(problems) - MOST_PROBLEMS),
        count=len(problems),
        for_all=request.POST.get("row-all", ""),
        heads=[_(LABELS[one]) for one in understood.columns if one in LABELS],
        rows=[_line(row, understood, faulty) for row in understood.rows[:SHOWN_ROWS]],
        total=len(wish.grid.rows),
        hidden=max(0, len(understood.rows) - SHOWN_ROWS),
        good=_good(understood, problems, faulty),
        waiting=_in_waiting(tournament, understood, faulty),
        status=wrong.status if wrong else 200,
        **_questions(understood),
    )


def _questions(understood: Understood) -> dict[str, Any]:
    """Return what the page asks about rows that could be somebody who is on the list already."""
    asked = [row for row in understood.rows if row.question]
    return {
        "asked": [_asked(row) for row in asked[:MOST_ASKED]],
        "more_asked": max(0, len(asked) - MOST_ASKED),
        "choices": [(choice.value, CHOICES[choice]) for choice in Choice],
        "new": len(understood.rows) - len(asked),
    }


def _in_waiting(tournament: Tournament, understood: Understood, faulty: set[str]) -> list[str]:
    """Say who of the rows that can be taken would be put on the waiting list, and why."""
    sound = replace(understood, rows=tuple(row for row in understood.rows if str(row.row) not in faulty))
    found = will_wait(tournament, operations.new_people(sound))
    return [f"{who.name}: {say(why) if why else _('Others have waited longer.')}" for who, why in found]


def _good(understood: Understood, problems: list[Problem], faulty: set[str]) -> int:
    """Count the rows that could be taken without the others; none while the table as a whole is not understood."""
    if not problems or any(not problem.field.startswith("rows.") for problem in problems):
        return 0
    return sum(str(row.row) not in faulty for row in understood.rows)


def _column_choices(grid: Grid, understood: Understood) -> list[dict[str, Any]]:
    first = grid.rows[0].cells if grid.rows else ()
    return [
        {
            "index": index,
            "header": text or "—",
            "sample": first[index] if index < len(first) else "",
            "chosen": understood.columns[index],
            "options": [(name, _(LABELS[name])) for name in FIELDS],
        }
        for index, text in enumerate(grid.header)
    ]


def _fault(problem: Problem, grid: Grid, understood: Understood) -> dict[str, Any]:
    """Return a fault with its row and column, and the cell to be mended."""
    _rows, _dot, rest = problem.field.partition(".")
    row, _dot, name = rest.partition(".")
    is_of_row = problem.field.startswith("rows.")
    cell = _cell_of(grid, understood, int(row), name) if is_of_row and row.isdecimal() else None
    return {
        "row": row if is_of_row else "",
        "column": _(LABELS[name]) if is_of_row and name in LABELS else "",
        "sentence": say(problem),
        "cell": cell,
    }


def _cell_of(grid: Grid, understood: Understood, number: int, name: str) -> dict[str, str] | None:
    """Return the cell that can be mended on the page; a row that does not fit the columns has none."""
    row = next((one for one in grid.rows if one.number == number), None)
    if row is None or name not in understood.columns or len(row.cells) != len(understood.columns):
        return None
    index = understood.columns.index(name)
    return {"name": f"cell-{number}-{index}", "value": row.cells[index]}


def _asked(row: Incoming) -> dict[str, Any]:
    assert row.question is not None
    allowed = [Choice.SKIP, Choice.UPDATE, *([] if row.is_same else [Choice.ADD])]
    return {
        "row": row.row,
        "sentence": say(row.question),
        "choice": row.choice or Choice.SKIP.value,
        "options": [(choice.value, CHOICES[choice]) for choice in allowed],
    }


def _line(row: Incoming, understood: Understood, faulty: set[str]) -> dict[str, Any]:
    return {
        "row": row.row,
        "cells": [row.values.get(name, "") for name in understood.columns if name in LABELS],
        "is_wrong": str(row.row) in faulty,
        "is_asked": row.question is not None,
    }
