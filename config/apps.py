"""The configuration package as an application: it owns the management commands that concern the whole site."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """What Django knows of this package."""

    name = "config"
    verbose_name = "Four Winds"

    def ready(self) -> None:
        """Count what happens, allauth's tries among it; where there are workers, tell every thread of their broker."""
        from django.conf import settings

        from config.accounts import keep_counts_of_allauth
        from config.operator import counting

        counting.connect()
        keep_counts_of_allauth()
        if not settings.EMBEDDED:
            from config import celery  # noqa: F401
