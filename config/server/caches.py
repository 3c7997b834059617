"""The cache that sign-in and the tablets' codes count tries in: a site whose Redis is away goes on without it."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class ForgivingCache(RedisCache):
    """Redis, or an empty cache while it is away: nobody is kept out because a try could not be counted."""

    def get(self, *args: Any, **named: Any) -> Any:
        """Return what is kept, or the default."""
        default = named.get("default", args[1] if len(args) > 1 else None)
        return self._or(default, super().get, *args, **named)

    def get_many(self, *args: Any, **named: Any) -> Any:
        """Return what is kept of many."""
        return self._or({}, super().get_many, *args, **named)

    def set(self, *args: Any, **named: Any) -> Any:
        """Keep a value."""
        return self._or(None, super().set, *args, **named)

    def set_many(self, *args: Any, **named: Any) -> Any:
        """Keep many values; report none as lost, since callers compute missing values again."""
        return self._or([], super().set_many, *args, **named)

    def add(self, *args: Any, **named: Any) -> Any:
        """Keep a value where there is none; while Redis is away it counts as kept."""
        return self._or(True, super().add, *args, **named)

    def delete(self, *args: Any, **named: Any) -> Any:
        """Forget a value."""
        return self._or(False, super().delete, *args, **named)

    def incr(self, *args: Any, **named: Any) -> Any:
        """Count one more."""
        return self._or(1, super().incr, *args, **named)

    def _or(self, otherwise: Any, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        try:
            return work(*args, **named)
        except RedisError as error:
            logger.warning("Redis keeps nothing just now (%s); the site goes on without it.", error)
            return otherwise
