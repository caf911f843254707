import {
  BANK_FLAG,
  EMPTY_BALANCE_SHARES,
  type I80F48,
  integerToI80F48,
  markClearedDebt,
  repay as payBack,
  repayAll,
} from '@lending/domain';
import {
  lendingAccountPremiumSettledEvent,
  lendingAccountRepay,
  lendingAccountRepayEvent,
  readAddress,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { toFloat } from '../risk/to-float.ts';
import { type AccountState, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { closeBalanceSlot, owesAnything, sortBalances } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import { BANK, hasBankFlag, unlockPrices } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { changeBalance, requireBalance } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkAccount, checkBank, checkNotPaused } from '../steps/lending-checks.ts';
import { dropTag } from '../steps/liquidation-tag.ts';
import { claimPremium, settlePremium } from '../steps/premiums.ts';
import { countInflow } from '../steps/rate-limits.ts';
import { addTransferFee, depositTokens, takeBankMint } from '../steps/tokens.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_account/repay.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/repay.rs */
export const repay = defineProgramInstruction({
  layout: lendingAccountRepay,
  run(context, { amount, repayAll: paysAll }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, marginfiAccount, authority, bank, tokenProgram } = accounts;
    const account = marginfiAccount.loadMut();
    const isClosing = paysAll === true;

    if (hasFlag(account, 'disabled')) fail(context, 'AccountDisabled', check(SOURCE, 58));
    const { mint } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const state = bank.loadMut();
    requireBankOpen(context, state, 'repay', true);
    accrueInterest(context, bank, group.load());

    const isRiskAdmin = areBytesEqual(group.load().riskAdmin, authority.account.key);
    // The risk administrator may write off what is left of a bank that is wound up.
    const isWrittenOff = isRiskAdmin && hasBankFlag(state, BANK_FLAG.tokenlessRepaymentsAllowed) && isClosing;
    const paid = payDebt(context, account, accounts, { amount, isClosing, isWrittenOff });
    const { amountBase, shares } = paid;
    account.lastUpdate = context.slot.unixTimestamp;
    countInflow(context, { bank, group, accountFlags: account.accountFlags, amountBase });
    if (!isWrittenOff) {
      depositTokens(context, state, {
        tokenProgram,
        mint,
        from: accounts.signerTokenAccount,
        to: accounts.liquidityVault,
        authority,
        borrowed: [group, marginfiAccount, bank],
        amountBase: addTransferFee(context, mint, amountBase),
      });
    }
    writeLedger(state, markClearedDebt(readLedger(state)));
    updateRates(context, bank, group.load());
    emitEvent(context, lendingAccountRepayEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      bank: bank.account.address,
      mint: readAddress(state.mint),
      amount: amountBase,
      closeBalance: isClosing,
      shareAmount: shares,
    });
    if (paid.premiumSettled > 0n || paid.premiumWrittenOff > 0n) {
      emitEvent(context, lendingAccountPremiumSettledEvent, {
        header: accountEventHeader(marginfiAccount, authority),
        bank: bank.account.address,
        mint: readAddress(state.mint),
        premiumSettled: toFloat(paid.premiumSettled),
        premiumWrittenOff: toFloat(paid.premiumWrittenOff),
        premiumOutstandingRemaining: toFloat(paid.premiumLeft),
      });
    }
    sortBalances(account);
    syncIndexerFlags(account);
    if (!hasFlag(account, 'inReceivership') && !owesAnything(account)) dropTag(context, account);
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

type Accounts = ReturnType<typeof readAccounts>;

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  const { group, marginfiAccount, bank, liquidityVault } = accounts;
  checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage'));
  checkAccount(marginfiAccount, accounts, { allowsHolder: true });
  checkBank(bank, group, liquidityVault);
  requireWritable(accounts.signerTokenAccount);
  requireWritable(liquidityVault);
}

/** What a repayment did, raw I80F48 base units and shares. */
interface Paid {
  /** Tokens, of which the first go to the premium. */
  readonly amountBase: bigint;
  readonly shares: I80F48;
  readonly premiumSettled: I80F48;
  readonly premiumWrittenOff: I80F48;
  readonly premiumLeft: I80F48;
}

function payDebt(
  context: InvokeContext,
  account: AccountState,
  { bank }: Accounts,
  wanted: { readonly amount: bigint; readonly isClosing: boolean; readonly isWrittenOff: boolean },
): Paid {
  const state = bank.loadMut();
  const balance = requireBalance(context, account, bank);
  claimPremium(context, state, balance);
  if (wanted.isClosing) {
    const premium = runsSince(context, '0.1.12') ? balance.premiumOutstanding : 0n;
    const premiumSettled = wanted.isWrittenOff ? 0n : settlePremium(state, balance, premium);
    const closed = repayAll(readLedger(state), balance, premiumSettled);
    if (closed.kind === 'refused') return fail(context, closed.error);
    writeLedger(state, closed.bank);
    closeBalanceSlot(account, bank.account.key);
    if (hasFlag(account, 'inReceivership')) unlockPrices(state);
    return { ...closed, premiumSettled, premiumWrittenOff: premium - premiumSettled, premiumLeft: 0n };
  }
  const amount = integerToI80F48(wanted.amount);
  const premiumSettled = runsSince(context, '0.1.12') ? settlePremium(state, balance, amount) : 0n;
  const { shares } = changeBalance(context, state, balance, (ledger, owed) =>
    payBack(ledger, owed, amount - premiumSettled),
  );
  const { liabilityShares, premiumOutstanding: premiumLeft } = balance;
  const isDust = liabilityShares > 0n && liabilityShares < EMPTY_BALANCE_SHARES;
  if (isDust && runsSince(context, '0.1.12')) fail(context, 'IllegalBalanceState');
  return { amountBase: wanted.amount, shares, premiumSettled, premiumWrittenOff: 0n, premiumLeft };
}
