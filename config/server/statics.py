"""Static files under names that contain a digest of their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """WhiteNoise's storage that also rewrites what ES modules import from each other."""

    support_js_module_import_aggregation = True
