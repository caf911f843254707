import {
  type SolendLendingMarket,
  type SolendObligation,
  type SolendReserve,
  solendLendingMarketLayout,
  solendObligationLayout,
  solendReserveLayout,
} from '@lending/programs';
import { correctSolendMarket, correctSolendReserve } from '@lending/venues';
import type { FixedSizeDecoder } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';

const PROGRAM_VERSION = 1;

/**
 * Reads an account as Rust's `Pack` does: by its length and version alone. Whose it is, each instruction asks afterwards.
 * @throws InstructionError InvalidAccountData, UninitializedAccount
 */
export function unpack<T extends { readonly version: number }>(
  account: InstructionAccount,
  decoder: FixedSizeDecoder<T>,
  isSound: (value: T) => boolean,
): T {
  const value = unpackUnchecked(account, decoder, isSound);
  if (value.version === 0) throw new InstructionError('UninitializedAccount');
  return value;
}

/** The same of an account that need not be set up. */
function unpackUnchecked<T extends { readonly version: number }>(
  account: InstructionAccount,
  decoder: FixedSizeDecoder<T>,
  isSound: (value: T) => boolean,
): T {
  if (account.data.length !== decoder.fixedSize) throw new InstructionError('InvalidAccountData');
  const value = orPanic(() => decoder.decode(account.data));
  if (value.version > PROGRAM_VERSION || !isSound(value)) throw new InstructionError('InvalidAccountData');
  return value;
}

/** What cannot be read or stored at all (a figure of more than 128 bits) stops the program. */
function orPanic<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    const stopped = new InstructionError('ProgramFailedToComplete');
    stopped.cause = cause;
    throw stopped;
  }
}

function isBool(byte: number): boolean {
  return byte <= 1;
}

/** A lending market, corrected as the program does it on reading. @throws InstructionError */
export function loadMarket(account: InstructionAccount): SolendLendingMarket {
  return correctSolendMarket(unpack(account, solendLendingMarketLayout, () => true));
}

export function storeMarket(account: InstructionAccount, market: SolendLendingMarket): void {
  const bytes = orPanic(() => solendLendingMarketLayout.encode(market));
  account.writableData().set(bytes);
}

/** Regular and isolated. */
const RESERVE_TYPES = 2;

/** A reserve, its fields corrected as the program corrects them on reading. @throws InstructionError */
export function loadReserve(account: InstructionAccount): SolendReserve {
  const reserve = unpack(
    account,
    solendReserveLayout,
    ({ lastUpdate, liquidityExtraMarketPriceFlag }) =>
      isBool(lastUpdate.stale) && isBool(liquidityExtraMarketPriceFlag),
  );
  if (reserve.reserveType >= RESERVE_TYPES) throw new InstructionError('ProgramFailedToComplete');
  return correctSolendReserve(reserve);
}

/** Writes all fields, corrected ones too; a price that there is none of is written as zero. */
export function storeReserve(account: InstructionAccount, reserve: SolendReserve): void {
  const liquidityExtraMarketPrice =
    reserve.liquidityExtraMarketPriceFlag === 0 ? 0n : reserve.liquidityExtraMarketPrice;
  const bytes = orPanic(() => solendReserveLayout.encode({ ...reserve, liquidityExtraMarketPrice }));
  account.writableData().set(bytes);
}

/** Stores a reserve as one that has to be refreshed before it is used again. */
export function storeStaleReserve(account: InstructionAccount, reserve: SolendReserve): void {
  storeReserve(account, { ...reserve, lastUpdate: { ...reserve.lastUpdate, stale: 1 } });
}

export type ObligationDeposit = SolendObligation['deposits'][number];

/** Fields up to the padding, the two counts behind it, and where the deposits begin. */
const FIELDS_END = 188;
const COUNTS = 202;
const DEPOSITS = 204;
/** A deposit's size, and how much of it is fields. */
const DEPOSIT = { size: 88, fields: 72 } as const;
const NO_BYTES = new Uint8Array();

/** An obligation. Nothing on this chain makes debts, and the model stops at one that has any. @throws InstructionError */
export function loadObligation(account: InstructionAccount): SolendObligation {
  const obligation = unpack(account, solendObligationLayout, hasSoundFlags);
  if (obligation.borrows.length > 0) throw new InstructionError('ProgramFailedToComplete');
  return obligation;
}

/** An obligation that need not be set up. @throws InstructionError */
export function loadNewObligation(account: InstructionAccount): SolendObligation {
  return unpackUnchecked(account, solendObligationLayout, hasSoundFlags);
}

/** Writes the fields and nothing between or behind them: what a deposit that is gone left there stays, as the program leaves it. */
export function storeObligation(account: InstructionAccount, obligation: SolendObligation): void {
  const encoded = orPanic(() => solendObligationLayout.encode({ ...obligation, _unused: NO_BYTES }));
  const data = account.writableData();
  const copy = (start: number, end: number) => data.set(encoded.subarray(start, end), start);
  copy(0, FIELDS_END);
  copy(COUNTS, DEPOSITS);
  for (const index of obligation.deposits.keys()) {
    const offset = DEPOSITS + index * DEPOSIT.size;
    copy(offset, offset + DEPOSIT.fields);
  }
}

function hasSoundFlags({ lastUpdate, borrowingIsolatedAsset, closeable }: SolendObligation): boolean {
  return isBool(lastUpdate.stale) && isBool(borrowingIsolatedAsset) && isBool(closeable);
}
