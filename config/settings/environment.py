"""How settings are read from the environment: words, yes or no, numbers, secrets and addresses of databases."""

import importlib.util
import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

YES = {"1", "true", "yes", "on"}
NO = {"", "0", "false", "no", "off"}


def secret(name: str) -> str:
    """Read a secret that must be there, by itself or from the file named in NAME_FILE; a missing one stops the start."""
    value = optional_secret(name)
    if not value:
        raise SystemExit(f"{name} is not set. Set it in the environment before starting Four Winds.")
    return value


def optional_secret(name: str) -> str:
    """Read a secret that may be missing, by itself or from the file named in NAME_FILE; empty without one."""
    path = os.environ.get(f"{name}_FILE", "")
    if not path:
        return os.environ.get(name, "")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SystemExit(f"{name}_FILE names a file that cannot be read: {error}.") from error


def flag(name: str, default: bool = False) -> bool:
    """Read a yes or no; any other word stops the start instead of meaning one of them."""
    word = os.environ.get(name, "1" if default else "0").strip().lower()
    if word not in YES | NO:
        raise SystemExit(f"{name} is “{word}”; write 1 or 0.")
    return word in YES


def number(name: str, default: int) -> int:
    """Read a whole number."""
    word = os.environ.get(name, "").strip() or str(default)
    if not (word.isascii() and word.isdigit()):
        raise SystemExit(f"{name} is “{word}”; write a whole number.")
    return int(word)


def choice(name: str, default: str, known: set[str]) -> str:
    """Read one word of a few."""
    word = os.environ.get(name, "").strip() or default
    if word not in known:
        raise SystemExit(f"{name} is “{word}”; it may be {', '.join(sorted(known))}.")
    return word


def listed(name: str, default: str = "") -> list[str]:
    """Read a list of words parted by commas."""
    return words_of(os.environ.get(name, default))


def words_of(text: str) -> list[str]:
    """Split a text at its commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def sqlite(path: str | Path) -> dict[str, Any]:
    """Describe a SQLite file that many threads may write and that survives a power cut."""
    return {
        "ENGINE": "config.server.sqlite",
        "NAME": str(path),
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-20000; "
                "PRAGMA recursive_triggers=ON;"
            ),
        },
    }


def need_psycopg() -> None:
    """Stop the start where PostgreSQL cannot be reached for want of its package, and say what to install."""
    if importlib.util.find_spec("psycopg") is None:
        raise SystemExit(
            "DATABASE_URL names a PostgreSQL, but the package psycopg is not installed here. It is not published for"
            " Windows on ARM: take the 64-bit Intel Python there. Elsewhere install requirements.lock."
        )


def database(url: str) -> dict[str, Any]:
    """Describe the database of an address such as postgresql://user:password@host:5432/name?pool=8.

    `pool` keeps that many connections for all threads; without it each thread keeps its own for `conn_max_age` s.
    Everything else after the question mark goes to libpq as it is: `sslmode=verify-full`, `host=/run/postgresql`.
    A password that the address leaves out is read as the secret POSTGRES_PASSWORD.
    """
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return sqlite(unquote(parts.path).removeprefix("/"))
    if parts.scheme not in {"postgresql", "postgres"}:
        raise SystemExit(f"DATABASE_URL: “{parts.scheme}” is not known; use postgresql:// or sqlite:///.")
    need_psycopg()
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    host = options.pop("host", parts.hostname or "")
    age = int(options.pop("conn_max_age", 60))
    options.setdefault("connect_timeout", 5)
    options.setdefault("options", "-c lock_timeout=20s -c idle_in_transaction_session_timeout=60s")
    if "pool" in options:
        age, options["pool"] = 0, {"min_size": 1, "max_size": int(options["pool"]), "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.removeprefix("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or "") or optional_secret("POSTGRES_PASSWORD"),
        "HOST": host,
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,
        "CONN_MAX_AGE": age,
        "OPTIONS": options,
    }
