"""Errors to Sentry, for whoever has one: only with SENTRY_DSN, and without anything that names a person or opens a link."""

from typing import Any

NOT_INSTALLED = (
    "SENTRY_DSN is set, but the package sentry-sdk is not installed. Install it with pip, or with Docker put"
    " EXTRA_PACKAGES=sentry-sdk into .env and build again; or leave SENTRY_DSN empty."
)


def start(dsn: str, role: str) -> None:
    """Send errors to Sentry from now on; nothing without an address, and no start without the package."""
    if not dsn:
        return
    try:
        import sentry_sdk
    except ImportError as error:
        raise SystemExit(NOT_INSTALLED) from error
    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0,
        before_send=without_people,
    )
    sentry_sdk.set_tag("role", role)


def without_people(event: dict[str, Any], hint: Any = None) -> dict[str, Any]:
    """Leave out addresses, headers and users: a player's link is in the address, a name may be in a form."""
    for name in ("request", "transaction", "user", "breadcrumbs", "extra", "contexts", "server_name"):
        event.pop(name, None)
    return event
