"""The settings people have chosen for themselves, and the operators' defaults."""

from functions.record.models.people import DefaultSettings, PersonalSettings
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_get, get, put_versioned


def settings_of_user(user_id: str) -> tuple[PersonalSettings, DefaultSettings]:
    """Reads both in one consistent request; version 0 if nothing is stored."""
    own, defaults = PersonalSettings(user_id=user_id), DefaultSettings()
    keys = [own.keys(), defaults.keys()]
    for item in batch_get(main_table(), keys, ConsistentRead=True):
        if item["PK"]["S"] == tables.DEFAULT_SETTINGS_KEY["PK"]:
            defaults = DefaultSettings.from_item(item)
        else:
            own = PersonalSettings.from_item(item)
    return own, defaults


def default_settings() -> DefaultSettings:
    item = get(main_table(), tables.DEFAULT_SETTINGS_KEY, consistent=True)
    return DefaultSettings.from_item(item) if item else DefaultSettings()


def save_settings(settings: PersonalSettings | DefaultSettings) -> bool:
    """Returns False if the stored version is not the previous one, because of a concurrent change."""
    return put_versioned(settings.to_item(), settings.version - 1)
