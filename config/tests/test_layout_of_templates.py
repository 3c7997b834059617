"""Templates can be read: no line is wider than a reader's window."""

from django.conf import settings

WIDTH = 160


def test_no_line_of_a_template_is_wider_than_a_window():
    wide = [
        f"{path.relative_to(settings.BASE_DIR)}:{number}"
        for path in sorted((settings.BASE_DIR / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDTH
    ]
    assert wide == []
