"""Client of the lending agent service: reads, unsigned transactions, conversations. Standard library only; signs nothing."""

from .client import LendingClient
from .conversations import Conversations
from .envelope import Envelope
from .errors import EnvelopeError, LendingError, ServiceError, UnreachableError

__all__ = [
    "Conversations",
    "Envelope",
    "EnvelopeError",
    "LendingClient",
    "LendingError",
    "ServiceError",
    "UnreachableError",
]
