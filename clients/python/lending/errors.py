"""What can go wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class LendingError(Exception):
    """What everything that goes wrong here is; arguments of the wrong kind are a TypeError or a ValueError."""


class ServiceError(LendingError):
    """The service said no, and what to change. Branch on ``code``, never on the message.

    >>> try:
    ...     lending.borrow(authority=wallet, bank=bank, amount="250")
    ... except ServiceError as error:
    ...     if error.code != "BORROW_LIMIT_EXCEEDED":
    ...         raise
    ...     print("at most", error.details["max_borrow"])
    """

    code: str
    """Stable, such as ``RATE_LIMITED``; its HTTP status is fixed."""
    status: int
    details: Mapping[str, Any]
    """Facts of that code, such as ``max_borrow`` or ``accounts``."""
    retryable: bool
    """Whether the same call may succeed later."""
    retry_after: float | None
    """Seconds to wait before that; None where the service does not say."""
    docs: str | None
    """Where the code is explained."""
    request_id: str | None
    """Names the request in the service's log."""

    def __init__(
        self, body: Mapping[str, Any], *, status: int, retry_after: float | None, request_id: str | None
    ) -> None:
        super().__init__(f"{body['code']}: {body['error']}")
        self.code = body["code"]
        self.status = status
        self.details = body.get("details") or {}
        self.retryable = body.get("retryable") is True
        self.retry_after = retry_after
        self.docs = body.get("docs")
        self.request_id = request_id


class UnreachableError(LendingError):
    """No answer, none in time, or one that is not the service's: a proxy's page, half a body."""


class EnvelopeError(LendingError):
    """An envelope that cannot be handed over, or was and came to nothing.

    ``kind`` is one of: ``malformed`` (it is none), ``preview`` (it has no bytes), ``expired`` (its blockhash is over: build again),
    ``no_bundle`` (it is a bundle and nobody sends bundles), ``unsigned`` (the signer gave back something else than one signed
    transaction for each), ``failed`` (one failed in its block; ``err`` is why).
    """

    def __init__(self, kind: str, message: str, *, signatures: Sequence[str] = (), err: Any = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.signatures: tuple[str, ...] = tuple(signatures)
        """Of those that were sent before, in order; the last one is what failed."""
        self.err = err
