"""How a long draw tells how far it is, and how it is stopped."""

from collections.abc import Callable
from dataclasses import dataclass, field

Steps = Callable[[int], None]
Report = Callable[[int, int], None]


class Cancelled(Exception):
    """The draw was given up on request; nothing of it remains."""


def nothing(steps: int) -> None:
    """Count no steps."""


@dataclass
class Meter:
    """Counts the steps of a draw, reports them, and stops it when asked to."""

    total: int
    report: Report | None = None
    is_cancelled: Callable[[], bool] | None = None
    done: int = field(default=0, init=False)

    def __call__(self, steps: int) -> None:
        """Count some steps more; the last step is left for the end."""
        if self.is_cancelled is not None and self.is_cancelled():
            raise Cancelled
        self.done = min(self.done + steps, self.total - 1)
        if self.report is not None:
            self.report(self.done, self.total)

    def finish(self) -> None:
        """Report that all is done."""
        self(0)
        self.done = self.total
        if self.report is not None:
            self.report(self.total, self.total)
