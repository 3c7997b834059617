"""Tables that people upload: read in a child process, which returns plain rows."""

from scoring.problems import Problem
from tournaments.web import sandbox
from tournaments.web.rules import Grid, Row, check_size


def read_table(body: bytes) -> Grid:
    """Read a CSV or XLSX file under limits of time and memory. [INTEGRITY 5] [INTEGRITY 28]"""
    check_size(len(body))
    found, _ = sandbox.run("tournaments.web.workbooks:job", [body], field="file")
    rows = tuple(Row(number, tuple(cells)) for number, *cells in found["rows"])
    problems = tuple(
        Problem(code, sentence, field, details=details)
        for code, sentence, field, details in found["problems_of_rows"]
    )
    return Grid(tuple(found["header"]), rows, found["encoding"], found["separator"], problems)
