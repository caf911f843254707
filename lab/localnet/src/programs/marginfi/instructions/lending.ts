import {
  BANK_FLAG,
  bandOf,
  EMPTY_BALANCE_SHARES,
  type I80F48,
  integerToI80F48,
  markClearedDebt,
  payableFromVault,
  repay as payBack,
  remainingDepositCapacity,
  repayAll,
  borrow as takeLoan,
} from '@lending/domain';
import {
  lendingAccountBorrow,
  lendingAccountBorrowEvent,
  lendingAccountDeposit,
  lendingAccountDepositEvent,
  lendingAccountPremiumSettledEvent,
  lendingAccountRepay,
  lendingAccountRepayEvent,
  lendingAccountWithdraw,
  lendingAccountWithdrawEvent,
  readAddress,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { assertInitialHealth, toFloat } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import {
  type AccountState,
  accountEventHeader,
  closeBalanceSlot,
  findBalance,
  HealthCache,
  hasFlag,
  owesAnything,
  PROGRAM_VERSION,
  sortBalances,
} from '../state/account-state.ts';
import { hasBankFlag, readLedger, unlockPrices, writeLedger } from '../state/bank-state.ts';
import {
  addToBalance,
  assertTagsMix,
  changeBalance,
  openOrFindBalance,
  requireBalance,
  takeFromBalance,
} from '../steps/balances.ts';
import {
  checkAccount,
  checkBank,
  checkNotPaused,
  IS_DISABLED,
  requireBankOpen,
  requireConstraint,
  requireVault,
  requireWeightInReceivership,
  vaultSigner,
} from '../steps/checks.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { countDeleverage, countInflow, countOutflow } from '../steps/limits.ts';
import { clearTagOfHealthy, dropTag } from '../steps/liquidation-tag.ts';
import { claimPremium, refreshPremiums, requirePremiumRates, settlePremium } from '../steps/premiums.ts';
import { assertNoPriceJump, tryReadPrice, updateCachedPrice } from '../steps/prices.ts';
import { addTransferFee, depositTokens, takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { ANY_HOLDER, readWithdrawalPrice, settleWithdrawal } from '../steps/withdrawal.ts';
import { runsSince } from '../version.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/deposit.rs */
export const deposit = defineProgramInstruction({
  layout: lendingAccountDeposit,
  run(context, { amount, depositUpToLimit }) {
    const accounts = readAccounts(context, lendingAccountDeposit, { signerTokenAccount: 'unchecked' });
    const { group, marginfiAccount, authority, bank, tokenProgram } = accounts;
    checkAccounts(context, lendingAccountDeposit, accounts, {
      group: () => checkNotPaused(context, group),
      marginfiAccount: () => checkAccount(marginfiAccount, accounts, { allowsHolder: false }),
      bank: () => {
        checkBank(bank, group, accounts.liquidityVault);
        requireConstraint(bank, !hasBankFlag(bank.load(), BANK_FLAG.tokenlessRepaymentsAllowed), 'BankReduceOnly');
      },
    });
    const { mint } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    assertTagsMix(account, state);
    requireBankOpen(context, state, 'deposit', findBalance(account, bank.account.key) !== undefined);
    if (hasFlag(account, 'disabled', 'inReceivership')) fail('AccountDisabled');
    accrueInterest(context, bank, group.load());

    const amountBase = depositUpToLimit === true ? upToLimit(readLedger(state), amount) : amount;
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

function upToLimit(ledger: ReturnType<typeof readLedger>, amount: bigint): bigint {
  const room = remainingDepositCapacity(ledger) ?? fail('MathError');
  return amount < room ? amount : room;
}

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/withdraw.rs */
export const withdraw = defineProgramInstruction({
  layout: lendingAccountWithdraw,
  run(context, { amount, withdrawAll: takesAll }) {
    const accounts = readAccounts(context, lendingAccountWithdraw);
    const { group, marginfiAccount, authority, bank, liquidityVault, tokenProgram } = accounts;
    checkAccounts(context, lendingAccountWithdraw, accounts, {
      group: () => checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage')),
      marginfiAccount: () => checkAccount(marginfiAccount, accounts, { allowsHolder: true, extra: IS_DISABLED }),
      bank: () => {
        checkBank(bank, group, liquidityVault);
        requireWeightInReceivership(marginfiAccount, bank);
      },
      bankLiquidityVaultAuthority: () =>
        requireVault(context, accounts.bankLiquidityVaultAuthority, 'liquidityVaultAuthority', bank),
    });
    const account = marginfiAccount.loadMut();
    const { mint, remaining } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const state = bank.loadMut();
    const isClosing = takesAll === true;

    requireBankOpen(context, state, 'withdraw', !owesAnything(account));
    const held = { remaining, heldBy: ANY_HOLDER };
    const price = readWithdrawalPrice(context, account, accounts, held);
    accrueInterest(context, bank, group.load());

    requireBalance(account, bank);
    const wanted = isClosing ? 'all' : addTransferFee(context, mint, amount);
    const taken = takeFromBalance(context, account, bank, wanted);
    const amountBase = payOut(context, accounts, taken.amount);
    countOutflow(context, { bank, group, accountFlags: account.accountFlags, amountBase }, price);
    countDeleverage(context, account, { bank, group, amountBase }, price);
    account.lastUpdate = context.slot.unixTimestamp;

    const signer = vaultSigner('liquidityVaultAuthority', bank);
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

function payOut(
  context: InvokeContext,
  { bank, liquidityVault }: Accounts<typeof lendingAccountWithdraw>,
  amountBase: bigint,
): bigint {
  const state = bank.load();
  if (!hasBankFlag(state, BANK_FLAG.tokenlessRepaymentsComplete)) return amountBase;
  const held = amountOf(liquidityVault.account.data);
  context.log(`amount expected withdrawn: ${amountBase}, actual: ${held}`);
  return payableFromVault(state, amountBase, held);
}

const ISOLATED = 1;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/borrow.rs */
export const borrow = defineProgramInstruction({
  layout: lendingAccountBorrow,
  run(context, { amount }) {
    const accounts = readAccounts(context, lendingAccountBorrow);
    const { group, marginfiAccount, bank, tokenProgram } = accounts;
    checkAccounts(context, lendingAccountBorrow, accounts, {
      group: () => checkNotPaused(context, group),
      marginfiAccount: () => checkAccount(marginfiAccount, accounts, { allowsHolder: false }),
      bank: () => {
        checkBank(bank, group, accounts.liquidityVault);
        requireConstraint(bank, !hasBankFlag(bank.load(), BANK_FLAG.tokenlessRepaymentsAllowed), 'ForbiddenIx');
      },
      bankLiquidityVaultAuthority: () =>
        requireVault(context, accounts.bankLiquidityVaultAuthority, 'liquidityVaultAuthority', bank),
    });
    const { mint, remaining } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    if (hasFlag(account, 'disabled', 'inReceivership')) fail('AccountDisabled');
    accrueInterest(context, bank, group.load());
    assertTagsMix(account, state);
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

/** Books the debt, pays it out and says so. @returns what left the vault. */
function lend(
  context: InvokeContext,
  account: AccountState,
  { group, marginfiAccount, authority, bank, ...accounts }: Accounts<typeof lendingAccountBorrow>,
  { mint, amount }: { readonly mint: InstructionAccount | null; readonly amount: bigint },
): bigint {
  const state = bank.loadMut();
  const opened = openOrFindBalance(context, account, bank);
  const amountBase = addTransferFee(context, mint, amount);
  const { programFeeRate } = group.load();
  const change = changeBalance(context, state, opened, (ledger, balance) =>
    takeLoan(ledger, balance, amountBase, programFeeRate),
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
  withdrawTokens(context, transfer, vaultSigner('liquidityVaultAuthority', bank));
  emitEvent(context, lendingAccountBorrowEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(state.mint),
    amount: change.eventAmountBase,
    shareAmount: change.shares,
  });
  return amountBase;
}

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/repay.rs */
export const repay = defineProgramInstruction({
  layout: lendingAccountRepay,
  run(context, { amount, repayAll: paysAll }) {
    const accounts = readAccounts(context, lendingAccountRepay, { signerTokenAccount: 'unchecked' });
    const { group, marginfiAccount, authority, bank, tokenProgram } = accounts;
    checkAccounts(context, lendingAccountRepay, accounts, {
      group: () => checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage')),
      marginfiAccount: () => checkAccount(marginfiAccount, accounts, { allowsHolder: true }),
      bank: () => checkBank(bank, group, accounts.liquidityVault),
    });
    const account = marginfiAccount.loadMut();
    const isClosing = paysAll === true;

    if (hasFlag(account, 'disabled')) fail('AccountDisabled');
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
  { bank }: Accounts<typeof lendingAccountRepay>,
  wanted: { readonly amount: bigint; readonly isClosing: boolean; readonly isWrittenOff: boolean },
): Paid {
  const state = bank.loadMut();
  const balance = requireBalance(account, bank);
  claimPremium(context, state, balance);
  if (wanted.isClosing) {
    const premium = runsSince(context, '0.1.12') ? balance.premiumOutstanding : 0n;
    const premiumSettled = wanted.isWrittenOff ? 0n : settlePremium(state, balance, premium);
    const closed = repayAll(readLedger(state), balance, premiumSettled);
    if (closed.kind === 'refused') return fail(closed.error);
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
  if (isDust && runsSince(context, '0.1.12')) fail('IllegalBalanceState');
  return { amountBase: wanted.amount, shares, premiumSettled, premiumWrittenOff: 0n, premiumLeft };
}
