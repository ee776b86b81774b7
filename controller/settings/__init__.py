"""Settings, the set-up of a match, and the match configuration that they make (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.rules.bounded_toml import KeyPath
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
    from controller.settings.receiver_settings import (
        MqttSettings,
        ObsSettings,
        SceneSettings,
        ViewerSetting,
        WebhookSettings,
    )
    from controller.settings.resumed_match_config import describe_overridden_settings, restore_match_config
    from controller.settings.settings import (
        KnownNames,
        LedSettings,
        LogSettings,
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
    from controller.settings.toml_edit import TomlScalar
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
