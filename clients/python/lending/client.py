"""The client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Union
from urllib.parse import quote

from .conversations import Conversations
from .envelope import Envelope
from .pages import each_row
from .transport import Transport

Json = dict[str, Any]
Amount = Union[str, int, float, Decimal]
"""UI tokens. A Decimal or a text is exact; a float is sent as its shortest decimal."""


class LendingClient:
    """Client of the lending agent service.

    Arguments and answers have the names of the wire, which its documentation has too. ``each_…`` walks through all pages of what the
    method without it answers one page of. Times may be ``datetime`` with a time zone, lists lists; None is left out.

    >>> lending = LendingClient("https://lending.example")
    >>> for bank in lending.each_bank(venue="P0"):
    ...     print(bank["symbol"], bank["rates"]["total_deposit_apy_pct"])

    :param base_url: of the service, without ``/v1``.
    :param token: an access token: calls are recorded in a conversation of its owner.
    :param conversation: id of the conversation they are recorded in.
    :param conversations_base_url: where conversations are served elsewhere.
    :param aggregator1_api_key: your Jupiter key; sent with loops and closes, nowhere else.
    :param aggregator2_api_key: your DFlow key, likewise.
    :param timeout: seconds, of one attempt.
    :param max_wait: seconds that one call waits in all where the service answers 429 or 503 and says for how long; 0: never.
    :param user_agent: names your program in conversations.
    """

    def __init__(
        self,
        base_url: str = "http://127.0.0.1:8080",
        *,
        token: str | None = None,
        conversation: str | None = None,
        conversations_base_url: str | None = None,
        aggregator1_api_key: str | None = None,
        aggregator2_api_key: str | None = None,
        timeout: float = 30.0,
        max_wait: float = 60.0,
        user_agent: str = "lending-client-python/0.1.0",
    ) -> None:
        self._options: dict[str, Any] = {
            "base_url": base_url,
            "token": token,
            "conversation": conversation,
            "conversations_base_url": conversations_base_url,
            "aggregator1_api_key": aggregator1_api_key,
            "aggregator2_api_key": aggregator2_api_key,
            "timeout": timeout,
            "max_wait": max_wait,
            "user_agent": user_agent,
        }
        headers = _given(
            {
                "Authorization": f"Bearer {token}" if token else None,
                "X-Conversation-Id": conversation,
                "User-Agent": user_agent,
            }
        )
        self._transport = Transport(base_url, headers=headers, timeout=timeout, max_wait=max_wait)
        elsewhere = conversations_base_url or base_url
        self.conversations = Conversations(Transport(elsewhere, headers=headers, timeout=timeout, max_wait=max_wait))
        self._aggregator_keys = _given(
            {"X-Aggregator1-Api-Key": aggregator1_api_key, "X-Aggregator2-Api-Key": aggregator2_api_key}
        )

    def __repr__(self) -> str:
        return f"LendingClient({self._options['base_url']!r})"

    def in_conversation(self, conversation: str) -> LendingClient:
        """The same client, recording in this conversation."""
        return LendingClient(**{**self._options, "conversation": conversation})

    # Reads

    def banks(self, **query: Any) -> Json:
        """Lending banks with rates, sizes and limits.

        Takes ``symbol``, ``venue``, ``mint``, ``bank``, ``side``, ``min_available_usd``, ``sort``, ``limit``, ``cursor``, ``fields``,
        ``response_format``, ``history``.
        """
        return self.get("/v1/banks", **query)

    def each_bank(self, **query: Any) -> Iterator[Json]:
        return self._each("/v1/banks", "banks", query)

    def bank(self, bank: str) -> Json:
        return self.get(f"/v1/banks/{_segment(bank)}")

    def bank_history(self, bank: str, **query: Any) -> Json:
        """Rates of one bank over time. Takes ``start``, ``end``, ``interval``, ``fields``, ``format`` (json or columns), ``cursor``."""
        return self.get(f"/v1/banks/{_segment(bank)}/history", **query)

    def each_bank_point(self, bank: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/banks/{_segment(bank)}/history", "points", query)

    def bank_limits(self, bank: str, **query: Any) -> Json:
        """How the caps of one bank changed, newest first. Takes ``limit``, ``cursor``."""
        return self.get(f"/v1/banks/{_segment(bank)}/limits", **query)

    def each_bank_limit(self, bank: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/banks/{_segment(bank)}/limits", "limits", query)

    def reserves(self, **query: Any) -> Json:
        """Pools of the other venues. Takes ``venue``, ``mint``, ``symbol``, ``market``, ``reached``, ``sort``, ``limit``, ``cursor``, ``fields``."""
        return self.get("/v1/reserves", **query)

    def each_reserve(self, **query: Any) -> Iterator[Json]:
        return self._each("/v1/reserves", "reserves", query)

    def reserve(self, reserve: str) -> Json:
        return self.get(f"/v1/reserves/{_segment(reserve)}")

    def reserve_history(self, reserve: str, **query: Any) -> Json:
        """Rates of one reserve over time; takes what :meth:`bank_history` takes."""
        return self.get(f"/v1/reserves/{_segment(reserve)}/history", **query)

    def each_reserve_point(self, reserve: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/reserves/{_segment(reserve)}/history", "points", query)

    def reserve_limits(self, reserve: str, **query: Any) -> Json:
        return self.get(f"/v1/reserves/{_segment(reserve)}/limits", **query)

    def each_reserve_limit(self, reserve: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/reserves/{_segment(reserve)}/limits", "limits", query)

    def strategies(self, **query: Any) -> Json:
        """Pairs to lever, ranked.

        Takes ``kind``, ``supply_symbol``, ``borrow_symbol``, ``venue``, ``min_size_usd``, ``max_leverage``, ``target_leverage``,
        ``amount``, ``sort``, ``limit``, ``cursor``, ``fields``, ``response_format``.
        """
        return self.get("/v1/strategies", **query)

    def each_strategy(self, **query: Any) -> Iterator[Json]:
        return self._each("/v1/strategies", "strategies", query)

    def wallet(self, address: str, **query: Any) -> Json:
        """What a wallet holds. Takes ``response_format``, ``cursor``."""
        return self.get(f"/v1/wallet/{_segment(address)}", **query)

    def each_token(self, address: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/wallet/{_segment(address)}", "tokens", query)

    def positions(self, address: str, **query: Any) -> Json:
        """The lending accounts of a wallet, or one account: what is lent and owed, and what may still be done."""
        return self.get(f"/v1/account/{_segment(address)}", **query)

    def each_account(self, address: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/account/{_segment(address)}", "accounts", query)

    def health(self, *, account: str | None = None, authority: str | None = None, **query: Any) -> Json:
        """How far an account is from liquidation: ``account``, or ``authority`` where the wallet owns one account only.

        Takes ``target_health_ratio``, ``response_format`` too.
        """
        return self.get("/v1/health", account=account, authority=authority, **query)

    def activity(self, address: str, **query: Any) -> Json:
        """What was done to the accounts of an address, newest first. Takes ``kind``, ``since``, ``until``, ``limit``, ``cursor``."""
        return self.get(f"/v1/activity/{_segment(address)}", **query)

    def each_activity(self, address: str, **query: Any) -> Iterator[Json]:
        return self._each(f"/v1/activity/{_segment(address)}", "activity", query)

    def search_docs(self, query: str | None = None, *, limit: int | None = None) -> Json:
        """Pages of the guide that a question is answered on; without one all pages."""
        return self.get("/v1/docs", query=query, limit=limit)

    def doc(self, slug: str) -> Json:
        """One page of the guide, as markdown."""
        return self.get(f"/v1/docs/{_segment(slug)}")

    def status(self) -> Json:
        """How fresh everything is."""
        return self.get("/v1/status")

    # Builders. All take policy, priority_fee, transaction_version, preview_only and idempotency_key as well.

    def create_account(self, *, authority: str, **options: Any) -> Envelope:
        """Builds: one more lending account."""
        return self._build("create-account", {"authority": authority, **options})

    def deposit(
        self, *, authority: str, bank: str, amount: Amount, account: str | None = None, **options: Any
    ) -> Envelope:
        """Builds: from the wallet into a bank."""
        return self._build(
            "deposit", {"authority": authority, "bank": bank, "amount": amount, "account": account, **options}
        )

    def withdraw(
        self,
        *,
        authority: str,
        bank: str,
        amount: Amount | None = None,
        withdraw_all: bool | None = None,
        account: str | None = None,
        **options: Any,
    ) -> Envelope:
        """Builds: out of a bank into the wallet; ``amount``, or ``withdraw_all=True``."""
        request = {"authority": authority, "bank": bank, "amount": amount, "withdraw_all": withdraw_all}
        return self._build("withdraw", {**request, "account": account, **options})

    def borrow(
        self, *, authority: str, bank: str, amount: Amount, account: str | None = None, **options: Any
    ) -> Envelope:
        """Builds: a loan into the wallet."""
        return self._build(
            "borrow", {"authority": authority, "bank": bank, "amount": amount, "account": account, **options}
        )

    def repay(
        self,
        *,
        authority: str,
        bank: str,
        amount: Amount | None = None,
        repay_all: bool | None = None,
        account: str | None = None,
        **options: Any,
    ) -> Envelope:
        """Builds: a loan paid back; ``amount``, or ``repay_all=True``."""
        request = {"authority": authority, "bank": bank, "amount": amount, "repay_all": repay_all}
        return self._build("repay", {**request, "account": account, **options})

    def loop(
        self,
        *,
        authority: str,
        deposit_bank: str,
        borrow_bank: str,
        amount: Amount,
        leverage: Amount,
        create_new_account: bool | None = None,
        account: str | None = None,
        **options: Any,
    ) -> Envelope:
        """Builds: leverage in, by one flash loan. ``leverage`` is at most the strategy's ``max_leverage``."""
        request = {
            "authority": authority,
            "deposit_bank": deposit_bank,
            "borrow_bank": borrow_bank,
            "amount": amount,
            "leverage": leverage,
            "create_new_account": create_new_account,
            "account": account,
        }
        return self._build("loop", {**request, **options}, self._aggregator_keys)

    def close_position(
        self,
        *,
        authority: str,
        repay_all: bool | None = None,
        amount: Amount | None = None,
        deposit_bank: str | None = None,
        borrow_bank: str | None = None,
        account: str | None = None,
        surplus: str | None = None,
        **options: Any,
    ) -> Envelope:
        """Builds: leverage out, by one flash loan; ``amount`` of the debt token, or ``repay_all=True``."""
        request = {
            "authority": authority,
            "repay_all": repay_all,
            "amount": amount,
            "deposit_bank": deposit_bank,
            "borrow_bank": borrow_bank,
            "account": account,
            "surplus": surplus,
        }
        return self._build("close-position", {**request, **options}, self._aggregator_keys)

    def simulate(self, *, plan_id: str | None = None, transactions: list[str] | None = None) -> Json:
        """How the transactions of an envelope would fare now: by its ``plan_id``, or the transactions themselves."""
        body = {"plan_id": plan_id, "transactions": transactions}
        return self._transport.call("POST", "/v1/tx/simulate", body=body)

    def verify(self, signature: str, *, plan_id: str | None = None) -> Json:
        """Whether a transaction landed and, with ``plan_id``, did what its envelope promised."""
        return self.get(f"/v1/verify/{_segment(signature)}", plan_id=plan_id)

    # Whatever else there is

    def get(self, path: str, /, **query: Any) -> Any:
        """Whatever else the service has to read, such as ``get("/v1/banks", symbol="SOL")``."""
        return self._transport.call("GET", path, query=query)

    def _each(self, path: str, name: str, query: Mapping[str, Any]) -> Iterator[Json]:
        return each_row(lambda cursor: self.get(path, **{**query, "cursor": cursor}), name)

    def _build(self, action: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Envelope:
        return Envelope(self._transport.call("POST", f"/v1/tx/{action}", body=body, headers=headers))


def _segment(value: str) -> str:
    return quote(value, safe="")


def _given(values: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}
