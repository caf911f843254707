import { pullFeedLayout, SLOT_HASHES_SYSVAR } from '@lending/programs';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';
import type { MarketLedger } from '#market/market-ledger.ts';
import { consensusMessage } from '#programs/switchboard/consensus-message.ts';
import { readSlotHashes } from '#programs/switchboard/slot-hashes.ts';
import type { DemoOracle } from './demo-oracles.ts';

/** What oracles agreed on: values of feeds, 18 decimals, signed over the hash of a slot. */
export interface SignedPrices {
  readonly slot: bigint;
  readonly slotHash: Uint8Array;
  readonly values: readonly bigint[];
  readonly message: Uint8Array;
  readonly signatures: readonly {
    readonly oracle: DemoOracle;
    readonly signature: Uint8Array;
    readonly recoveryId: number;
  }[];
}

export interface SigningRequest {
  readonly names: readonly DemoFeedName[];
  readonly oracles: readonly DemoOracle[];
  /** Raw × 10^18 USD. */
  readonly priceAt: (name: DemoFeedName, slot: bigint) => bigint;
  /** How many slots before the newest they otherwise would the oracles sign over; default 0. */
  readonly slotsBehind?: number;
}

/**
 * The newest finished slot is the one whose state nodes simulate on, and there it is not finished yet: what is signed over it could land,
 * but not be simulated.
 */
const KNOWN_AT_CONFIRMED = 1;

/** Lets the demo oracles sign what feeds are worth at the newest slot that a node knows as finished when it simulates. */
export function signPrices(ledger: Pick<MarketLedger, 'account'>, request: SigningRequest): SignedPrices {
  const { names, oracles, priceAt, slotsBehind = 0 } = request;
  const { slot, hash } = findSlotHash(ledger, slotsBehind);
  const signed = names.map((name) => ({
    feed: pullFeedLayout.decode(ledger.account(DEMO_FEEDS[name].account)?.data ?? new Uint8Array()),
    value: priceAt(name, slot),
  }));
  const message = consensusMessage(hash, signed);
  return {
    slot,
    slotHash: hash,
    values: signed.map(({ value }) => value),
    message,
    signatures: oracles.map((oracle) => ({ oracle, ...oracle.sign(message) })),
  };
}

function findSlotHash(ledger: Pick<MarketLedger, 'account'>, slotsBehind: number) {
  const sysvar = ledger.account(SLOT_HASHES_SYSVAR)?.data ?? new Uint8Array(8);
  const found = [...readSlotHashes(sysvar)][slotsBehind + KNOWN_AT_CONFIRMED];
  if (found === undefined) throw new RangeError(`The chain has no hash of ${slotsBehind} slots ago`);
  return found;
}
