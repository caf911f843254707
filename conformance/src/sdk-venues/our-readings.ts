import {
  DRIFT_PROGRAM,
  DRIFT_STATE,
  DRIFT_STATE_DISCRIMINATOR,
  DRIFT_STATE_SIZE,
  getDriftSpotMarketDecoder,
  getKlendReserveDecoder,
  getSolendReserveDecoder,
  getTokenAccountEncoder,
  KLEND_MARKET_DISCRIMINATOR,
  KLEND_MARKET_SIZE,
  KLEND_PROGRAM,
  NO_KEY,
  SOLEND_LENDING_MARKET_SIZE,
  SOLEND_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type AccountBytes, type ReserveReading, VENUE_ADAPTERS, type VenueMoment } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { emptyAccount } from './made-bytes.ts';

/** Where a made or copied account stands here. */
const RESERVE: Address = address('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q');
/** What is left of a vault is no limit. */
const AMPLE = 2n ** 63n;

/** How long after the account's own last update it is read. */
export interface After {
  readonly slots?: bigint;
  readonly seconds?: bigint;
  readonly slotMs?: number;
}

/** A klend reserve in a market that forbids nothing. */
export function ourKamino(data: Uint8Array, after: After = {}): ReserveReading {
  const { lendingMarket, liquidity, lastUpdate } = getKlendReserveDecoder().decode(data);
  const market = {
    address: lendingMarket,
    owner: KLEND_PROGRAM,
    data: emptyAccount(KLEND_MARKET_SIZE, KLEND_MARKET_DISCRIMINATOR),
  };
  const moment = momentOf(lastUpdate.slot, BigInt(lastUpdate.timestamp), after);
  return read(
    'kamino',
    lendingMarket,
    liquidity.mintPubkey,
    { address: RESERVE, owner: KLEND_PROGRAM, data },
    [market],
    moment,
  );
}

/** A Save reserve in a market without a rate limiter. */
export function ourSave(data: Uint8Array, after: After = {}): ReserveReading {
  const { lendingMarket, liquidity, lastUpdate } = getSolendReserveDecoder().decode(data);
  const market = {
    address: lendingMarket,
    owner: SOLEND_PROGRAM,
    data: emptyAccount(SOLEND_LENDING_MARKET_SIZE, Uint8Array.of(1)),
  };
  const moment = momentOf(lastUpdate.slot, 0n, after);
  return read(
    'solend',
    lendingMarket,
    liquidity.mintPubkey,
    { address: RESERVE, owner: SOLEND_PROGRAM, data },
    [market],
    moment,
  );
}

/** A Drift market of an exchange that is open, with an ample vault. */
export function ourDrift(data: Uint8Array, after: After = {}): ReserveReading {
  const { vault, mint, lastInterestTs } = getDriftSpotMarketDecoder().decode(data);
  const state = {
    address: DRIFT_STATE,
    owner: DRIFT_PROGRAM,
    data: emptyAccount(DRIFT_STATE_SIZE, DRIFT_STATE_DISCRIMINATOR),
  };
  const moment = momentOf(1n, lastInterestTs, after);
  const market = { address: RESERVE, owner: DRIFT_PROGRAM, data };
  return read('drift', DRIFT_STATE, mint, market, [vaultAccount(vault, mint), state], moment);
}

function read(
  venue: ReserveReading['keys']['venue'],
  market: Address,
  mint: Address,
  reserve: AccountBytes,
  others: readonly AccountBytes[],
  moment: VenueMoment,
): ReserveReading {
  const adapter = VENUE_ADAPTERS.find((each) => each.venue === venue);
  if (adapter === undefined) throw new Error(`no adapter reads ${venue}`);
  const accounts = [reserve, ...others];
  const keys = { venue, address: reserve.address, market, mint, accounts: accounts.map((account) => account.address) };
  return adapter.readReserve(keys, accounts, moment);
}

function momentOf(slot: bigint, unixTimestamp: bigint, { slots = 0n, seconds = 0n, slotMs = 400 }: After): VenueMoment {
  return { slot: slot + slots, unixTimestamp: unixTimestamp + seconds, slotMicros: BigInt(slotMs) * 1_000n };
}

function vaultAccount(at: Address, mint: Address): AccountBytes {
  const none = { isSome: false, value: NO_KEY } as const;
  const data = getTokenAccountEncoder().encode({
    ...{ mint, owner: NO_KEY, amount: AMPLE, delegate: none, state: 1, delegatedAmount: 0n, closeAuthority: none },
    isNative: { isSome: false, value: 0n },
  });
  return { address: at, owner: TOKEN_PROGRAM, data: Uint8Array.from(data) };
}
