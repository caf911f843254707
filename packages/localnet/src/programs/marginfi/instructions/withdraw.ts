import {
  BANK_FLAG,
  type I80F48,
  I80F48_ZERO,
  integerToI80F48,
  payableFromVault,
  withdraw as takeDeposit,
  withdrawAll,
} from '@lending/domain';
import { lendingAccountWithdraw, lendingAccountWithdrawEvent } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { toAddress } from '#programs/anchor/field.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { requireConstraint } from '../constraints.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { findBankOracle, requireSpotPrice } from '../risk/bank-oracle.ts';
import { assertInitialHealth } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { closeBalanceSlot, sortBalances } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import { hasBankFlag, unlockPrices } from '../state/bank-state.ts';
import { HealthCache, PROGRAM_VERSION } from '../state/health-cache-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { requireBalance, writeShares } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { countDeleverage } from '../steps/deleverage.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { type PayoutAccounts, readPayoutAccounts } from '../steps/payout-accounts.ts';
import { tryCachePrice } from '../steps/price-cache.ts';
import { countOutflow, isGroupLimited } from '../steps/rate-limits.ts';
import { addTransferFee, takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { requireVault, vaultSigner } from '../steps/vaults.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/withdraw.rs */
export const withdraw = defineProgramInstruction({
  layout: lendingAccountWithdraw,
  run(context, { amount, withdrawAll: takesAll }) {
    const accounts = readPayoutAccounts(context);
    checkAccounts(context, accounts);
    const { group, marginfiAccount, authority, bank, liquidityVault, tokenProgram } = accounts;
    const account = marginfiAccount.loadMut();
    const { mint, remaining } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const state = bank.loadMut();
    const isClosing = takesAll === true;

    requireBankOpen(context, state.operationalState, 'withdraw');
    const price = readPrice(context, account, accounts, remaining);
    accrueInterest(context, bank, group.load());

    const taken = takeFromBalance(context, account, accounts, { mint, amount, isClosing });
    const amountBase = payOut(context, accounts, taken.amountBase);
    countOutflow(context, { bank, group, accountFlags: account.accountFlags, amountBase }, price);
    countDeleverage(context, account, { bank, group, amountBase }, price);
    account.lastUpdate = context.slot.unixTimestamp;

    const signer = vaultSigner('liquidityVaultAuthority', bank, state.liquidityVaultAuthorityBump);
    const { destinationTokenAccount: to, bankLiquidityVaultAuthority } = accounts;
    const transfer = {
      tokenProgram,
      mint,
      from: liquidityVault,
      to,
      authority: bankLiquidityVaultAuthority,
      amountBase,
    };
    withdrawTokens(context, transfer, signer);
    updateRates(context, bank, group.load());
    emitEvent(context, lendingAccountWithdrawEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      bank: bank.account.address,
      mint: toAddress(state.mint),
      amount: amountBase,
      closeBalance: isClosing,
      shareAmount: taken.shares,
    });
    sortBalances(account);
    syncIndexerFlags(account);

    checkHealth(context, account, remaining);
    tryCachePrice(context, bank, remaining);
  },
});

function checkAccounts(context: InvokeContext, accounts: PayoutAccounts): void {
  const { group, marginfiAccount, bank, destinationTokenAccount, liquidityVault } = accounts;
  requireDistinct(destinationTokenAccount, liquidityVault);
  checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage'));
  checkAccount(marginfiAccount, accounts, { allowsHolder: true, extra: IS_DISABLED });
  checkBank(bank, group, liquidityVault);
  const state = bank.load();
  // Collateral without a weight would go to a liquidator for nothing.
  const isTakenForNothing = hasFlag(marginfiAccount.load(), 'inReceivership') && state.assetWeightInit === 0n;
  requireConstraint(bank, !isTakenForNothing, 'LiquidationPremiumTooHigh');
  requireWritable(destinationTokenAccount);
  const bump = state.liquidityVaultAuthorityBump;
  const { bankLiquidityVaultAuthority } = accounts;
  requireVault(bankLiquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireWritable(liquidityVault);
}

/** The price that limits and receivership count with; nobody else needs one. */
function readPrice(
  context: InvokeContext,
  account: AccountState,
  { bank, group }: PayoutAccounts,
  remaining: readonly InstructionAccount[],
): I80F48 {
  const isHeld = hasFlag(account, 'inReceivership', 'inOrderExecution');
  if (!isHeld && !isGroupLimited(group.load())) return I80F48_ZERO;
  const { low } = requireSpotPrice(context, findBankOracle(context, bank.account, bank.load(), remaining));
  if (isHeld && low <= 0n) {
    fail(context, 'ZeroAssetPrice', check('instructions/marginfi_account/withdraw.rs', 90));
  }
  return low;
}

function takeFromBalance(
  context: InvokeContext,
  account: AccountState,
  { bank }: PayoutAccounts,
  wanted: { readonly mint: InstructionAccount | null; readonly amount: bigint; readonly isClosing: boolean },
): { readonly amountBase: bigint; readonly shares: I80F48 } {
  const state = bank.loadMut();
  const balance = requireBalance(context, account, bank);
  if (wanted.isClosing) {
    const closed = withdrawAll(readLedger(state), balance);
    if (closed.kind === 'refused') return fail(context, closed.error);
    writeLedger(state, closed.bank);
    closeBalanceSlot(account, bank.account.key);
    if (hasFlag(account, 'inReceivership')) unlockPrices(state);
    return closed;
  }
  const amountBase = addTransferFee(context, wanted.mint, wanted.amount);
  const change = takeDeposit(readLedger(state), balance, integerToI80F48(amountBase));
  if (change.kind === 'refused') return fail(context, change.error);
  writeLedger(state, change.bank);
  writeShares(balance, change.balance);
  return { amountBase, shares: change.shares };
}

function payOut(context: InvokeContext, { bank, liquidityVault }: PayoutAccounts, amountBase: bigint): bigint {
  const state = bank.load();
  if (!hasBankFlag(state, BANK_FLAG.tokenlessRepaymentsComplete)) return amountBase;
  const held = amountOf(liquidityVault.account.data);
  context.log(`amount expected withdrawn: ${amountBase}, actual: ${held}`);
  return payableFromVault(state, amountBase, held);
}

/** Whoever holds an account in receivership, or executes its order, is judged at the end of the transaction. */
function checkHealth(context: InvokeContext, account: AccountState, remaining: readonly InstructionAccount[]): void {
  if (hasFlag(account, 'inReceivership', 'inOrderExecution')) return;
  const cache = new HealthCache();
  cache.fields.timestamp = context.slot.unixTimestamp;
  assertInitialHealth(context, account, () => readHealthAccounts(context, account, remaining), cache);
  cache.fields.programVersion = PROGRAM_VERSION;
  cache.setEngineOk(true);
  cache.writeTo(account);
}
