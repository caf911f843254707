import { integerToI80F48 } from '@lending/domain';
import {
  INSTRUCTIONS_SYSVAR,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendObligationLayout,
  klendRefreshReservesBatch,
  klendReserveLayout,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  kaminoDeposit as layoutOfDeposit,
  kaminoWithdraw as layoutOfWithdrawal,
  placeOf,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import { requireAddress } from '#programs/anchor/constraints.ts';
import { defineView } from '#programs/anchor/field.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { failCompared } from '../marginfi-error.ts';
import { owesAnything } from '../state/account-state.ts';
import { takeFromBalance } from '../steps/balances.ts';
import { requireBankOpen, requireConstraint, requireVault } from '../steps/checks.ts';
import { updateRates } from '../steps/interest.ts';
import { ANY_HOLDER, readWithdrawalPrice } from '../steps/withdrawal.ts';
import {
  assertDepositable,
  assertWithinOne,
  bankSigner,
  checksOfDeposit,
  checksOfWithdrawal,
  closeWithdrawal,
  countWithdrawal,
  creditReceipts,
  differenceOf,
  giveTokens,
  ofSize,
  type ReceiptSupplies,
  receiptsFor,
  takeTokens,
  tokensFor,
} from './venue-banks.ts';

const reserveFields = defineView(
  klendReserveLayout,
  `
    liquidity.totalAvailableAmount, liquidity.borrowedAmountSf, liquidity.mintDecimals,
    liquidity.accumulatedProtocolFeesSf, liquidity.accumulatedReferrerFeesSf, liquidity.pendingReferrerFeesSf,
    collateral.mintTotalSupply
  `,
);

/** What the program itself reads of a klend reserve. */
export const KAMINO_RESERVE = {
  owner: KLEND_PROGRAM,
  discriminator: klendReserveLayout.discriminator,
  view: (data: Uint8Array) => reserveFields(ofSize(data, klendReserveLayout.fixedSize)),
} as const;

const MAX_DEPOSITS = 8;
const DEPOSIT_SIZE = placeOf(klendObligationLayout, 'deposits.0').type.fixedSize;
/** Of the first deposit; the others stand behind it. */
const depositAt = defineView(klendObligationLayout, 'deposits.0.depositReserve, deposits.0.depositedAmount');

/** What the program itself reads of a klend obligation: its deposits, in receipts. */
export const KAMINO_OBLIGATION = {
  owner: KLEND_PROGRAM,
  discriminator: klendObligationLayout.discriminator,
  view: (data: Uint8Array) => {
    const bytes = ofSize(data, klendObligationLayout.fixedSize);
    const at = (index: number) => depositAt(bytes, index * DEPOSIT_SIZE);
    return { first: at(0), others: Array.from({ length: MAX_DEPOSITS - 1 }, (_, index) => at(index + 1)) };
  },
} as const;

/** klend keeps 60 fractional bits where the program keeps 48. */
const EXTRA_BITS = 12n;

/** @see marginfi-v2 programs/kamino-mocks/src/state.rs `calculate_total_supply_i80f48` */
export function kaminoSupplies(reserve: ReturnType<typeof KAMINO_RESERVE.view>): ReceiptSupplies {
  const { totalAvailableAmount, borrowedAmountSf, mintTotalSupply, mintDecimals } = reserve;
  const { accumulatedProtocolFeesSf, accumulatedReferrerFeesSf, pendingReferrerFeesSf } = reserve;
  const liquidity =
    integerToI80F48(totalAvailableAmount) +
    (borrowedAmountSf >> EXTRA_BITS) -
    (accumulatedProtocolFeesSf >> EXTRA_BITS) -
    (accumulatedReferrerFeesSf >> EXTRA_BITS) -
    (pendingReferrerFeesSf >> EXTRA_BITS);
  return { liquidity, receipts: mintTotalSupply, decimals: Number(mintDecimals & 255n) };
}

const KAMINO_KINDS = {
  liquidityVaultAuthority: 'system',
  integrationAcc1: KAMINO_RESERVE,
  integrationAcc2: KAMINO_OBLIGATION,
} as const;

function checksOfKamino(accounts: Pick<Deposit, 'kaminoProgram' | 'farmsProgram' | 'instructionSysvarAccount'>) {
  return {
    kaminoProgram: () => requireAddress(accounts.kaminoProgram, KLEND_PROGRAM),
    farmsProgram: () => requireAddress(accounts.farmsProgram, KAMINO_FARMS_PROGRAM),
    instructionSysvarAccount: () => requireAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR),
  };
}

/** @see marginfi-v2 programs/marginfi/src/instructions/kamino/deposit.rs */
export const kaminoDeposit = defineProgramInstruction({
  layout: layoutOfDeposit,
  run(context, { amount: amountBase, refreshReserve }) {
    const accounts = readAccounts(context, layoutOfDeposit, KAMINO_KINDS);
    const { integrationAcc1: reserve, integrationAcc2: obligation } = accounts;
    checkAccounts(context, layoutOfDeposit, accounts, {
      ...checksOfDeposit(context, 'kamino', accounts),
      ...checksOfKamino(accounts),
      integrationAcc2: () => {
        requireFirstReserve(obligation, reserve);
        requireNoOtherDeposit(obligation);
      },
    });

    assertDepositable(context, accounts);
    const before = depositedIn(obligation);
    // From the reserve as it was: interest that a refresh adds counts as a mismatch.
    const expected = receiptsFor(kaminoSupplies(reserve.load()), amountBase);
    if (refreshReserve === true) refreshKaminoReserve(context, accounts);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.liquidityTokenProgram,
      amountBase,
    });
    depositToKamino(context, accounts, amountBase);
    const receipts = differenceOf(context, depositedIn(obligation), before);
    assertWithinOne(context, receipts, expected, 'KaminoDepositFailed');
    creditReceipts(context, accounts, { receipts, amountBase });
  },
});

const WITHDRAW_ALL = 1;
const REFRESH_RESERVE = 2;

/** `amount` counts receipts. @see marginfi-v2 programs/marginfi/src/instructions/kamino/withdraw.rs */
export const kaminoWithdraw = defineProgramInstruction({
  layout: layoutOfWithdrawal,
  run(context, { amount, flags }) {
    const accounts = readAccounts(context, layoutOfWithdrawal, KAMINO_KINDS);
    checkAccounts(context, layoutOfWithdrawal, accounts, {
      ...checksOfWithdrawal(context, 'kamino', accounts),
      ...checksOfKamino(accounts),
      liquidityVault: () => requireVault(context, accounts.liquidityVault, 'liquidityVault', accounts.bank),
      integrationAcc2: () => {
        requireNoOtherDeposit(accounts.integrationAcc2);
        requireFirstReserve(accounts.integrationAcc2, accounts.integrationAcc1);
      },
    });
    const { group, bank, integrationAcc2: obligation, liquidityVault } = accounts;
    const isClosing = ((flags ?? 0) & WITHDRAW_ALL) !== 0;
    const inVault = amountOf(liquidityVault.account.data);
    const deposited = depositedIn(obligation);
    const account = accounts.marginfiAccount.loadMut();

    requireBankOpen(context, bank.load(), 'withdraw', !owesAnything(account));
    const taken = takeFromBalance(context, account, bank, isClosing ? 'all' : amount);
    const receipts = taken.amount;
    const borrowed = { written: [accounts.marginfiAccount], read: [group] };
    if (((flags ?? 0) & REFRESH_RESERVE) !== 0) refreshKaminoReserve(context, accounts, borrowed);
    const expected = tokensFor(kaminoSupplies(accounts.integrationAcc1.load()), receipts);
    // Counted and priced after the refresh, as the tokens are that are paid out.
    const held = { remaining: accounts.remaining, heldBy: ANY_HOLDER } as const;
    const price = readWithdrawalPrice(context, account, accounts, held);
    countWithdrawal(context, account, accounts, { amountBase: expected, receipts, price });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;

    withdrawFromKamino(context, accounts, receipts, borrowed);
    const redeemed = differenceOf(context, deposited, depositedIn(obligation));
    if (redeemed !== receipts) failCompared('KaminoWithdrawFailed', [redeemed, receipts]);
    const received = differenceOf(context, amountOf(liquidityVault.account.data), inVault);
    assertWithinOne(context, received, expected, 'KaminoWithdrawFailed');

    giveTokens(context, bank, {
      from: liquidityVault,
      to: accounts.destinationTokenAccount,
      authority: accounts.liquidityVaultAuthority,
      mint: accounts.mint,
      tokenProgram: accounts.liquidityTokenProgram,
      amountBase: received,
    });
    const told = { amount: receipts, shareAmount: taken.shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER, ...told });
  },
});

type Deposit = Accounts<typeof layoutOfDeposit, typeof KAMINO_KINDS>;
type Withdrawal = Accounts<typeof layoutOfWithdrawal, typeof KAMINO_KINDS>;

/** Brings the reserve's interest up to date; its prices stay as they are. */
function refreshKaminoReserve(
  context: InvokeContext,
  { integrationAcc1, lendingMarket }: Pick<Deposit, 'integrationAcc1' | 'lendingMarket'>,
  borrowed: Borrowed = {},
): void {
  callProgram(context, klendRefreshReservesBatch, {
    programId: KLEND_PROGRAM,
    accounts: {},
    args: { skipPriceUpdates: true },
    remaining: [integrationAcc1, lendingMarket],
    borrowed,
  });
}

/** Tokens of the bank's vault become receipts under its obligation. */
function depositToKamino(context: InvokeContext, accounts: Deposit, liquidityAmount: bigint): void {
  callProgram(context, klendDepositReserveLiquidityAndObligationCollateralV2, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      owner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      reserve: accounts.integrationAcc1,
      reserveLiquidityMint: accounts.mint,
      userSourceLiquidity: accounts.liquidityVault,
      placeholderUserDestinationCollateral: null,
    },
    args: { liquidityAmount },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Receipts under the bank's obligation become tokens in its vault. */
function withdrawFromKamino(
  context: InvokeContext,
  accounts: Withdrawal,
  collateralAmount: bigint,
  borrowed: Borrowed,
): void {
  callProgram(context, klendWithdrawObligationCollateralAndRedeemReserveCollateralV2, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      owner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      withdrawReserve: accounts.integrationAcc1,
      reserveLiquidityMint: accounts.mint,
      userDestinationLiquidity: accounts.liquidityVault,
      placeholderUserDestinationCollateral: null,
    },
    args: { collateralAmount },
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}

type Obligation = Loader<ReturnType<typeof KAMINO_OBLIGATION.view>>;

/** The first deposit of an obligation is the one in the bank's reserve. */
function requireFirstReserve(obligation: Obligation, reserve: NamedAccount): void {
  const { depositReserve } = obligation.load().first;
  const isOfReserve = Buffer.compare(depositReserve, reserve.account.key) === 0;
  requireConstraint(obligation, isOfReserve, 'ObligationDepositReserveMismatch');
}

function requireNoOtherDeposit(obligation: Obligation): void {
  const isAlone = obligation.load().others.every(({ depositedAmount }) => depositedAmount === 0n);
  requireConstraint(obligation, isAlone, 'InvalidObligationDepositCount');
}

/** Base units of the bank's receipts under its obligation. */
function depositedIn(obligation: Obligation): bigint {
  return obligation.load().first.depositedAmount;
}
