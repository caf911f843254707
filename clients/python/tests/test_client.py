"""What the client does, case by case.

SCRIPTED_URL: a service that misbehaves as the cases below want it. LENDING_URL: the service itself, with LENDING_TOKEN, a funded WALLET
and a SIGNER, a program that is given ``sign``, ``send`` or ``confirm`` and reads base64 from stdin. LIMITED_URL: the service at its own
limits. What has no address is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import traceback
import unittest
import urllib.parse
import urllib.request
from base64 import b64decode
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lending import EnvelopeError, LendingClient, ServiceError, UnreachableError  # noqa: E402

SCRIPTED_URL = os.environ.get("SCRIPTED_URL")
LENDING_URL = os.environ.get("LENDING_URL")
LIMITED_URL = os.environ.get("LIMITED_URL")
DEPOSIT: dict[str, Any] = {"authority": "wallet", "bank": "bank", "amount": "1.5"}
LOOP: dict[str, Any] = {"authority": "wallet", "deposit_bank": "one", "borrow_bank": "two", "amount": 1, "leverage": 2}


class Hands:
    """Signs and sends, and says what it was asked for."""

    def __init__(self) -> None:
        self.log: list[str] = []

    def sign(self, unsigned: list[str]) -> list[str]:
        self.log.append(f"sign {len(unsigned)}")
        return [f"{b64decode(text).decode()}, signed" for text in unsigned]

    def send(self, text: str) -> str:
        self.log.append(f"send {text}")
        return f"signature of {text}"

    def confirm(self, signature: str) -> Any:
        self.log.append(f"confirm {signature}")
        return None

    def all(self) -> dict[str, Any]:
        return {"sign": self.sign, "send": self.send, "confirm": self.confirm}


def scripted(script: str, **options: Any) -> LendingClient:
    return LendingClient(f"{SCRIPTED_URL}/{script}", **options)


def seen(script: str) -> list[dict[str, Any]]:
    with urllib.request.urlopen(f"{SCRIPTED_URL}/seen/{script}") as response:
        return json.load(response)["requests"]


@unittest.skipIf(SCRIPTED_URL is None, "SCRIPTED_URL is not set")
class Scripted(unittest.TestCase):
    def expect_kind(self, kind: str, call: Any) -> EnvelopeError:
        with self.assertRaises(EnvelopeError) as caught:
            call()
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception

    def test_waits_as_long_as_it_is_told_and_asks_again(self) -> None:
        began = time.monotonic()
        self.assertIs(scripted("busy").status()["ready"], True)
        self.assertGreaterEqual(time.monotonic() - began, 2)
        self.assertEqual(len(seen("busy")), 3)

    def test_gives_back_at_once_what_it_would_wait_too_long_for(self) -> None:
        began = time.monotonic()
        with self.assertRaises(ServiceError) as caught:
            scripted("very-busy").status()
        error = caught.exception
        self.assertEqual((error.code, error.status, error.retryable), ("RATE_LIMITED", 429, True))
        self.assertEqual((error.retry_after, error.details, error.request_id), (3600, {"scope": "v1"}, "scripted-1"))
        self.assertLess(time.monotonic() - began, 60)
        self.assertEqual(len(seen("very-busy")), 1)

    def test_gives_up_when_its_waits_add_up_to_more_than_it_may_wait(self) -> None:
        with self.assertRaises(ServiceError) as caught:
            scripted("always-busy", max_wait=2.5).status()
        self.assertEqual(caught.exception.code, "RATE_LIMITED")
        self.assertEqual(len(seen("always-busy")), 3)

    def test_waits_while_the_service_is_away(self) -> None:
        self.assertIs(scripted("away").status()["ready"], True)
        self.assertEqual(len(seen("away")), 2)

    def test_ends_an_attempt_that_takes_too_long(self) -> None:
        for script in ("silent", "dripping"):
            began = time.monotonic()
            with self.assertRaises(UnreachableError):
                scripted(script, timeout=0.5).status()
            self.assertLess(time.monotonic() - began, 20)

    def test_says_when_something_else_than_the_service_answered(self) -> None:
        for script in ("proxy", "garbled", "cut"):
            with self.assertRaises(UnreachableError) as caught:
                scripted(script).status()
            self.assertNotIn("nobody knows", str(caught.exception))
        with self.assertRaises(UnreachableError):
            LendingClient("http://127.0.0.1:1").status()
        with self.assertRaises(ValueError):
            LendingClient("file:///etc/passwd")

    def test_walks_through_all_pages_in_order(self) -> None:
        found = [bank["address"] for bank in scripted("pages").each_bank(limit=2)]
        self.assertEqual(found, ["one", "two", "three", "four", "five"])
        # What nobody looks at is not asked for.
        for bank in scripted("pages").each_bank(limit=2):
            if bank["address"] == "two":
                break
        self.assertEqual(len(seen("pages")), 4)

    def test_stops_at_pages_that_never_end(self) -> None:
        with self.assertRaises(UnreachableError):
            list(scripted("stuck").each_bank())

    def test_follows_no_redirect_with_its_token(self) -> None:
        with self.assertRaises(UnreachableError):
            scripted("moved", token="secret-token").status()
        self.assertEqual(seen("elsewhere"), [])

    def test_sends_keys_with_loops_and_closes_alone(self) -> None:
        lending = scripted("echo", aggregator1_api_key="key-1", aggregator2_api_key="key-2")
        before = len(seen("echo"))
        lending.status()
        lending.deposit(**DEPOSIT)
        lending.loop(**LOOP)
        lending.close_position(authority="wallet", repay_all=True)
        names = ("x-aggregator1-api-key", "x-aggregator2-api-key")
        keys = [tuple(request["headers"].get(name) for name in names) for request in seen("echo")[before:]]
        self.assertEqual(keys, [(None, None), (None, None), ("key-1", "key-2"), ("key-1", "key-2")])

    def test_names_its_conversation_and_escapes_what_it_is_given(self) -> None:
        lending = scripted("echo", token="token-1").in_conversation("conversation-1")
        lending.doc("a/b?c#d ä")
        lending.banks(symbol="A&B", fields=["symbol", "rates"], limit=3, venue=None)
        lending.activity("wallet", since=datetime(2026, 11, 1, tzinfo=timezone.utc))
        lending.deposit(**{**DEPOSIT, "amount": Decimal("0.10000000000000001")})
        doc, banks, activity, deposit = seen("echo")[-4:]
        self.assertEqual(doc["path"], "/v1/docs/a%2Fb%3Fc%23d%20%C3%A4")
        self.assertEqual(doc["headers"]["authorization"], "Bearer token-1")
        self.assertEqual(doc["headers"]["x-conversation-id"], "conversation-1")
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(banks["path"]).query))
        self.assertEqual(query, {"symbol": "A&B", "fields": "symbol,rates", "limit": "3"})
        self.assertIn("since=2026-11-01T00%3A00%3A00%2B00%3A00", activity["path"])
        self.assertEqual(json.loads(deposit["body"])["amount"], "0.10000000000000001")
        with self.assertRaises(ValueError):
            lending.activity("wallet", since=datetime(2026, 11, 1))

    def test_never_makes_a_conversation_twice(self) -> None:
        with self.assertRaises(ServiceError) as caught:
            scripted("unmade", token="t").conversations.create()
        self.assertEqual(caught.exception.code, "UPSTREAM_UNAVAILABLE")
        self.assertEqual(len(seen("unmade")), 1)

    def test_asks_for_conversations_where_they_are_served(self) -> None:
        client = scripted("home", token="t", conversations_base_url=f"{SCRIPTED_URL}/apart")
        client.status()
        client.conversations.list()
        client.in_conversation("one").conversations.list()
        asked = [(one["path"], one["headers"]["authorization"]) for one in seen("apart")]
        self.assertEqual(asked, [("/v1/conversations", "Bearer t")] * 2)
        self.assertEqual([one["path"] for one in seen("home")], ["/v1/status"])

    def test_hands_a_sequence_over_one_by_one_in_order(self) -> None:
        hands = Hands()
        signatures = scripted("sequence").deposit(**DEPOSIT).hand_over(**hands.all())
        texts = [f"transaction {number}, signed" for number in (1, 2, 3)]
        self.assertEqual(signatures, [f"signature of {text}" for text in texts])
        steps = [step for text in texts for step in (f"send {text}", f"confirm signature of {text}")]
        self.assertEqual(hands.log, ["sign 3", *steps])

    def test_stops_a_sequence_at_the_first_that_failed(self) -> None:
        hands = Hands()
        envelope = scripted("sequence").deposit(**DEPOSIT)
        failing = {**hands.all(), "confirm": lambda signature: {"Custom": 6009} if "2" in signature else None}
        error = self.expect_kind("failed", lambda: envelope.hand_over(**failing))
        self.assertEqual((len(error.signatures), error.err), (2, {"Custom": 6009}))
        self.assertEqual(sum(line.startswith("send") for line in hands.log), 2)
        lazy = {**hands.all(), "sign": lambda _unsigned: ["one"]}
        self.expect_kind("unsigned", lambda: envelope.hand_over(**lazy))

    def test_hands_a_bundle_over_as_one(self) -> None:
        hands = Hands()
        envelope = scripted("bundle").loop(**LOOP)
        self.expect_kind("no_bundle", lambda: envelope.hand_over(**hands.all()))
        self.assertEqual(hands.log, [])
        sent: list[list[str]] = []

        def send_bundle(signed: Any) -> str:
            sent.append(list(signed))
            return "bundle-1"

        self.assertEqual(envelope.hand_over(**hands.all(), send_bundle=send_bundle), ["bundle-1"])
        self.assertEqual(sent, [[f"transaction {number}, signed" for number in (1, 2, 3)]])
        self.assertEqual(hands.log, ["sign 3"])

    def test_hands_over_nothing_that_is_a_preview_or_expired(self) -> None:
        hands = Hands()
        preview = scripted("preview").deposit(**DEPOSIT)
        self.expect_kind("preview", lambda: preview.hand_over(**hands.all()))
        envelope = scripted("expiring").deposit(**DEPOSIT)
        self.assertTrue(0 < envelope.seconds_left <= 2)
        # It runs out between the two.
        slow = {**hands.all(), "confirm": lambda _signature: time.sleep(2.1)}
        error = self.expect_kind("expired", lambda: envelope.hand_over(**slow))
        self.assertEqual(len(error.signatures), 1)
        self.assertTrue(envelope.is_expired)
        self.expect_kind("expired", lambda: envelope.hand_over(**hands.all()))
        self.assertEqual(sum(line.startswith("sign") for line in hands.log), 1)

    def test_refuses_what_is_no_envelope(self) -> None:
        error = self.expect_kind("malformed", lambda: scripted("nonsense").deposit(**DEPOSIT))
        self.assertIn("submit", str(error))
        self.expect_kind("malformed", lambda: scripted("elsewhere").deposit(**DEPOSIT))

    def test_shows_no_key_and_no_token(self) -> None:
        secrets = {"token": "secret-1", "aggregator1_api_key": "secret-2", "aggregator2_api_key": "secret-3"}
        lending = scripted("proxy", **secrets)
        try:
            lending.loop(**LOOP)
            self.fail("a proxy's page is no envelope")
        except UnreachableError as error:
            shown = [traceback.format_exc(), repr(error)]
        shown += [repr(lending), str(lending), repr(lending.conversations), repr(lending._transport)]
        self.assertNotIn("secret-", "\n".join(shown))


@unittest.skipIf(LENDING_URL is None, "LENDING_URL is not set")
class Service(unittest.TestCase):
    def setUp(self) -> None:
        self.lending = LendingClient(LENDING_URL or "")
        self.authority = os.environ["WALLET"]

    def bank_of(self, symbol: str) -> str:
        return self.lending.banks(symbol=symbol, venue="P0", side="borrow")["banks"][0]["address"]

    def expect_code(self, code: str, status: int, call: Any) -> ServiceError:
        with self.assertRaises(ServiceError) as caught:
            call()
        self.assertEqual((caught.exception.code, caught.exception.status), (code, status))
        self.assertFalse(caught.exception.retryable)
        self.assertTrue(caught.exception.request_id)
        return caught.exception

    def test_reads_what_there_is(self) -> None:
        lending = self.lending
        page = lending.banks(venue="P0", limit=3)
        self.assertEqual((len(page["banks"]), page["as_of"]["source"]), (3, "localnet"))
        bank = page["banks"][0]["address"]
        self.assertEqual(lending.bank(bank)["address"], bank)
        start = datetime.now(timezone.utc) - timedelta(minutes=20)
        self.assertTrue(lending.bank_history(bank, interval="1m", start=start)["points"])
        self.assertTrue(lending.bank_limits(bank)["limits"])
        reserve = lending.reserves(venue="Kamino", limit=1)["reserves"][0]["address"]
        self.assertEqual(lending.reserve(reserve)["venue"], "Kamino")
        self.assertEqual(lending.reserve_history(reserve)["venue"], "Kamino")
        self.assertGreaterEqual(lending.reserve_limits(reserve)["count"], 0)
        self.assertEqual(len(lending.strategies(limit=2)["strategies"]), 2)
        self.assertEqual(lending.wallet(self.authority)["address"], self.authority)
        self.assertIsInstance(lending.positions(self.authority)["accounts"], list)
        self.assertIsInstance(lending.activity(self.authority)["activity"], list)
        self.assertTrue(lending.search_docs("liquidation")["docs"])
        self.assertIn("UI token", lending.doc("units")["markdown"])
        self.assertIs(lending.status()["ready"], True)
        self.assertIs(lending.get("/v1/status")["ready"], True)

    def test_walks_through_all_banks_as_one_page_has_them(self) -> None:
        whole = [bank["address"] for bank in self.lending.banks(sort="symbol", fields=["symbol"], limit=500)["banks"]]
        walked = [bank["address"] for bank in self.lending.each_bank(sort="symbol", fields=["symbol"], limit=7)]
        self.assertGreater(len(whole), 12)
        self.assertEqual(walked, whole)
        times = [point["time"] for point in self.lending.each_bank_point(whole[0], interval="1m")]
        self.assertEqual(times, sorted(times))

    def test_tells_errors_by_code_and_what_to_change(self) -> None:
        lending, authority, sol = self.lending, self.authority, self.bank_of("SOL")
        self.expect_code("BANK_NOT_FOUND", 404, lambda: lending.bank("1" * 32))
        self.expect_code("DOC_NOT_FOUND", 404, lambda: lending.doc("no-such-page"))
        error = self.expect_code(
            "INVALID_ARGUMENT", 400, lambda: lending.deposit(authority=authority, bank="SOL", amount=1)
        )
        self.assertEqual(error.details["field"], "bank")
        self.expect_code(
            "INSUFFICIENT_BALANCE", 422, lambda: lending.deposit(authority=authority, bank=sol, amount="1000000")
        )
        self.expect_code("ACCOUNT_NOT_FOUND", 404, lambda: lending.health(account="1" * 32))

    def test_asks_every_builder(self) -> None:
        lending, authority = self.lending, self.authority
        sol, usdc = self.bank_of("SOL"), self.bank_of("USDC")
        created = lending.create_account(authority=authority, preview_only=True)
        self.assertTrue(created.is_preview)
        self.assertEqual(created.action["type"], "CREATE_ACCOUNT")
        pair = {"authority": authority, "deposit_bank": sol, "borrow_bank": usdc}
        loop = lending.loop(**pair, amount=Decimal("0.5"), leverage=1.5, create_new_account=True)
        self.assertEqual(loop.action["type"], "LOOP")
        self.assertIsNotNone(loop.reply["swap"])
        self.assertEqual(len(loop.unsigned()), len(loop.transactions))
        for call in (
            lambda: lending.withdraw(authority=authority, bank=usdc, withdraw_all=True),
            lambda: lending.borrow(authority=authority, bank=usdc, amount="100000000"),
            lambda: lending.repay(authority=authority, bank=usdc, repay_all=True),
            lambda: lending.close_position(**pair, repay_all=True),
        ):
            self.assertRaises(ServiceError, call)

    def test_builds_what_a_signer_of_its_own_lands(self) -> None:
        def ask(what: str, lines: list[str]) -> list[str]:
            command = [*os.environ["SIGNER"].split(" "), what]
            done = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
            return done.stdout.strip().split("\n")

        request = {"authority": self.authority, "bank": self.bank_of("SOL"), "amount": "1.25"}
        request["idempotency_key"] = f"python-{time.time()}"
        envelope = self.lending.deposit(**request)
        self.assertEqual(self.lending.deposit(**request).plan_id, envelope.plan_id)
        self.assertIs(self.lending.simulate(plan_id=envelope.plan_id)["would_land"], True)
        signatures = envelope.hand_over(
            sign=lambda unsigned: ask("sign", unsigned),
            send=lambda text: ask("send", [text])[0],
            confirm=lambda signature: json.loads(ask("confirm", [signature])[0]),
        )
        landed = self.lending.verify(signatures[-1], plan_id=envelope.plan_id)
        self.assertEqual((landed["landed"], landed["success"], landed["plan"]["matches"]), (True, True, True))

    def test_keeps_conversations(self) -> None:
        mine = LendingClient(LENDING_URL or "", token=os.environ["LENDING_TOKEN"])
        made = mine.conversations.create("From Python")["id"]
        mine.in_conversation(made).banks(symbol="SOL")
        self.assertRaises(ServiceError, mine.in_conversation(made).bank, "1" * 32)
        outcomes = sorted(entry["outcome"] for entry in mine.conversations.each_entry(made, limit=1))
        self.assertEqual(outcomes, ["error", "ok"])
        self.assertEqual(mine.conversations.rename(made, "Renamed ä")["title"], "Renamed ä")
        self.assertEqual(mine.conversations.get(made)["entry_count"], 2)
        second = mine.conversations.create()["id"]
        found = {conversation["id"] for conversation in mine.conversations.each(limit=1)}
        self.assertLessEqual({made, second}, found)
        self.assertIs(mine.conversations.list(limit=1)["has_more"], True)
        for conversation in (made, second):
            self.assertIsNone(mine.conversations.delete(conversation))
        with self.assertRaises(ServiceError) as caught:
            mine.conversations.get(made)
        self.assertEqual(caught.exception.status, 404)

    def test_says_that_a_token_is_wrong(self) -> None:
        wrong = LendingClient(LENDING_URL or "", token="not-a-token")
        for call in (wrong.conversations.list, wrong.status, self.lending.conversations.list):
            self.expect_code("UNAUTHENTICATED", 401, call)


@unittest.skipIf(LIMITED_URL is None, "LIMITED_URL is not set")
class Limits(unittest.TestCase):
    def ask(self, max_wait: float) -> ServiceError:
        with self.assertRaises(ServiceError) as caught:
            # A request that is wrong counts as any other, and costs the service nothing.
            LendingClient(LIMITED_URL or "", max_wait=max_wait).loop(**{**LOOP, "authority": "nobody"})
        return caught.exception

    def test_is_refused_beyond_the_limit_and_told_for_how_long(self) -> None:
        errors = [self.ask(0) for _ in range(5)]
        self.assertEqual(errors[-1].code, "RATE_LIMITED")
        self.assertTrue(1 <= (errors[-1].retry_after or 0) <= 60)
        self.assertEqual(errors[-1].details["scope"], "leverage")

    def test_waits_a_limit_out_and_is_answered(self) -> None:
        self.assertEqual(self.ask(150).code, "INVALID_ARGUMENT")


if __name__ == "__main__":
    unittest.main(verbosity=2)
