import {
  DRIFT_PROGRAM,
  DRIFT_STATE,
  type DriftSpotMarket,
  driftSpotMarketLayout,
  driftStateLayout,
  KLEND_PROGRAM,
  type KlendReserve,
  klendMarketLayout,
  klendReserveLayout,
  NO_KEY,
  SOLEND_PROGRAM,
  type SolendReserve,
  solendLendingMarketLayout,
  solendReserveLayout,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { type AccountBytes, type ReserveReading, VENUE_ADAPTERS, type VenueMoment } from '@lending/venues';
import { type Address, address } from '@solana/kit';

/** Where a made or copied account stands here. */
const RESERVE: Address = address('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q');
/** What is left of a vault is no limit. */
const AMPLE = 2n ** 63n;

/** How long after the account's own last update it is read. */
interface After {
  readonly slots?: bigint;
  readonly seconds?: bigint;
  readonly slotMs?: number;
}

/** A klend reserve in a market that forbids nothing. */
export function ourKamino(data: Uint8Array, after: After = {}): ReserveReading {
  const { lendingMarket, liquidity, lastUpdate } = klendReserveLayout.decode(data);
  const market = {
    address: lendingMarket,
    owner: KLEND_PROGRAM,
    data: emptyAccount(klendMarketLayout.fixedSize, klendMarketLayout.discriminator),
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
  const { lendingMarket, liquidity, lastUpdate } = solendReserveLayout.decode(data);
  const market = {
    address: lendingMarket,
    owner: SOLEND_PROGRAM,
    data: emptyAccount(solendLendingMarketLayout.fixedSize, Uint8Array.of(1)),
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
  const { vault, mint, lastInterestTs } = driftSpotMarketLayout.decode(data);
  const state = {
    address: DRIFT_STATE,
    owner: DRIFT_PROGRAM,
    data: emptyAccount(driftStateLayout.fixedSize, driftStateLayout.discriminator),
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
  const data = tokenAccountLayout.encode({
    ...{ mint, owner: NO_KEY, amount: AMPLE, delegate: none, state: 1, delegatedAmount: 0n, closeAuthority: none },
    isNative: { isSome: false, value: 0n },
  });
  return { address: at, owner: TOKEN_PROGRAM, data: Uint8Array.from(data) };
}

/** An account of nothing but its discriminator, with what `change` makes of its fields. */
export function madeKlendReserve(change: (empty: KlendReserve) => KlendReserve): Uint8Array {
  const bytes = emptyAccount(klendReserveLayout.fixedSize, klendReserveLayout.discriminator);
  return Uint8Array.from(klendReserveLayout.encode(change(klendReserveLayout.decode(bytes))));
}

export function madeSpotMarket(change: (empty: DriftSpotMarket) => DriftSpotMarket): Uint8Array {
  const bytes = emptyAccount(driftSpotMarketLayout.fixedSize, driftSpotMarketLayout.discriminator);
  return Uint8Array.from(driftSpotMarketLayout.encode(change(driftSpotMarketLayout.decode(bytes))));
}

export function madeSolendReserve(change: (empty: SolendReserve) => SolendReserve): Uint8Array {
  const bytes = emptyAccount(solendReserveLayout.fixedSize, Uint8Array.of(1));
  return Uint8Array.from(solendReserveLayout.encode(change(solendReserveLayout.decode(bytes))));
}

function emptyAccount(size: number, discriminator: Uint8Array): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}
