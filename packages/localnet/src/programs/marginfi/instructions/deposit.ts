import { BANK_FLAG, remainingDepositCapacity } from '@lending/domain';
import { lendingAccountDeposit, lendingAccountDepositEvent, readAddress } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint } from '../constraints.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { findBalance, sortBalances } from '../state/balance-state.ts';
import { readLedger } from '../state/bank-ledger.ts';
import { BANK, hasBankFlag } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { addToBalance } from '../steps/balance-changes.ts';
import { assertTagsMix } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank, checkNotPaused } from '../steps/lending-checks.ts';
import { countInflow } from '../steps/rate-limits.ts';
import { addTransferFee, depositTokens, takeBankMint } from '../steps/tokens.ts';

const SOURCE = 'instructions/marginfi_account/deposit.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/deposit.rs */
export const deposit = defineProgramInstruction({
  layout: lendingAccountDeposit,
  run(context, { amount, depositUpToLimit }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, marginfiAccount, authority, bank, tokenProgram } = accounts;
    const { mint } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    assertTagsMix(context, account, state);
    requireBankOpen(context, state, 'deposit', findBalance(account, bank.account.key) !== undefined);
    if (hasFlag(account, 'disabled', 'inReceivership')) fail(context, 'AccountDisabled', check(SOURCE, 62));
    accrueInterest(context, bank, group.load());

    const amountBase = depositUpToLimit === true ? upToLimit(context, readLedger(state), amount) : amount;
    if (amountBase === 0n) return;
    const shares = addToBalance(context, account, bank, amountBase);
    account.lastUpdate = context.slot.unixTimestamp;
    countInflow(context, { bank, group, accountFlags: account.accountFlags, amountBase });

    depositTokens(context, state, {
      tokenProgram,
      mint,
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority,
      borrowed: [group, marginfiAccount, bank],
      amountBase: addTransferFee(context, mint, amountBase),
    });
    updateRates(context, bank, group.load());
    emitEvent(context, lendingAccountDepositEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      bank: bank.account.address,
      mint: readAddress(state.mint),
      amount: amountBase,
      shareAmount: shares,
    });
    sortBalances(account);
    syncIndexerFlags(account);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
    signerTokenAccount: reader.unchecked('signer_token_account'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    tokenProgram: reader.tokenProgram('token_program'),
    remaining: reader.remaining(),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, liquidityVault } = accounts;
  checkNotPaused(context, group);
  checkAccount(marginfiAccount, accounts, { allowsHolder: false });
  checkBank(bank, group, liquidityVault);
  requireConstraint(bank, !hasBankFlag(bank.load(), BANK_FLAG.tokenlessRepaymentsAllowed), 'BankReduceOnly');
  requireWritable(accounts.signerTokenAccount);
  requireWritable(liquidityVault);
}

function upToLimit(context: InvokeContext, ledger: ReturnType<typeof readLedger>, amount: bigint): bigint {
  const room = remainingDepositCapacity(ledger) ?? fail(context, 'MathError');
  return amount < room ? amount : room;
}
