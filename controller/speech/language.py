"""The languages there is a pack of texts for."""

from enum import Enum


class Language(Enum):
    """By the code that browsers and voices use (BCP 47)."""

    ENGLISH = "en"
    ARABIC = "ar"
    FRENCH = "fr"
    GEORGIAN = "ka"
    GERMAN = "de"
    GREEK = "el"
    LITHUANIAN = "lt"
    RUSSIAN = "ru"
    SPANISH = "es"
    TURKISH = "tr"
