import { ASSET_TAG, isIntegrationTag } from '@lending/domain';
import { JUPLEND_LIQUIDITY_PROGRAM, readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { type Loader, loadAccount } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { fail } from '../marginfi-error.ts';
import { accountsPerBank } from '../risk/accounts-per-bank.ts';
import { BANK, type BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';

const RATE_MODEL_SEED = new TextEncoder().encode('rate_model');

/** A bank of an order as the instruction was given it, with what its rate, its rewards and its price are read from. */
export interface ReferencedBank {
  readonly bank: Loader<BankState>;
  /** JupLend's. */
  readonly tokenReserve: InstructionAccount | null;
  /** Kamino's lending market; of JupLend the rewards' model and the fToken's mint. Empty where the instruction asks for no rate. */
  readonly rewards: readonly InstructionAccount[];
  readonly oracles: readonly InstructionAccount[];
}

/**
 * Takes so many banks, each once, with what belongs to it, and returns what comes after them.
 * @param reads what the instruction needs of each: rates, and of a rate the model that JupLend derives it with; a settlement needs neither.
 * @throws AnchorError WrongNumberOfOracleAccounts, SameAssetAndLiabilityBanks, InvalidBankAccount or InvalidGroup
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `parse_rebalance_banks`
 */
export function readRebalanceBanks(
  context: InvokeContext,
  group: InstructionAccount,
  remaining: readonly InstructionAccount[],
  { count, reads }: { readonly count: number; readonly reads: 'rates and models' | 'rates' | 'indices' },
): { readonly banks: readonly ReferencedBank[]; readonly rest: readonly InstructionAccount[] } {
  let next = 0;
  const take = (size = 1): readonly InstructionAccount[] => {
    const taken = remaining.slice(next, next + size);
    if (taken.length < size) fail(context, 'WrongNumberOfOracleAccounts');
    next += size;
    return taken;
  };
  const banks: ReferencedBank[] = [];
  while (banks.length < count) {
    const [given] = take() as [InstructionAccount];
    if (banks.some(({ bank }) => bank.account.address === given.address)) fail(context, 'SameAssetAndLiabilityBanks');
    const bank = loadBank(context, given);
    const state = bank.load();
    if (!areBytesEqual(state.group, group.key)) fail(context, 'InvalidGroup');
    const oracleCount = accountsPerBank(context, state) - 1;
    const tokenReserve = state.assetTag === ASSET_TAG.juplend ? (take()[0] ?? null) : null;
    const rewards = reads === 'indices' ? [] : takeRewards(context, state, take, reads === 'rates and models');
    banks.push({ bank, tokenReserve, rewards, oracles: take(oracleCount) });
  }
  return { banks, rest: remaining.slice(next) };
}

function takeRewards(
  context: InvokeContext,
  { assetTag, mint }: BankState,
  take: (size?: number) => readonly InstructionAccount[],
  needsModel: boolean,
): readonly InstructionAccount[] {
  if (assetTag === ASSET_TAG.kamino) return take();
  if (assetTag !== ASSET_TAG.juplend) return [];
  const rewards = take(2);
  const [model] = take();
  if (needsModel && model?.address !== rateModelOf(mint)) fail(context, 'JuplendLendingValidationFailed');
  return rewards;
}

/** Every fault of the account is the same error. @throws AnchorError InvalidBankAccount */
function loadBank(context: InvokeContext, given: InstructionAccount): Loader<BankState> {
  try {
    return loadAccount(context, given, BANK);
  } catch (error) {
    if (error instanceof AnchorError) fail(context, 'InvalidBankAccount');
    throw error;
  }
}

function rateModelOf(mint: Uint8Array): Address {
  return findProgramAddress([RATE_MODEL_SEED, mint], JUPLEND_LIQUIDITY_PROGRAM).address;
}

/** The same banks in the same order as a record names them. @throws AnchorError InvalidBankAccount */
export function requireBanks(
  context: InvokeContext,
  banks: readonly ReferencedBank[],
  wanted: readonly Address[],
): void {
  const isSame = banks.every(({ bank }, index) => bank.account.address === wanted[index]);
  if (!isSame) fail(context, 'InvalidBankAccount');
}

/**
 * Brings P0's own banks up to now, so that their rates and share values are of now; those of a venue are refreshed before the instruction.
 * @throws AnchorError 3006 for one that the instruction may not write.
 */
export function accrueOwnBanks(context: InvokeContext, banks: readonly ReferencedBank[], group: GroupState): void {
  for (const { bank } of banks) {
    if (isIntegrationTag(bank.load().assetTag)) continue;
    accrueInterest(context, bank, group);
    updateRates(context, bank, group);
  }
}

export function mintOf({ bank }: ReferencedBank): Address {
  return readAddress(bank.load().mint);
}
