import type { Address } from '@solana/kit';
import type { AccountState, SlotContext } from './engine.ts';
import { TransactionFailure } from './instruction-error.ts';
import type { LoadedAccount } from './loaded-account.ts';
import { INCINERATOR, SYSTEM_PROGRAM } from './runtime-addresses.ts';

/**
 * Checks that the first account can pay the fee and stay exempt from rent, or be emptied.
 * @throws TransactionFailure that leaves no trace on the chain.
 */
export function assertCanPay(
  address: Address,
  payer: Pick<AccountState, 'data' | 'lamports' | 'owner'> | undefined,
  fee: bigint,
  { minimumBalance }: Pick<SlotContext, 'minimumBalance'>,
): void {
  if (payer === undefined || payer.lamports === 0n) throw new TransactionFailure('AccountNotFound');
  // A durable nonce account may pay too; the local chain has none.
  if (payer.owner !== SYSTEM_PROGRAM || payer.data.length > 0) throw new TransactionFailure('InvalidAccountForFee');
  if (payer.lamports < fee) throw new TransactionFailure('InsufficientFundsForFee');
  const before = rentStateOf(payer, minimumBalance);
  const after = rentStateOf({ data: payer.data, lamports: payer.lamports - fee }, minimumBalance);
  if (!isRentChangeAllowed(address, before, after)) throw rentFailure(0, false);
}

/** @param isRecorded whether the transaction lands and pays all the same. */
export function rentFailure(accountIndex: number, isRecorded: boolean): TransactionFailure {
  return new TransactionFailure({ InsufficientFundsForRent: { account_index: accountIndex } }, isRecorded);
}

/** What a transaction that failed but landed writes: the payer's balance without the fee. */
export function feeWrite(
  address: Address,
  before: AccountState,
  fee: bigint,
): ReadonlyMap<Address, AccountState | undefined> {
  if (fee === 0n) return new Map();
  const lamports = before.lamports - fee;
  return new Map([[address, lamports === 0n ? undefined : { ...before, lamports }]]);
}

/** How an account stands with rent. */
export interface RentState {
  readonly kind: 'exempt' | 'paying' | 'uninitialized';
  readonly lamports: bigint;
  readonly dataLength: number;
}

export function rentStateOf(
  account: Pick<LoadedAccount, 'data' | 'lamports'>,
  minimumBalance: (dataLength: number) => bigint,
): RentState {
  const { lamports, data } = account;
  const dataLength = data.length;
  if (lamports === 0n) return { kind: 'uninitialized', lamports, dataLength };
  return { kind: lamports >= minimumBalance(dataLength) ? 'exempt' : 'paying', lamports, dataLength };
}

/** No transaction may leave an account below the exempt balance, save one that was there before and gained nothing. */
export function isRentChangeAllowed(address: string, before: RentState, after: RentState): boolean {
  if (after.kind !== 'paying' || address === INCINERATOR) return true;
  return before.kind === 'paying' && after.dataLength === before.dataLength && after.lamports <= before.lamports;
}
