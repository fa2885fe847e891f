"""A channel that is being imported, until it is there."""

from dataclasses import dataclass

from functions.core import tables
from functions.core.models import Entity


@dataclass(frozen=True, slots=True)
class ChannelImport(Entity):
    """Stands for a channel while what lies below it is written: nobody sees it before all of it is there.

    Whoever finds one whose writer died removes what was written, or goes on with it.
    """

    channel_id: str
    owner: str
    """The writer."""
    fingerprint: str
    """Of what is imported: only the same can be continued."""
    lease_until: str

    def keys(self) -> dict[str, str]:
        return tables.channel_import_key(self.channel_id)
