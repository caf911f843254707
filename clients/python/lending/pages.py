"""Lists, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .errors import UnreachableError


def each_row(fetch_page: Callable[[str | None], Any], name: str) -> Iterator[dict[str, Any]]:
    """Hands out the rows of all pages one by one; the next page is asked for when the one before is used up."""
    cursor: str | None = None
    while True:
        page = fetch_page(cursor)
        rows = page.get(name) if isinstance(page, dict) else None
        if not isinstance(rows, list):
            raise UnreachableError(f"a page without {name}")
        yield from rows
        following = page.get("next_cursor")
        if following is None:
            return
        if following == cursor:
            raise UnreachableError(f"the pages of {name} do not end: next_cursor is the one before")
        cursor = following
