import {
  hasLiability,
  type PriceBand,
  premiumOwed,
  type RiskBalance,
  type RiskBank,
  type RiskPrice,
} from '@lending/domain';
import { readAddress } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { type Loader, loadAccount } from '#programs/anchor/account-reader.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, activeBalancesOf, type BalanceState, debtPremiumOf } from '../state/account-state.ts';
import { arePricesLocked, BANK, type BankState, isHalted } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { accountsPerBank, type BankOracle, readBankConfig, readBankOracle, toRiskBank } from './oracles.ts';

const ISOLATED = 1;

/** An active balance with the bank that the instruction was given for it, and the price of its oracle. */
export interface HealthPosition {
  readonly bank: Loader<BankState>;
  readonly balance: RiskBalance;
}

/**
 * The accounts of a health check, as far as they are what the account's balances ask for. The program looks at one after the other, so an
 * earlier balance may fail it before it comes to what is wrong here.
 */
export interface HealthAccounts {
  readonly positions: readonly HealthPosition[];
  /** What stopped the reading; null when there is a position for every active balance. */
  readonly failure: InstructionError | null;
}

/** An account, and the group whose terms it is judged by. */
export interface Judged {
  readonly account: AccountState;
  readonly group: GroupState;
}

/**
 * Pairs the active balances, in their order, with bank and oracle accounts.
 * @param written accounts that the instruction is writing to besides: none of them can be read as a bank.
 */
export function readHealthAccounts(
  context: InvokeContext,
  { account, group }: Judged,
  remaining: readonly InstructionAccount[],
  written: readonly Written[] = [],
): HealthAccounts {
  return readPositions(account, (balance, next) => {
    const bank = takeBank(context, account, balance, remaining[next], written);
    return readPosition(context, { bank, balance, group }, remaining.slice(next));
  });
}

/**
 * The same at the end of a receivership: banks alone, with the prices that its start locked into them.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_health_components`, cached mode
 */
export function readLockedAccounts(
  context: InvokeContext,
  { account, group }: Judged,
  remaining: readonly InstructionAccount[],
): HealthAccounts {
  return readPositions(account, (balance, next) => {
    const bank = takeBank(context, account, balance, remaining[next]);
    const state = bank.load();
    if (!arePricesLocked(state)) fail('InternalLogicError');
    const risk = toRiskBank(context, readBankConfig(bank.account), state, group);
    return { position: { bank, balance: toRiskBalance(context, balance, risk, lockedPriceOf(state)) }, count: 1 };
  });
}

/**
 * Whether the account owes in an isolated bank. Asks for the banks alone: their oracles may be anything.
 * @throws AnchorError, InstructionError when a bank is not there
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `compute_has_isolated_liability_flag`
 */
export function owesIsolated(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
): boolean {
  let isIsolated = false;
  for (const [balance, bank] of banksOf(context, account, remaining)) {
    if (hasLiability(balance) && bank.riskTier === ISOLATED) isIsolated = true;
  }
  return isIsolated;
}

/**
 * Whether the circuit breaker stands in the way of what needs a price of every balance. Within a flash loan, too.
 * @param written accounts that the instruction is writing to besides: none of them can be read as a bank.
 * @throws AnchorError, InstructionError when a bank is not there
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `any_balance_bank_is_cb_halted`
 */
export function isAnyBankHalted(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  written: readonly Written[] = [],
): boolean {
  for (const [, bank] of banksOf(context, account, remaining, written)) {
    if (isHalted(bank, context.slot.unixTimestamp)) return true;
  }
  return false;
}

/**
 * The banks of the active balances, one after the other, each with what reads its oracle.
 * @throws AnchorError, InstructionError when a bank is not there, or its oracle cannot be read
 */
export function* banksWithOracles(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  written: readonly Written[],
): Generator<readonly [BankState, () => BankOracle]> {
  let next = 0;
  for (const balance of activeBalancesOf(account)) {
    const bank = takeBank(context, account, balance, remaining[next], written);
    const from = next;
    const state = bank.load();
    yield [
      state,
      () => {
        const end = from + accountsPerBank(context, state);
        if (end > remaining.length) fail('WrongNumberOfOracleAccounts');
        return readBankOracle(context, bank.account, remaining.slice(from + 1, end));
      },
    ];
    next += accountsPerBank(context, state);
  }
}

/** The active balances with the banks that the list has for them, one after the other: the first that is missing ends it. */
function* banksOf(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  written: readonly Written[] = [],
): Generator<readonly [BalanceState, BankState]> {
  let next = 0;
  for (const balance of activeBalancesOf(account)) {
    const bank = takeBank(context, account, balance, remaining[next], written).load();
    next += accountsPerBank(context, bank);
    yield [balance, bank];
  }
}

interface ReadPosition {
  readonly position: HealthPosition;
  /** How many accounts it took. */
  readonly count: number;
}

function readPositions(
  account: AccountState,
  read: (balance: BalanceState, next: number) => ReadPosition,
): HealthAccounts {
  const positions: HealthPosition[] = [];
  let next = 0;
  for (const balance of activeBalancesOf(account)) {
    try {
      const { position, count } = read(balance, next);
      positions.push(position);
      next += count;
    } catch (error) {
      if (error instanceof InstructionError) return { positions, failure: error };
      throw error;
    }
  }
  return { positions, failure: null };
}

function readPosition(
  context: InvokeContext,
  { bank, balance, group }: { bank: Loader<BankState>; balance: BalanceState; group: GroupState },
  rest: readonly InstructionAccount[],
): ReadPosition {
  const state = bank.load();
  const count = accountsPerBank(context, state);
  if (rest.length < count) fail('WrongNumberOfOracleAccounts');
  const oracle = readBankOracle(context, bank.account, rest.slice(1, count));
  const risk = toRiskBank(context, oracle.config, state, group);
  return { position: { bank, balance: toRiskBalance(context, balance, risk, oracle.price) }, count };
}

function toRiskBalance(context: InvokeContext, balance: BalanceState, bank: RiskBank, price: RiskPrice): RiskBalance {
  const { assetShares, liabilityShares } = balance;
  const premium = premiumOwed(bank, { liabilityShares, premium: debtPremiumOf(balance) }, context.slot.unixTimestamp);
  return { bank, price, assetShares, liabilityShares, premium };
}

function lockedPriceOf(state: BankState): RiskPrice {
  const spot = bandAround(state.liquidationPriceRt, state.liquidationPriceRtConfidence);
  const ema = bandAround(state.liquidationPriceTwap, state.liquidationPriceTwapConfidence);
  return { kind: 'loaded', spot, ema, hasBorrowingPower: true };
}

function bandAround(price: bigint, confidence: bigint): PriceBand {
  return { spot: price, low: price - confidence, high: price + confidence };
}

/** An account that an instruction is writing to. */
export type Written = Pick<AccountState, 'data'>;

/**
 * The bank that stands in the list for a balance.
 * @throws AnchorError when it is none, or not the balance's; InstructionError when it is an account that is being written.
 */
function takeBank(
  context: InvokeContext,
  account: AccountState,
  balance: BalanceState,
  given: InstructionAccount | undefined,
  written: readonly Written[] = [],
): Loader<BankState> {
  if (given === undefined) return fail('InvalidBankAccount');
  if ([account, ...written].some(({ data }) => data === given.data)) throw new InstructionError('AccountBorrowFailed');
  const bank = loadAccount(context, given, BANK);
  if (!areBytesEqual(balance.bankPk, given.key)) {
    context.log(`Balance of bank ${readAddress(balance.bankPk)}, given ${given.address}`);
    fail('InvalidBankAccount');
  }
  return bank;
}
