"""The client of those who run the service: accounts and lists of all, sources, nodes, the audit trail.

    from mxproof.admin import AdminClient

    with AdminClient() as admin:  # MXPROOF_ADMIN_KEY and MXPROOF_URL
        print(admin.overview().queue)

`AsyncAdminClient` has the same methods, awaited. What can go wrong is in `mxproof`.
"""

from __future__ import annotations

from . import _admin_types
from ._admin import AccountsPage
from ._admin_async import AsyncAdminClient
from ._admin_sync import AdminClient
from ._admin_types import *  # noqa: F403

__all__ = ["AccountsPage", "AdminClient", "AsyncAdminClient"]
__all__ += _admin_types.__all__

# Shown and pickled by the names that people import.
for _it in (AdminClient, AsyncAdminClient):
    _it.__module__ = __name__
