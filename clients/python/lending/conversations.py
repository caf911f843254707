"""The conversations of whoever the token belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from .pages import each_row
from .transport import Transport

ROOT = "/v1/conversations"


class Conversations:
    """Needs a token. Reading conversations records nothing."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, cursor: str | None = None) -> dict[str, Any]:
        """One page, the newest first: ``data``, ``has_more``, ``next_cursor``. ``limit`` is 1 to 100; the service's default is 10."""
        return self._transport.call("GET", ROOT, query={"limit": limit, "cursor": cursor})

    def each(self, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        """All of them, the newest first; ``limit`` is the length of a page."""
        return each_row(lambda cursor: self.list(limit=limit, cursor=cursor), "data")

    def create(self, title: str | None = None) -> dict[str, Any]:
        return self._transport.call("POST", ROOT, body={"title": title}, once=True)

    def get(self, conversation: str) -> dict[str, Any]:
        return self._transport.call("GET", _path(conversation))

    def rename(self, conversation: str, title: str) -> dict[str, Any]:
        return self._transport.call("PATCH", _path(conversation), body={"title": title})

    def delete(self, conversation: str) -> None:
        self._transport.call("DELETE", _path(conversation))

    def entries(self, conversation: str, *, limit: int | None = None, cursor: str | None = None) -> dict[str, Any]:
        """One page of what was asked in it."""
        return self._transport.call("GET", f"{_path(conversation)}/entries", query={"limit": limit, "cursor": cursor})

    def each_entry(self, conversation: str, *, limit: int | None = None) -> Iterator[dict[str, Any]]:
        return each_row(lambda cursor: self.entries(conversation, limit=limit, cursor=cursor), "data")


def _path(conversation: str) -> str:
    return f"{ROOT}/{quote(conversation, safe='')}"
