import { BANK_FLAG, bandOf, borrow as takeLoan } from '@lending/domain';
import { lendingAccountBorrow, lendingAccountBorrowEvent, readAddress } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint } from '../constraints.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { assertInitialHealth } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { sortBalances } from '../state/balance-state.ts';
import { hasBankFlag } from '../state/bank-state.ts';
import { HealthCache, PROGRAM_VERSION } from '../state/health-cache-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { assertTagsMix, changeBalance, openOrFindBalance } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank, checkNotPaused } from '../steps/lending-checks.ts';
import { clearTagOfHealthy } from '../steps/liquidation-tag.ts';
import { type PayoutAccounts, readPayoutAccounts } from '../steps/payout-accounts.ts';
import { refreshPremiums, requirePremiumRates } from '../steps/premiums.ts';
import { tryReadPrice, updateCachedPrice } from '../steps/price-cache.ts';
import { countOutflow } from '../steps/rate-limits.ts';
import { addTransferFee, takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { requireVault, vaultSigner } from '../steps/vaults.ts';

const SOURCE = 'instructions/marginfi_account/borrow.rs';
const ISOLATED = 1;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/borrow.rs */
export const borrow = defineProgramInstruction({
  layout: lendingAccountBorrow,
  run(context, { amount }) {
    const accounts = readPayoutAccounts(context);
    checkAccounts(context, accounts);
    const { group, marginfiAccount, bank, tokenProgram } = accounts;
    const { mint, remaining } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    if (hasFlag(account, 'disabled', 'inReceivership')) fail(context, 'AccountDisabled', check(SOURCE, 69));
    accrueInterest(context, bank, group.load());
    assertTagsMix(context, account, state);
    requireBankOpen(context, state, 'borrow', false);

    const amountBase = lend(context, account, accounts, { mint, amount });
    sortBalances(account);
    syncIndexerFlags(account);
    if (state.riskTier === ISOLATED) account.hasIsolated = 1;

    const cache = new HealthCache();
    cache.fields.timestamp = context.slot.unixTimestamp;
    const judged = assertInitialHealth(
      context,
      account,
      () => readHealthAccounts(context, { account, group: group.load() }, remaining),
      cache,
    );
    clearTagOfHealthy(context, account, judged);
    cache.fields.programVersion = PROGRAM_VERSION;
    requirePremiumRates(context, group.load(), judged);
    assertNoPriceJump(context, account, remaining);
    refreshPremiums(context, { account, group: group.load() }, judged, { requirement: 'initial', rises: false });

    const read = tryReadPrice(context, bank, remaining);
    const cached = read === null || 'error' in read.cached ? null : read.cached;
    const { price } = read?.oracle ?? {};
    const band = price === undefined ? null : bandOf(price, 'spot');
    const spot = cached === null ? 0n : (band?.spot ?? 0n);
    countOutflow(context, { bank, group, accountFlags: account.accountFlags, amountBase }, spot);
    updateRates(context, bank, group.load());
    updateCachedPrice(context, state, cached);
    cache.setEngineOk(true);
    cache.writeTo(account);
  },
});

function checkAccounts(context: InvokeContext, accounts: PayoutAccounts): void {
  const { group, marginfiAccount, bank, destinationTokenAccount, liquidityVault } = accounts;
  requireDistinct(destinationTokenAccount, liquidityVault);
  checkNotPaused(context, group);
  checkAccount(marginfiAccount, accounts, { allowsHolder: false });
  checkBank(bank, group, liquidityVault);
  const state = bank.load();
  requireConstraint(bank, !hasBankFlag(state, BANK_FLAG.tokenlessRepaymentsAllowed), 'ForbiddenIx');
  requireWritable(destinationTokenAccount);
  const bump = state.liquidityVaultAuthorityBump;
  const { bankLiquidityVaultAuthority } = accounts;
  requireVault(bankLiquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireWritable(liquidityVault);
}

/** Books the debt, pays it out and says so. @returns what left the vault. */
function lend(
  context: InvokeContext,
  account: AccountState,
  { group, marginfiAccount, authority, bank, ...accounts }: PayoutAccounts,
  { mint, amount }: { readonly mint: InstructionAccount | null; readonly amount: bigint },
): bigint {
  const state = bank.loadMut();
  const opened = openOrFindBalance(context, account, bank);
  const amountBase = addTransferFee(context, mint, amount);
  const { programFeeRate } = group.load();
  const change = changeBalance(
    context,
    state,
    opened,
    (ledger, balance) => takeLoan(ledger, balance, amountBase, programFeeRate),
    check(SOURCE, 134),
  );
  account.lastUpdate = context.slot.unixTimestamp;
  const transfer = {
    tokenProgram: accounts.tokenProgram,
    mint,
    from: accounts.liquidityVault,
    to: accounts.destinationTokenAccount,
    authority: accounts.bankLiquidityVaultAuthority,
    amountBase,
  };
  withdrawTokens(context, transfer, vaultSigner('liquidityVaultAuthority', bank, state.liquidityVaultAuthorityBump));
  emitEvent(context, lendingAccountBorrowEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(state.mint),
    amount: change.eventAmountBase,
    shareAmount: change.shares,
  });
  return amountBase;
}
