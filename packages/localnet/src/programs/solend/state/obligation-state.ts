import { type SolendObligation, solendObligationLayout } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { isBool, orPanic, unpack, unpackUnchecked } from './account-bytes.ts';

export type ObligationDeposit = SolendObligation['deposits'][number];
export type ObligationBorrow = SolendObligation['borrows'][number];

/** Fields up to the padding, the two counts behind it, and where the entries begin. */
const FIELDS_END = 188;
const COUNTS = 202;
const ENTRIES = 204;
/** An entry's size, and how much of it is fields. */
const DEPOSIT = { size: 88, fields: 72 } as const;
const BORROW = { size: 112, fields: 80 } as const;
const NO_BYTES = new Uint8Array();
const ENTRY_PADDING = { deposit: new Uint8Array(16), borrow: new Uint8Array(32) } as const;

/** @throws InstructionError */
export function loadObligation(account: InstructionAccount): SolendObligation {
  return unpack(account, solendObligationLayout, hasSoundFlags);
}

/** An obligation that need not be set up. @throws InstructionError */
export function loadNewObligation(account: InstructionAccount): SolendObligation {
  return unpackUnchecked(account, solendObligationLayout, hasSoundFlags);
}

/** Writes the fields and nothing between or behind them: what an entry that is gone left there stays, as the program leaves it. */
export function storeObligation(account: InstructionAccount, obligation: SolendObligation): void {
  const encoded = orPanic(() => solendObligationLayout.encode({ ...obligation, _unused: NO_BYTES }));
  const data = account.writableData();
  const copy = (start: number, end: number) => data.set(encoded.subarray(start, end), start);
  copy(0, FIELDS_END);
  copy(COUNTS, ENTRIES);
  let offset = ENTRIES;
  for (const { size, fields } of [...obligation.deposits.map(() => DEPOSIT), ...obligation.borrows.map(() => BORROW)]) {
    copy(offset, offset + fields);
    offset += size;
  }
}

export function newDeposit(depositReserve: ObligationDeposit['depositReserve']): ObligationDeposit {
  return {
    depositReserve,
    depositedAmount: 0n,
    marketValue: 0n,
    attributedBorrowValue: 0n,
    _padding: ENTRY_PADDING.deposit,
  };
}

export function newBorrow(
  borrowReserve: ObligationBorrow['borrowReserve'],
  cumulativeBorrowRateWads: bigint,
): ObligationBorrow {
  return {
    borrowReserve,
    cumulativeBorrowRateWads,
    borrowedAmountWads: 0n,
    marketValue: 0n,
    _padding: ENTRY_PADDING.borrow,
  };
}

function hasSoundFlags({ lastUpdate, borrowingIsolatedAsset, closeable }: SolendObligation): boolean {
  return isBool(lastUpdate.stale) && isBool(borrowingIsolatedAsset) && isBool(closeable);
}
