"""What a builder answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import EnvelopeError


class Envelope:
    """Unsigned transactions, in order, and how they are to be sent.

    It holds no key and asks for none; :meth:`hand_over` gives them to functions of yours that sign and send. ``reply`` is the whole
    answer under the names of the wire.
    """

    def __init__(self, reply: Mapping[str, Any]) -> None:
        _check(reply)
        self.reply = reply
        self._expires_at = time.monotonic() + reply["blockhash"]["expires_in_seconds"]

    def __repr__(self) -> str:
        return f"<Envelope {self.plan_id}: {self.summary}>"

    @property
    def account(self) -> str:
        """The lending account it is about, also before it exists."""
        return self.reply["account"]

    @property
    def transactions(self) -> Sequence[Mapping[str, Any]]:
        """Unsigned, in the order they are sent: ``base64``, ``type``, ``label`` and more."""
        return self.reply["transactions"]

    @property
    def action(self) -> Mapping[str, Any]:
        """The one of them that does what was asked."""
        return self.transactions[self.reply["action_tx_index"]]

    @property
    def submit(self) -> str:
        """``sequential``: one after the other, each confirmed; ``bundle``: all at once, all or none."""
        return self.reply["submit"]

    @property
    def summary(self) -> str:
        """One sentence to show before anybody signs."""
        return self.reply.get("summary", "")

    @property
    def plan_id(self) -> str:
        """Names the envelope for ``simulate`` and ``verify``."""
        return self.reply.get("plan_id", "")

    @property
    def post_health(self) -> Mapping[str, Any]:
        """The account after the action, as simulated."""
        return self.reply["simulation"]["post_health"]

    @property
    def warnings(self) -> Sequence[Mapping[str, Any]]:
        """What to know before signing."""
        return self.reply["simulation"]["warnings"]

    @property
    def last_valid_block_height(self) -> int:
        """After this block height nothing of it can land."""
        return self.reply["blockhash"]["last_valid_block_height"]

    @property
    def seconds_left(self) -> float:
        """Until the blockhash is over, by the service's estimate when it answered; 0 when it is."""
        return max(0.0, self._expires_at - time.monotonic())

    @property
    def is_expired(self) -> bool:
        return self.seconds_left == 0

    @property
    def is_preview(self) -> bool:
        return any(transaction["base64"] is None for transaction in self.transactions)

    def unsigned(self) -> list[str]:
        """The bytes to sign, as base64, in order.

        :raises EnvelopeError: ``preview`` or ``expired``.
        """
        if self.is_preview:
            raise EnvelopeError("preview", "a preview has no bytes: build again without preview_only")
        if self.is_expired:
            raise _expired([])
        return [transaction["base64"] for transaction in self.transactions]

    def hand_over(
        self,
        *,
        sign: Callable[[list[str]], Sequence[str]],
        send: Callable[[str], str],
        confirm: Callable[[str], Any],
        send_bundle: Callable[[Sequence[str]], str | Sequence[str]] | None = None,
    ) -> list[str]:
        """Has your signer sign all of it, and your sender send it the way ``submit`` says.

        In order, each after the one before is confirmed without an error; or as one bundle.

        :param sign: all transactions as base64, signed by the authority, in the same order.
        :param send: sends one and answers its signature.
        :param confirm: waits until it is confirmed and answers its ``err``, None where it succeeded; raises where it can no longer land.
        :param send_bundle: hands all of them to a block engine as one bundle.
        :returns: the signatures, in order; of a bundle what ``send_bundle`` answered.
        :raises EnvelopeError: ``preview``, ``expired``, ``no_bundle`` before anything is signed; ``unsigned``, ``expired``, ``failed`` later.
        """
        unsigned = self.unsigned()
        if self.submit == "bundle" and send_bundle is None:
            raise EnvelopeError(
                "no_bundle", "one by one these would fail, or leave a position half open: pass send_bundle"
            )
        signed = sign(unsigned)
        is_list = not isinstance(signed, (str, bytes)) and isinstance(signed, Sequence)
        if not is_list or len(signed) != len(unsigned) or not all(isinstance(one, str) for one in signed):
            raise EnvelopeError("unsigned", f"sign gave back no list of {len(unsigned)} transactions as base64")
        if self.is_expired:
            raise _expired([])
        if self.submit == "bundle" and send_bundle is not None:
            landed = send_bundle(signed)
            return [landed] if isinstance(landed, str) else list(landed)
        signatures: list[str] = []
        for transaction, one in zip(self.transactions, signed):
            if self.is_expired:
                raise _expired(signatures)
            signature = send(one)
            signatures.append(signature)
            err = confirm(signature)
            if err is not None:
                message = f'"{transaction["label"]}" ({signature}) failed in its block: {err}'
                raise EnvelopeError("failed", message, signatures=signatures, err=err)
        return signatures


def _expired(signatures: Sequence[str]) -> EnvelopeError:
    return EnvelopeError("expired", "the blockhash is over: build again", signatures=signatures)


def _check(reply: Any) -> None:
    def wrong(name: str) -> EnvelopeError:
        return EnvelopeError("malformed", f"the envelope has no usable {name}")

    if not isinstance(reply, Mapping) or not isinstance(reply.get("account"), str):
        raise wrong("account")
    transactions = reply.get("transactions")
    if not isinstance(transactions, Sequence) or not transactions:
        raise wrong("transactions")
    if not all(isinstance(one, Mapping) and isinstance(one.get("base64", 0), (str, type(None))) for one in transactions):
        raise wrong("transactions")
    index = reply.get("action_tx_index")
    if not isinstance(index, int) or not 0 <= index < len(transactions):
        raise wrong("action_tx_index")
    if reply.get("submit") not in ("sequential", "bundle"):
        raise wrong("submit")
    blockhash = reply.get("blockhash")
    if not isinstance(blockhash, Mapping) or not isinstance(blockhash.get("value"), str):
        raise wrong("blockhash.value")
    for name in ("last_valid_block_height", "expires_in_seconds"):
        if not isinstance(blockhash.get(name), (int, float)):
            raise wrong(f"blockhash.{name}")
    simulation = reply.get("simulation")
    if not isinstance(simulation, Mapping) or simulation.get("success") is not True:
        raise wrong("simulation")
