import { U64_MAX } from '@lending/domain';
import {
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendEarnDeposit,
  juplendEarnUpdateRate,
  juplendEarnWithdraw,
  juplendLendingLayout,
  juplendDeposit as layoutOfDeposit,
  juplendWithdraw as layoutOfWithdrawal,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import { requireAddress, requireToken } from '#programs/anchor/constraints.ts';
import { defineView } from '#programs/anchor/field.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail, failCompared } from '../marginfi-error.ts';
import type { AccountState } from '../state/account-state.ts';
import { type Taken, takeFromBalance } from '../steps/balances.ts';
import { requireConstraint, requireHasOne } from '../steps/checks.ts';
import { updateRates } from '../steps/interest.ts';
import { ANY_HOLDER } from '../steps/withdrawal.ts';
import {
  assertDepositable,
  bankSigner,
  checksOfDeposit,
  checksOfWithdrawal,
  closeWithdrawal,
  countWithdrawal,
  creditReceipts,
  giveTokens,
  ofSize,
  openWithdrawal,
  takeTokens,
} from './venue-banks.ts';

const lendingFields = defineView(
  juplendLendingLayout,
  `
    fTokenMint, rewardsRateModel, liquidityExchangePrice, tokenExchangePrice, tokenReservesLiquidity,
    supplyPositionOnLiquidity
  `,
);

/** What the program itself reads of a JupLend lending account. */
export const JUPLEND_LENDING = {
  owner: JUPLEND_LENDING_PROGRAM,
  discriminator: juplendLendingLayout.discriminator,
  view: (data: Uint8Array) => lendingFields(ofSize(data, juplendLendingLayout.fixedSize)),
} as const;

const JUPLEND_KINDS = {
  liquidityVaultAuthority: 'system',
  integrationAcc1: JUPLEND_LENDING,
  integrationAcc2: 'token',
  integrationAcc3: 'token',
} as const;

type Deposit = Accounts<typeof layoutOfDeposit, typeof JUPLEND_KINDS>;
type Withdrawal = Accounts<typeof layoutOfWithdrawal, typeof JUPLEND_KINDS>;

/** The pool names most of what its venue's instructions need. */
function checksOfJuplend(accounts: Omit<Deposit, 'signerTokenAccount' | 'liquidityVault'>) {
  const { integrationAcc1: lending, fTokenMint } = accounts;
  const requireKnown = (account: NamedAccount, stored: Uint8Array) =>
    requireConstraint(account, areBytesEqual(account.account.key, stored), 'InvalidJuplendLending');
  return {
    integrationAcc1: () => requireHasOne(lending, lending.load().fTokenMint, fTokenMint, 'InvalidJuplendLending'),
    supplyTokenReservesLiquidity: () =>
      requireKnown(accounts.supplyTokenReservesLiquidity, lending.load().tokenReservesLiquidity),
    lendingSupplyPositionOnLiquidity: () =>
      requireKnown(accounts.lendingSupplyPositionOnLiquidity, lending.load().supplyPositionOnLiquidity),
    liquidityProgram: () => requireAddress(accounts.liquidityProgram, JUPLEND_LIQUIDITY_PROGRAM),
    rewardsRateModel: () => requireKnown(accounts.rewardsRateModel, lending.load().rewardsRateModel),
    juplendProgram: () => requireAddress(accounts.juplendProgram, JUPLEND_LENDING_PROGRAM),
  };
}

/** @see marginfi-v2 programs/marginfi/src/instructions/juplend/deposit.rs */
export const juplendDeposit = defineProgramInstruction({
  layout: layoutOfDeposit,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context, layoutOfDeposit, JUPLEND_KINDS);
    checkAccounts(context, layoutOfDeposit, accounts, {
      ...checksOfDeposit(context, 'juplend', accounts),
      ...checksOfJuplend(accounts),
    });
    const { integrationAcc1: lending, integrationAcc2: fTokenVault } = accounts;
    assertDepositable(context, accounts);
    updateJuplendRate(context, accounts);
    const expected = sharesForDeposit(amountBase, lending.load()) ?? fail('MathError');
    const before = amountOf(fTokenVault.account.data);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToJuplend(context, accounts, amountBase);
    const receipts = amountOf(fTokenVault.account.data) - before;
    if (receipts < 0n) fail('MathError');
    if (receipts !== expected) {
      failCompared('JuplendDepositFailed', [receipts, expected]);
    }
    creditReceipts(context, accounts, { receipts, amountBase });
  },
});

/** `amount` counts tokens. @see marginfi-v2 programs/marginfi/src/instructions/juplend/withdraw.rs */
export const juplendWithdraw = defineProgramInstruction({
  layout: layoutOfWithdrawal,
  run(context, { amount, withdrawAll }) {
    const accounts = readAccounts(context, layoutOfWithdrawal, JUPLEND_KINDS);
    checkAccounts(context, layoutOfWithdrawal, accounts, {
      ...checksOfWithdrawal(context, 'juplend', accounts),
      ...checksOfJuplend(accounts),
      integrationAcc3: () => {
        const authority = accounts.liquidityVaultAuthority;
        requireToken(accounts.integrationAcc3, { ...accounts, authority });
      },
    });
    const { group, bank } = accounts;
    const isClosing = withdrawAll === true;
    updateJuplendRate(context, accounts);
    const account = accounts.marginfiAccount.loadMut();

    const price = openWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER });
    const { tokens, burnt, shares } = takeShares(context, account, accounts, isClosing ? 'all' : amount);
    countWithdrawal(context, account, accounts, { amountBase: tokens, receipts: burnt, price });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;

    // Receipts that are worth less than one base unit leave nothing to pay out.
    if (!isClosing || tokens > 0n) payOut(context, accounts, { tokens, burnt });
    const told = { amount: tokens, shareAmount: shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER, ...told });
  },
});

/** What leaves the balance: tokens at the pool's price, and the fTokens that the venue will burn for them. */
function takeShares(
  context: InvokeContext,
  account: AccountState,
  { bank, integrationAcc1 }: Withdrawal,
  wanted: bigint | 'all',
): { readonly tokens: bigint; readonly burnt: bigint; readonly shares: Taken['shares'] } {
  const { tokenExchangePrice } = integrationAcc1.load();
  if (wanted === 'all') {
    const { amount: held, shares } = takeFromBalance(context, account, bank, 'all');
    const tokens = tokensForRedeem(held, tokenExchangePrice) ?? fail('MathError');
    const burnt = sharesForWithdrawal(tokens, tokenExchangePrice) ?? fail('MathError');
    if (burnt > held) fail('MathError');
    return { tokens, burnt, shares };
  }
  const burnt = sharesForWithdrawal(wanted, tokenExchangePrice) ?? fail('MathError');
  const { shares } = takeFromBalance(context, account, bank, burnt);
  return { tokens: wanted, burnt, shares };
}

/** Has the venue pay out, compares to the base unit what came and what was burnt, and hands it on. */
function payOut(
  context: InvokeContext,
  accounts: Withdrawal,
  { tokens, burnt }: { readonly tokens: bigint; readonly burnt: bigint },
): void {
  const { bank, integrationAcc2: fTokenVault, integrationAcc3: payoutAccount } = accounts;
  const before = { paid: amountOf(payoutAccount.account.data), fTokens: amountOf(fTokenVault.account.data) };
  withdrawFromJuplend(context, accounts, tokens, { read: [accounts.group] });
  const paid = amountOf(payoutAccount.account.data) - before.paid;
  if (paid < 0n) fail('MathError');
  if (paid !== tokens) failCompared('JuplendWithdrawFailed', [paid, tokens]);
  const gone = before.fTokens - amountOf(fTokenVault.account.data);
  if (gone < 0n) fail('MathError');
  if (gone !== burnt) failCompared('JuplendWithdrawFailed', [gone, burnt]);
  giveTokens(context, bank, {
    from: payoutAccount,
    to: accounts.destinationTokenAccount,
    authority: accounts.liquidityVaultAuthority,
    mint: accounts.mint,
    tokenProgram: accounts.tokenProgram,
    amountBase: paid,
  });
}

/** Brings the pool's exchange prices up to now. */
function updateJuplendRate(
  context: InvokeContext,
  accounts: Omit<Deposit, 'signerTokenAccount' | 'liquidityVault'>,
): void {
  callProgram(context, juplendEarnUpdateRate, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: { ...accounts, lending: accounts.integrationAcc1 },
    args: {},
  });
}

/** Tokens of the bank's vault become fTokens in its fToken vault. */
function depositToJuplend(context: InvokeContext, accounts: Deposit, assets: bigint): void {
  callProgram(context, juplendEarnDeposit, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: {
      ...accounts,
      signer: accounts.liquidityVaultAuthority,
      depositorTokenAccount: accounts.liquidityVault,
      recipientTokenAccount: accounts.integrationAcc2,
      lending: accounts.integrationAcc1,
    },
    args: { assets },
    signers: [bankSigner(accounts.bank)],
  });
}

/** fTokens of the bank become tokens in the account that the venue pays out to. */
function withdrawFromJuplend(context: InvokeContext, accounts: Withdrawal, amount: bigint, borrowed: Borrowed): void {
  callProgram(context, juplendEarnWithdraw, {
    programId: JUPLEND_LENDING_PROGRAM,
    accounts: {
      ...accounts,
      signer: accounts.liquidityVaultAuthority,
      ownerTokenAccount: accounts.integrationAcc2,
      recipientTokenAccount: accounts.integrationAcc3,
      lending: accounts.integrationAcc1,
    },
    args: { amount },
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}

/** JupLend's exchange prices are scaled by it. */
const PRECISION = 10n ** 12n;

/**
 * The fTokens that a deposit is to mint: rounded down when the tokens enter the liquidity layer, when they are counted there, and when
 * they become fTokens. Null where the program's arithmetic ends.
 * @see marginfi-v2 programs/juplend-mocks/src/state.rs
 */
function sharesForDeposit(
  amountBase: bigint,
  { liquidityExchangePrice, tokenExchangePrice }: { liquidityExchangePrice: bigint; tokenExchangePrice: bigint },
): bigint | null {
  if (liquidityExchangePrice === 0n || tokenExchangePrice === 0n) return null;
  const raw = (amountBase * PRECISION) / liquidityExchangePrice;
  const counted = (raw * liquidityExchangePrice) / PRECISION;
  return fitting((counted * PRECISION) / tokenExchangePrice);
}

/** The fTokens that a withdrawal is to burn, rounded up. */
function sharesForWithdrawal(amountBase: bigint, tokenExchangePrice: bigint): bigint | null {
  if (tokenExchangePrice === 0n) return null;
  return fitting((amountBase * PRECISION + tokenExchangePrice - 1n) / tokenExchangePrice);
}

/** The tokens that fTokens are worth, rounded down. */
function tokensForRedeem(shares: bigint, tokenExchangePrice: bigint): bigint | null {
  return tokenExchangePrice === 0n ? null : fitting((shares * tokenExchangePrice) / PRECISION);
}

function fitting(value: bigint): bigint | null {
  return value > U64_MAX ? null : value;
}
