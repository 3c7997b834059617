"""Static files under names that contain a digest of their content, so that browsers may keep them for ever."""

from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tournaments.web import styles


class HashedFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage that also rewrites what ES modules import from each other, and joins the styles of the site."""

    support_js_module_import_aggregation = True
    max_post_process_passes = 30
    """How many modules may import one another in a row: a name is known once those of all that a module imports are."""

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Put the styles of the site together in one file, and hash all files."""
        if styles.SITE in paths and not dry_run:
            self.delete(styles.SITE)
            self.save(styles.SITE, ContentFile(styles.styles_of_the_site()))
            paths = {**paths, styles.SITE: (self, styles.SITE)}
        yield from super().post_process(paths, dry_run=dry_run, **options)
