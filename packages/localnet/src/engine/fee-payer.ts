import type { Address } from '@solana/kit';
import type { AccountState, SlotContext } from './engine.ts';
import { isRentChangeAllowed, rentStateOf } from './rent-state.ts';
import { SYSTEM_PROGRAM } from './runtime-addresses.ts';
import { TransactionFailure } from './transaction-failure.ts';

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
