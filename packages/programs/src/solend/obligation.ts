import { getStructCodec, type ReadonlyUint8Array, transformCodec } from '@solana/kit';
import { array, bytes, pubkey, u8, u64, u128, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { lastUpdate } from './last-update.ts';

/** Room for ten positions, of which one at least is a deposit. */
const ENTRIES_SIZE = 1096;

const obligationCollateral = struct({
  depositReserve: pubkey,
  depositedAmount: u64,
  marketValue: u128,
  attributedBorrowValue: u128,
  _padding: bytes(16),
});

const obligationLiquidity = struct({
  borrowReserve: pubkey,
  cumulativeBorrowRateWads: u128,
  borrowedAmountWads: u128,
  marketValue: u128,
  _padding: bytes(32),
});

const HEAD = {
  version: u8,
  lastUpdate,
  lendingMarket: pubkey,
  owner: pubkey,
  depositedValue: u128,
  borrowedValue: u128,
  allowedBorrowValue: u128,
  unhealthyBorrowValue: u128,
  borrowedValueUpperBound: u128,
  borrowingIsolatedAsset: u8,
  superUnhealthyBorrowValue: u128,
  unweightedBorrowValue: u128,
  closeable: u8,
  _padding: bytes(14),
  depositsLength: u8,
  borrowsLength: u8,
} as const;

/** As stored: the deposits, the debts, and what room is left, one after the other, after a count of either. */
const stored = struct({ ...HEAD, entries: bytes(ENTRIES_SIZE) });

/** Without what makes readers of it: its value is another. */
const { source: _source, parts: _parts, ...storedCodec } = stored;

/** One that has a deposit, as far as its first. */
export const solendObligationWithDeposit = struct({ ...HEAD, first: obligationCollateral });

type Stored = ValueOf<typeof stored>;

type Entries = ValueOf<ReturnType<typeof entriesOf>>;

/** One owner's position in a Save market. */
export type SolendObligation = Omit<Stored, 'depositsLength' | 'borrowsLength' | 'entries'> & Entries;

export type SolendObligationArgs = SolendObligation;

function entriesOf(deposits: number, borrows: number) {
  const unused = ENTRIES_SIZE - deposits * obligationCollateral.fixedSize - borrows * obligationLiquidity.fixedSize;
  return getStructCodec([
    ['deposits', array(obligationCollateral, deposits)],
    ['borrows', array(obligationLiquidity, borrows)],
    ['_unused', bytes(Math.max(unused, 0))],
  ]);
}

/**
 * One owner's position in a Save market, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up.
 * Values in wads (10^18) of USD, as of the last refresh.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/obligation.rs
 */
export const solendObligationLayout = transformCodec(storedCodec, toStored, fromStored);

function toStored({ deposits, borrows, _unused, ...rest }: SolendObligationArgs): Stored {
  const entries: ReadonlyUint8Array = entriesOf(deposits.length, borrows.length).encode({
    deposits,
    borrows,
    _unused,
  });
  return { ...rest, depositsLength: deposits.length, borrowsLength: borrows.length, entries };
}

function fromStored({ depositsLength, borrowsLength, entries, ...rest }: Stored): SolendObligation {
  return { ...rest, ...entriesOf(depositsLength, borrowsLength).decode(entries) };
}
