"""The penalties application."""

from django.apps import AppConfig


class PenaltiesConfig(AppConfig):
    """What Django knows of this application."""

    name = "penalties"

    def ready(self) -> None:
        """Let records of tournaments hold what was judged, and the record ask its judges."""
        from penalties.exchange import Judgements
        from penalties.judges import PenaltyJudges
        from tournaments.exchange import judging
        from tournaments.record import judges

        judging.register(Judgements())
        judges.register(PenaltyJudges())
