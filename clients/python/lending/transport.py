"""One base URL, asked as the service wants to be asked: in time, again when it says so, never elsewhere."""

from __future__ import annotations

import gzip
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from .errors import LendingError, ServiceError, UnreachableError

# A wait is lengthened by up to this much, so that many who were told the same do not come back at once.
SPREAD_SECONDS = 0.25
# Answers to whoever came too soon, or while the service was away: nothing was done for them.
WAITING_STATUSES = (429, 503)
CHUNK_BYTES = 65_536


class _StayHere(urllib.request.HTTPRedirectHandler):
    """A token is for one host: whoever wants to be asked elsewhere is named in base_url."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


class Transport:
    """Makes calls; holds the headers that go with each, and shows them to nobody."""

    def __init__(self, base_url: str, *, headers: Mapping[str, str], timeout: float, max_wait: float) -> None:
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError(f"base_url is {base_url!r}, which is no http or https address")
        self._base_url = base_url.rstrip("/")
        self._headers = dict(headers)
        self._timeout = timeout
        self._max_wait = max_wait
        self._opener = urllib.request.build_opener(_StayHere())

    def __repr__(self) -> str:
        return f"Transport({self._base_url!r})"

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        once: bool = False,
    ) -> Any:
        """The answer's body, parsed; None where there is none.

        With ``once`` it is not repeated where the service was away, since it might have been done.

        :raises ServiceError: the service refused.
        :raises UnreachableError: it did not answer, or something else did.
        """
        left = self._max_wait
        request = self._request(method, path, query, body, headers)
        while True:
            status, answered, text = self._send(request)
            if 200 <= status < 300:
                return None if text == b"" else _parse(text, f"{method} {path}", status)
            error, retry_after = _refusal(f"{method} {path}", status, answered, text)
            again = status in WAITING_STATUSES and not (once and status == 503)
            if not again or retry_after is None or retry_after > left:
                raise error
            left -= retry_after
            time.sleep(retry_after + random.random() * SPREAD_SECONDS)

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None,
    ) -> urllib.request.Request:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = f"{self._base_url}{path}{'?' if given else ''}{urllib.parse.urlencode(given)}"
        data = None if body is None else json.dumps(_left_in(body), default=_exact, allow_nan=False).encode()
        sent = {"Accept": "application/json", "Accept-Encoding": "gzip", **self._headers, **(headers or {})}
        if data is not None:
            sent["Content-Type"] = "application/json"
        return urllib.request.Request(url, data=data, headers=sent, method=method)

    def _send(self, request: urllib.request.Request) -> tuple[int, Mapping[str, str], bytes]:
        deadline = time.monotonic() + self._timeout
        place = f"{request.get_method()} {request.full_url.partition('?')[0]}"
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refused:
                response = refused
            with response:
                text = _read(response, deadline)
                if response.headers.get("Content-Encoding") == "gzip":
                    text = gzip.decompress(text)
                return response.status, response.headers, text
        except (OSError, http.client.HTTPException, EOFError) as cause:
            reason = getattr(cause, "reason", cause)
            late = isinstance(cause, TimeoutError) or isinstance(reason, TimeoutError)
            why = f"within {self._timeout} s" if late else f"({reason})"
            raise UnreachableError(f"{place}: no answer {why}") from cause


def _read(response: Any, deadline: float) -> bytes:
    """All of the body; the opener's own timeout is for one packet, which a slow sender could do for ever."""
    chunks = []
    while chunk := response.read1(CHUNK_BYTES):
        chunks.append(chunk)
        if time.monotonic() > deadline:
            raise TimeoutError
    text = b"".join(chunks)
    announced = response.headers.get("Content-Length")
    if announced is not None and response.headers.get("Transfer-Encoding") is None and len(text) < int(announced):
        raise http.client.IncompleteRead(text)
    return text


def _parse(text: bytes, call: str, status: int) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        raise UnreachableError(f"{call}: answered {status} with something that is not JSON") from cause


def _refusal(call: str, status: int, headers: Mapping[str, str], text: bytes) -> tuple[LendingError, float | None]:
    try:
        body = json.loads(text)
    except ValueError:
        body = None  # A proxy's page; its words are not shown, since nobody knows whose they are.
    if not isinstance(body, dict):
        body = {}
    retry_after = _seconds(headers.get("Retry-After", body.get("retry_after_s")))
    if isinstance(body.get("code"), str) and isinstance(body.get("error"), str):
        request_id = headers.get("X-Request-Id")
        return ServiceError(body, status=status, retry_after=retry_after, request_id=request_id), retry_after
    return UnreachableError(f"{call}: answered {status}, and not as the service does"), retry_after


def _seconds(told: Any) -> float | None:
    try:
        seconds = float(told)
    except (TypeError, ValueError):
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _exact(value)
    if isinstance(value, (list, tuple)):
        return ",".join(_text(one) for one in value)
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _left_in(body: Mapping[str, Any]) -> dict[str, Any]:
    """None is "left out", as for the service."""
    return {name: value for name, value in body.items() if value is not None}


def _exact(value: Any) -> str:
    """What JSON has no words for, as text that nothing is lost of."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone")
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be sent")
