"""Static files as production serves them: compressed, named by what is in them, and kept by browsers for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Names the modules that a script imports by their contents too."""

    support_js_module_import_aggregation = True
