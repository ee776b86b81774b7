"""Settings, the set-up of a match, and the match configuration that they make (`README.md`).

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.settings.atomic_file import data_folder, open_atomically, write_atomically
    from controller.settings.build_match_config import title_of
    from controller.settings.form_fields import SettingField, setting_fields, value_at
    from controller.settings.game_options import GameOption
    from controller.settings.match_set_up import (
        ON_TURN,
        SET_UP_KEYS,
        AgreedMatch,
        MatchChoices,
        make_agreed_match,
        read_match_form,
    )
    from controller.settings.resumed_match_config import describe_overridden_settings, restore_match_config
    from controller.settings.settings import (
        KnownNames,
        LedSettings,
        Mistake,
        Settings,
        SettingsError,
        SettingsInput,
        SpeechSettings,
        WebSettings,
        read_settings,
    )
    from controller.settings.store import (
        CheckedSettings,
        FileChangedError,
        SettingsStore,
        SettingsWatcher,
        make_known_names,
    )
    from controller.settings.toml_edit import KeyPath, TomlScalar

__all__ = [
    "ON_TURN",
    "SET_UP_KEYS",
    "AgreedMatch",
    "CheckedSettings",
    "FileChangedError",
    "GameOption",
    "KeyPath",
    "KnownNames",
    "LedSettings",
    "MatchChoices",
    "Mistake",
    "SettingField",
    "Settings",
    "SettingsError",
    "SettingsInput",
    "SettingsStore",
    "SettingsWatcher",
    "SpeechSettings",
    "TomlScalar",
    "WebSettings",
    "data_folder",
    "describe_overridden_settings",
    "make_agreed_match",
    "make_known_names",
    "open_atomically",
    "read_match_form",
    "read_settings",
    "restore_match_config",
    "setting_fields",
    "title_of",
    "value_at",
    "write_atomically",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "atomic_file": ("data_folder", "open_atomically", "write_atomically"),
    "build_match_config": ("title_of",),
    "form_fields": ("SettingField", "setting_fields", "value_at"),
    "game_options": ("GameOption",),
    "match_set_up": ("AgreedMatch", "MatchChoices", "ON_TURN", "SET_UP_KEYS", "make_agreed_match", "read_match_form"),
    "resumed_match_config": ("describe_overridden_settings", "restore_match_config"),
    "settings": (
        "KnownNames",
        "LedSettings",
        "Mistake",
        "Settings",
        "SettingsError",
        "SettingsInput",
        "SpeechSettings",
        "WebSettings",
        "read_settings",
    ),
    "store": ("CheckedSettings", "FileChangedError", "SettingsStore", "SettingsWatcher", "make_known_names"),
    "toml_edit": ("KeyPath", "TomlScalar"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
