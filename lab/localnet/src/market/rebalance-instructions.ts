import {
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountCloseRebalanceOrder,
  marginfiAccountEndRebalance,
  marginfiAccountPlaceRebalanceOrder,
  marginfiAccountSettleRebalanceTip,
  marginfiAccountStartRebalance,
  marginfiAccountTopUpRebalanceFeePool,
  marginfiAccountUpdateRebalanceOrder,
  marginfiAccountWithdrawRebalanceFeePool,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { writeU64 } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import { feePoolOf, type Owner, p0Instruction } from './lending-instructions.ts';
import { venueInstructionsOf } from './venue-instructions/of-bank.ts';
import type { ReadAccount } from './venue-instructions/venue-instructions.ts';

/** Terms of an order; one that is left out stays as it is, or is the program's default in a new order. */
export interface RebalanceTerms {
  /** Raw I80F48, 1 is 100 % a year. */
  readonly minImprovement?: bigint;
  readonly cooldownSeconds?: bigint;
  /** Base units. */
  readonly amount?: bigint;
  /** Lamports. */
  readonly keeperTip?: bigint;
}

/** One execution of an order: whose, of which mint, the number it must have, and who carries it out. */
export interface Execution {
  readonly account: Address;
  readonly mint: Address;
  readonly sequence: bigint;
  readonly executor: Address;
}

/** By the banks' places in the list; whole tokens, raw I80F48. */
export interface PlannedMove {
  readonly from: number;
  readonly to: number;
  readonly amount: bigint;
}

export function placeRebalanceOrder(
  { wallet, account }: Owner,
  mint: Address,
  allowedBanks: readonly Address[],
  terms: RebalanceTerms,
): Instruction {
  const accounts = {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    authority: wallet,
    mint,
    rebalanceOrder: rebalanceOrderOf(account, mint),
    payer: wallet,
    systemProgram: SYSTEM_PROGRAM,
  };
  return p0Instruction(marginfiAccountPlaceRebalanceOrder, accounts, {
    ...argumentsOf(terms),
    allowedBanks: [...allowedBanks],
  });
}

export function updateRebalanceOrder(
  { wallet, account }: Owner,
  mint: Address,
  { allowedBanks, ...terms }: RebalanceTerms & { readonly allowedBanks?: readonly Address[] },
): Instruction {
  const accounts = {
    marginfiAccount: account,
    authority: wallet,
    rebalanceOrder: rebalanceOrderOf(account, mint),
  };
  const banks = allowedBanks === undefined ? null : [...allowedBanks];
  return p0Instruction(marginfiAccountUpdateRebalanceOrder, accounts, { ...argumentsOf(terms), allowedBanks: banks });
}

/** @param authority the owner's wallet; null for an order with nothing left to move, which anyone may close. */
export function closeRebalanceOrder(
  account: Address,
  mint: Address,
  { authority, receiver }: { readonly authority: Address | null; readonly receiver: Address },
): Instruction {
  const rebalanceOrder = rebalanceOrderOf(account, mint);
  const accounts = { marginfiAccount: account, authority, feeRecipient: receiver, rebalanceOrder };
  return p0Instruction(marginfiAccountCloseRebalanceOrder, accounts, {});
}

export function topUpFeePool(payer: Address, account: Address, amount: bigint): Instruction {
  const rebalanceFeePool = feePoolOf(account);
  const accounts = { marginfiAccount: account, rebalanceFeePool, payer, systemProgram: SYSTEM_PROGRAM };
  return p0Instruction(marginfiAccountTopUpRebalanceFeePool, accounts, { amount });
}

export function withdrawFeePool({ wallet, account }: Owner, amount: bigint): Instruction {
  const accounts = {
    marginfiAccount: account,
    authority: wallet,
    rebalanceFeePool: feePoolOf(account),
    destination: wallet,
    systemProgram: SYSTEM_PROGRAM,
  };
  return p0Instruction(marginfiAccountWithdrawRebalanceFeePool, accounts, { amount });
}

/** Brings to this slot what the banks' rates are read from; goes before the start. */
export function refreshRates(banks: readonly P0Bank[], read: ReadAccount): readonly Instruction[] {
  return banks.flatMap((bank) => (bank.venue === 'p0' ? [] : venueInstructionsOf(bank).rates.refresh(bank, read)));
}

/** @param banks all of the order's; moves name them by their places in this list. */
export function startRebalance(
  execution: Execution,
  banks: readonly P0Bank[],
  moves: readonly PlannedMove[],
  read: ReadAccount,
): Instruction {
  const { account, mint, sequence, executor } = execution;
  const accounts = {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    rebalanceOrder: rebalanceOrderOf(account, mint),
    executor,
    rebalanceRecord: rebalanceRecordOf(account, sequence),
    payer: executor,
    instructionsSysvar: INSTRUCTIONS_SYSVAR,
    systemProgram: SYSTEM_PROGRAM,
  };
  const args = {
    moves: moves.map(({ from, to, amount }) => ({ srcIndex: from, dstIndex: to, _pad0: new Uint8Array(6), amount })),
    executionSeq: sequence,
  };
  return p0Instruction(marginfiAccountStartRebalance, accounts, args, bankBlocks(banks, 'rate', read));
}

/**
 * Goes last in the transaction.
 * @param banks as at the start.
 * @param health the health list as it stands after the moves.
 */
export function endRebalance(
  execution: Execution,
  banks: readonly P0Bank[],
  health: readonly Address[],
  read: ReadAccount,
): Instruction {
  const { account, mint, sequence, executor } = execution;
  const accounts = {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    rebalanceOrder: rebalanceOrderOf(account, mint),
    rebalanceRecord: rebalanceRecordOf(account, sequence),
    executor,
    rebalanceFeePool: feePoolOf(account),
    systemProgram: SYSTEM_PROGRAM,
  };
  const remaining = [...bankBlocks(banks, 'rate', read), ...health];
  return p0Instruction(marginfiAccountEndRebalance, accounts, {}, remaining);
}

export function settleRebalanceTip(
  { account, sequence, executor }: Execution,
  banks: readonly P0Bank[],
  caller: Address,
  read: ReadAccount,
): Instruction {
  const accounts = {
    group: MARGINFI_MAIN_GROUP,
    marginfiAccount: account,
    rebalanceRecord: rebalanceRecordOf(account, sequence),
    executor,
    rebalanceFeePool: feePoolOf(account),
    caller,
  };
  return p0Instruction(marginfiAccountSettleRebalanceTip, accounts, {}, bankBlocks(banks, 'earnings', read));
}

export function rebalanceOrderOf(account: Address, mint: Address): Address {
  const seeds = [new TextEncoder().encode('rebalance_order'), getAddressBytes(account), getAddressBytes(mint)];
  return findProgramAddress(seeds, MARGINFI_PROGRAM).address;
}

export function rebalanceRecordOf(account: Address, sequence: bigint): Address {
  const number = new Uint8Array(8);
  writeU64(number, 0, sequence);
  const seeds = [new TextEncoder().encode('rebalance_record'), getAddressBytes(account), number];
  return findProgramAddress(seeds, MARGINFI_PROGRAM).address;
}

/** Each bank with what its rate and its price are read from. P0's own are brought up to now, and so written. */
function bankBlocks(
  banks: readonly P0Bank[],
  asked: 'rate' | 'earnings',
  read: ReadAccount,
): readonly (Address | AccountMeta)[] {
  return banks.flatMap((bank) => {
    const oracles = oracleAccountsOf(bank);
    if (bank.venue === 'p0') return [{ address: bank.address, role: AccountRole.WRITABLE }, ...oracles];
    return [bank.address, ...venueInstructionsOf(bank).rates.accounts(bank, asked, read), ...oracles];
  });
}

function argumentsOf({ minImprovement, cooldownSeconds, amount, keeperTip }: RebalanceTerms) {
  return {
    minImprovement: minImprovement ?? null,
    cooldownSeconds: cooldownSeconds ?? null,
    amount: amount ?? null,
    keeperTip: keeperTip ?? null,
  };
}
