"""The secret of an installation without production settings: made once, whole, and its owner's alone."""

import runpy
import stat

from config.settings import development


def test_secret_is_made_once_and_is_its_owners_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(development, "VAR_DIR", tmp_path)
    first = development.kept_secret()
    assert len(first) > 60
    assert development.kept_secret() == first
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_secret_left_empty_by_a_killed_start_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(development, "VAR_DIR", tmp_path)
    (tmp_path / "secret").touch()
    assert development.kept_secret()


def test_a_secret_that_was_exchanged_is_still_accepted_where_it_is_named(tmp_path, monkeypatch):
    """A player's private link stays good without production settings, too."""
    (tmp_path / "secret-before").write_text("the-secret-of-yesterday\n")
    monkeypatch.setenv("SECRET_KEY", "the-secret-of-today")
    monkeypatch.setenv("SECRET_KEY_FALLBACKS_FILE", str(tmp_path / "secret-before"))
    found = runpy.run_path(development.__file__)
    assert (found["SECRET_KEY"], found["SECRET_KEY_FALLBACKS"]) == (
        "the-secret-of-today",
        ["the-secret-of-yesterday"],
    )
