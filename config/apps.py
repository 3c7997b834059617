"""The configuration package as an application: it owns the management commands that concern the whole site."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """What Django knows of this package."""

    name = "config"
    verbose_name = "Four Winds"

    def ready(self) -> None:
        """Where there are workers, let every thread know through which broker they are asked."""
        from django.conf import settings

        if not settings.EMBEDDED:
            from config import celery  # noqa: F401
