"""Ask this container's own process whether it is well; standard library only, for Docker's HEALTHCHECK.

`python -m config.healthcheck` asks the server, `python -m config.healthcheck FILE` asks whether the process whose number
stands in the file is alive.
"""

import os
import sys
import urllib.request
from pathlib import Path


def server_is_ready() -> bool:
    """Ask /readyz under a name that the site answers to."""
    name = (
        os.environ.get("ALLOWED_HOSTS", "localhost")
        .split(",")[0]
        .strip()
        .lstrip(".")
        .replace("*", "localhost")
    )
    address = f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/readyz"
    request = urllib.request.Request(address, headers={"Host": name})
    try:
        with urllib.request.urlopen(request, timeout=4) as answer:  # noqa: S310 -- our own address
            return bool(answer.status == 200)
    except OSError:
        return False


def process_lives(path: Path) -> bool:
    """Look whether the process is there."""
    try:
        os.kill(int(path.read_text()), 0)
    except (OSError, ValueError):
        return False
    return True


def main() -> None:
    """Answer by the exit status."""
    is_well = process_lives(Path(sys.argv[1])) if len(sys.argv) > 1 else server_is_ready()
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
