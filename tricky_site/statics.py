"""Static files under names that change with what is in them."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]


class HashedStatics(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also what our own scripts import is imported by such a name.

    Scripts of others are left as they are, because they speak of imports that are
    none; but for the reader of codes, whose two files are in fact two.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("scoring/js/*.js", IMPORTS),
        ("scoring/vendor/qr-*.js", IMPORTS),
    )
