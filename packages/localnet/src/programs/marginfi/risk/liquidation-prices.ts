import { bandOf, type PriceBand, sideOf } from '@lending/domain';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { type Loader, loadAccount } from '#programs/anchor/account-reader.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import type { AccountState } from '../state/account-state.ts';
import { activeBalancesOf } from '../state/balance-state.ts';
import { BANK, type BankState, lockPrices, unlockPrices } from '../state/bank-state.ts';
import { accountsPerBank } from './accounts-per-bank.ts';
import type { HealthAccounts } from './health-accounts.ts';

const SOURCE = 'state/marginfi_account.rs';
const KINDS = ['spot', 'ema'] as const;
const NO_PRICE: PriceBand = { spot: 0n, low: 0n, high: 0n };

/**
 * Keeps the prices that a receivership begins with in the banks, and locks them there: its end must value what is left with the same.
 * @throws AnchorError 3006 when a bank was given read-only.
 */
export function lockLiquidationPrices(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  { positions }: HealthAccounts,
): void {
  for (const [index, bank] of loadBanks(context, account, remaining).entries()) {
    const balance = positions[index]?.balance;
    if (balance === undefined) continue;
    const side = sideOf(balance);
    // What is worth nothing was never priced.
    const isPriced = side === 'liability' || (side === 'asset' && balance.bank.riskTier !== 'Isolated');
    const state = bank.loadMut();
    const [spot, ema] = KINDS.map((kind) => (isPriced ? bandOf(balance.price, kind) : null) ?? NO_PRICE) as [
      PriceBand,
      PriceBand,
    ];
    state.liquidationPriceRt = spot.spot;
    state.liquidationPriceRtConfidence = spot.high - spot.spot;
    state.liquidationPriceTwap = ema.spot;
    state.liquidationPriceTwapConfidence = ema.high - ema.spot;
    lockPrices(state);
  }
}

export function unlockLiquidationPrices(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
): void {
  for (const bank of loadBanks(context, account, remaining)) unlockPrices(bank.loadMut());
}

/**
 * The banks of the active balances, from a list of banks alone or of banks with their oracles: its length says which.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `BankAccountWithCache::load`
 */
function loadBanks(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
): readonly Loader<BankState>[] {
  const balances = activeBalancesOf(account);
  const isBanksOnly = remaining.length === balances.length;
  let next = 0;
  return balances.map((balance) => {
    const given = remaining[next];
    if (given === undefined) {
      context.log(`Ran out of remaining accounts at ${next}`);
      return fail(context, 'InvalidBankAccount', err(SOURCE, 259));
    }
    const bank = loadAccount(context, given, BANK);
    const count = isBanksOnly ? 1 : accountsPerBank(context, bank.load());
    if (!areBytesEqual(balance.bankPk, given.key)) fail(context, 'InvalidBankAccount', check(SOURCE, 270));
    if (remaining.length < next + count) fail(context, 'WrongNumberOfOracleAccounts', err(SOURCE, 278));
    next += count;
    return bank;
  });
}
