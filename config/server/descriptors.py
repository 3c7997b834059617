"""How many descriptors this process may open, and how tablets, the desk, streams and strangers share them."""

import logging
from dataclasses import dataclass

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

UNLIMITED = 65_536
MOST = 1_048_576
OWN = 64
"""What the process itself opens: the database, its files, Redis, the log, listening."""


@dataclass(frozen=True)
class Budget:
    """How many connections there may be, how many of them are kept for tablets and the desk, and how many are streams."""

    descriptors: int
    connections: int
    reserve: int
    streams: int


def raise_limit() -> int:
    """Raise the number of descriptors to what the system allows at most; return it."""
    if resource is None:
        return UNLIMITED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else hard
    for most in (wanted, min(wanted, UNLIMITED)):
        if soft == resource.RLIM_INFINITY or soft >= most:
            break
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):  # macOS names a limit that it does not grant
            continue
        soft = most
        break
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft


def divide(descriptors: int, most_streams: int) -> Budget:
    """Divide the descriptors: a quarter of the connections is kept, of the rest two thirds may be streams."""
    connections = max(descriptors - OWN, descriptors // 2)
    reserve = min(connections // 4, 4096)
    streams = min(most_streams, (connections - reserve) * 2 // 3)
    return Budget(descriptors, connections, reserve, streams)


PLENTY = divide(UNLIMITED, UNLIMITED)


def tell(budget: Budget) -> None:
    """Log the numbers at the start."""
    logger.info(
        "%d descriptors: %d connections, %d of them kept for tablets and the desk, at most %d live streams",
        budget.descriptors,
        budget.connections,
        budget.reserve,
        budget.streams,
    )
