"""httpx logs the address of each request at INFO, and some of ours have a person's name or e-mail address in their query.

Promise: what httpx logs of this package's requests has no query. Requests of others are left as they are.
"""

from __future__ import annotations

import logging
import re

import httpx

_OURS = re.compile(r"/v1/(?:suggest|lists/[0-9]+/results|accounts)$")


def _without_query(record: logging.LogRecord) -> bool:
    if isinstance(record.args, tuple):
        record.args = tuple(_bare(arg) if isinstance(arg, httpx.URL) else arg for arg in record.args)
    return True


def _bare(url: httpx.URL) -> httpx.URL:
    return url.copy_with(query=None) if url.query and _OURS.search(url.path) else url


def keep_addresses_out_of_logs() -> None:
    logging.getLogger("httpx").addFilter(_without_query)
