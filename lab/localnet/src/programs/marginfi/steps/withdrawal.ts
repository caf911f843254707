import { type I80F48, I80F48_ZERO } from '@lending/domain';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { fail } from '../marginfi-error.ts';
import { assertInitialHealth } from '../risk/health.ts';
import { type Judged, readHealthAccounts } from '../risk/health-accounts.ts';
import { findBankOracle, requireSpotPrice } from '../risk/oracles.ts';
import { type AccountState, HealthCache, hasFlag, owesAnything, PROGRAM_VERSION } from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { isGroupLimited } from './limits.ts';
import { clearTagOfHealthy } from './liquidation-tag.ts';
import { refreshPremiums } from './premiums.ts';
import { assertNoPriceJump, tryCachePrice } from './prices.ts';

/** An account that another than its owner holds is judged at the end of the transaction, and its prices must be there. */
export type HeldBy = readonly ('inReceivership' | 'inOrderExecution' | 'inRebalance')[];

/** All ways to hold an account. Solend's instructions know receiverships alone. */
export const ANY_HOLDER: HeldBy = ['inReceivership', 'inOrderExecution', 'inRebalance'];

/** The price that limits and receivership count with; nobody else needs one, and gets zero. */
export function readWithdrawalPrice(
  context: InvokeContext,
  account: AccountState,
  { bank, group }: { readonly bank: Loader<BankState>; readonly group: Loader<GroupState> },
  { remaining, heldBy }: { readonly remaining: readonly InstructionAccount[]; readonly heldBy: HeldBy },
): I80F48 {
  const isHeld = hasFlag(account, ...heldBy);
  if (!isHeld && !isGroupLimited(group.load())) return I80F48_ZERO;
  const { low } = requireSpotPrice(findBankOracle(context, bank.account, bank.load(), remaining));
  if (isHeld && low <= 0n) fail('ZeroAssetPrice');
  return low;
}

/** What every withdrawal ends with: the account's health, unless somebody holds it, and the bank's price. */
export function settleWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { bank, group }: { readonly bank: Loader<BankState>; readonly group: Loader<GroupState> },
  { remaining, heldBy }: { readonly remaining: readonly InstructionAccount[]; readonly heldBy: HeldBy },
): void {
  if (!hasFlag(account, ...heldBy)) checkHealth(context, { account, group: group.load() }, remaining);
  tryCachePrice(context, bank, remaining);
}

function checkHealth(context: InvokeContext, judged: Judged, remaining: readonly InstructionAccount[]): void {
  const { account } = judged;
  const cache = new HealthCache();
  cache.fields.timestamp = context.slot.unixTimestamp;
  const accounts = assertInitialHealth(context, account, () => readHealthAccounts(context, judged, remaining), cache);
  clearTagOfHealthy(context, account, accounts);
  cache.fields.programVersion = PROGRAM_VERSION;
  cache.setEngineOk(true);
  cache.writeTo(account);
  if (owesAnything(account)) assertNoPriceJump(context, account, remaining);
  refreshPremiums(context, judged, accounts, { requirement: 'initial', rises: true });
}
