"""One machine, one process: what `python3 run.py` serves in a hall or on a desk."""

import os
import secrets
import stat

from config.server.sqlite.private import close_to_others
from config.settings.base import *  # noqa: F403
from config.settings.base import VAR_DIR
from config.settings.environment import flag, optional_secret, words_of

VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
if (VAR_DIR / "secret").exists() and not VAR_DIR.stat().st_mode & stat.S_ISVTX:
    close_to_others(VAR_DIR)


def kept_secret() -> str:
    """Read the secret of this installation, made once and readable by its owner only; there whole or not at all."""
    path = VAR_DIR / "secret"
    if not path.exists() or not path.read_text():
        fresh = path.with_name(f"secret-{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        fresh.replace(path)
    close_to_others(path)
    return path.read_text()


SECRET_KEY = os.environ.get("SECRET_KEY") or kept_secret()
SECRET_KEY_FALLBACKS = words_of(optional_secret("SECRET_KEY_FALLBACKS"))
DEBUG = flag("DEBUG")
STYLEGUIDE = True
