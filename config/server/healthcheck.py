"""Ask this container's own process whether it is well; standard library only, for Docker's HEALTHCHECK.

`python -m config.server.healthcheck` asks the server, `python -m config.server.healthcheck FILE` asks whether the process whose number
stands in the file is alive.
"""

import os
import sys
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path


def server_is_ready() -> bool:
    """Return whether /readyz answers, asked under a name that the site has."""
    name = (
        os.environ.get("ALLOWED_HOSTS", "localhost")
        .split(",")[0]
        .strip()
        .lstrip(".")
        .replace("*", "localhost")
    )
    port = int(os.environ.get("PORT") or 8000)
    try:
        with closing(HTTPConnection("127.0.0.1", port, timeout=4)) as asked:
            asked.request("GET", "/readyz", headers={"Host": name})
            return asked.getresponse().status == 200
    except (OSError, HTTPException):
        return False


def process_lives(path: Path) -> bool:
    """Return whether the process is there."""
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
