import { BANK_FLAG, payableFromVault } from '@lending/domain';
import { lendingAccountWithdraw, lendingAccountWithdrawEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { requireConstraint } from '../constraints.ts';
import { hasFlag } from '../state/account-state.ts';
import { owesAnything, sortBalances } from '../state/balance-state.ts';
import { hasBankFlag } from '../state/bank-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { takeFromBalance } from '../steps/balance-changes.ts';
import { requireBalance } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { countDeleverage } from '../steps/deleverage.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { type PayoutAccounts, readPayoutAccounts } from '../steps/payout-accounts.ts';
import { countOutflow } from '../steps/rate-limits.ts';
import { addTransferFee, takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { requireVault, vaultSigner } from '../steps/vaults.ts';
import { ANY_HOLDER, readWithdrawalPrice, settleWithdrawal } from '../steps/withdrawal.ts';

const SOURCE = 'instructions/marginfi_account/withdraw.rs';

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

    requireBankOpen(context, state, 'withdraw', !owesAnything(account));
    const held = { remaining, heldBy: ANY_HOLDER };
    const price = readWithdrawalPrice(context, account, accounts, { ...held, source: [SOURCE, 90] });
    accrueInterest(context, bank, group.load());

    requireBalance(context, account, bank);
    const wanted = isClosing ? 'all' : addTransferFee(context, mint, amount);
    const taken = takeFromBalance(context, account, bank, wanted);
    const amountBase = payOut(context, accounts, taken.amount);
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
      mint: readAddress(state.mint),
      amount: amountBase,
      closeBalance: isClosing,
      shareAmount: taken.shares,
    });
    sortBalances(account);
    syncIndexerFlags(account);

    settleWithdrawal(context, account, { bank, group }, held);
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

function payOut(context: InvokeContext, { bank, liquidityVault }: PayoutAccounts, amountBase: bigint): bigint {
  const state = bank.load();
  if (!hasBankFlag(state, BANK_FLAG.tokenlessRepaymentsComplete)) return amountBase;
  const held = amountOf(liquidityVault.account.data);
  context.log(`amount expected withdrawn: ${amountBase}, actual: ${held}`);
  return payableFromVault(state, amountBase, held);
}
