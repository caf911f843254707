import { type I80F48, integerToI80F48 } from '@lending/domain';
import {
  depositSolendLiquidityAndCollateral,
  solendDeposit as layoutOfDeposit,
  solendWithdraw as layoutOfWithdrawal,
  SOLEND_PROGRAM,
  solendObligationLayout,
  solendObligationWithDeposit,
  solendReserveLayout,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { type Borrowed, callProgram } from '#programs/anchor/call-program.ts';
import { requireAddress } from '#programs/anchor/constraints.ts';
import { defineView } from '#programs/anchor/field.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { hasFlag } from '../state/account-state.ts';
import { takeFromBalance } from '../steps/balances.ts';
import { requireConstraint } from '../steps/checks.ts';
import { updateRates } from '../steps/interest.ts';
import type { HeldBy } from '../steps/withdrawal.ts';
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
  openWithdrawal,
  type ReceiptSupplies,
  receiptsFor,
  takeTokens,
  tokensFor,
  venueError,
} from './venue-banks.ts';

/** Solend's accounts begin with a version, which stands in for a discriminator. */
const VERSION = Uint8Array.of(1);

const reserveFields = defineView(
  solendReserveLayout,
  `
    lastUpdate.slot as lastUpdateSlot, liquidity.mintDecimals as liquidityMintDecimals,
    liquidity.availableAmount as liquidityAvailableAmount, liquidity.borrowedAmountWads as liquidityBorrowedAmountWads,
    collateral.mintTotalSupply as collateralMintTotalSupply, accumulatedProtocolFeesWads
  `,
);

/** What the program itself reads of a Solend reserve. */
export const SOLEND_RESERVE = {
  owner: SOLEND_PROGRAM,
  discriminator: VERSION,
  view: (data: Uint8Array) => reserveFields(ofSize(data, solendReserveLayout.fixedSize)),
} as const;

/** Its first deposit stands where its entries begin. */
const obligationFields = defineView(
  solendObligationWithDeposit,
  'depositsLength, borrowsLength, first.depositReserve as firstReserve, first.depositedAmount as firstDeposited',
);

/** The receipts that lie under an obligation. @throws AnchorError Solend's InvalidAccountData */
function readSolendDeposit({ account }: NamedAccount): bigint {
  return obligationOf(account).firstDeposited;
}

/**
 * An obligation holds one deposit, in the bank's reserve, and owes nothing.
 * @throws AnchorError one of Solend's
 * @see marginfi-v2 programs/solend-mocks/src/state.rs `validate_solend_obligation`
 */
function assertSolendObligation({ account }: NamedAccount, reserve: NamedAccount): void {
  const obligation = obligationOf(account);
  if (obligation.depositsLength !== 1) throw venueError('InvalidObligationCollateral');
  if (obligation.borrowsLength !== 0) throw venueError('InvalidObligationLiquidity');
  const isOfReserve = areBytesEqual(obligation.firstReserve, reserve.account.key);
  if (!isOfReserve || obligation.firstDeposited === 0n) throw venueError('InvalidObligationCollateral');
}

function obligationOf({ owner, data }: NamedAccount['account']) {
  const isObligation =
    owner === SOLEND_PROGRAM && data.length >= solendObligationLayout.fixedSize && data[0] === VERSION[0];
  if (!isObligation) throw venueError('InvalidAccountData');
  return obligationFields(data);
}

const WAD = 10n ** 18n;

/** @see marginfi-v2 programs/solend-mocks/src/state.rs `calculate_total_liquidity` */
export function solendSupplies(reserve: ReturnType<typeof SOLEND_RESERVE.view>): ReceiptSupplies {
  const liquidity =
    integerToI80F48(reserve.liquidityAvailableAmount) +
    fromWads(reserve.liquidityBorrowedAmountWads) -
    fromWads(reserve.accumulatedProtocolFeesWads);
  return {
    liquidity,
    receipts: reserve.collateralMintTotalSupply,
    decimals: reserve.liquidityMintDecimals,
  };
}

/** Whole tokens and what is left of one are converted apart, each rounded down. */
function fromWads(wads: bigint): I80F48 {
  return integerToI80F48(wads / WAD) + ((wads % WAD) << 48n) / WAD;
}

const SOLEND_KINDS = {
  liquidityVaultAuthority: 'system',
  integrationAcc1: SOLEND_RESERVE,
  reserveLiquiditySupply: 'token',
  reserveCollateralSupply: 'token',
} as const;

function checksOfSolend(
  context: InvokeContext,
  accounts: Pick<Deposit, 'integrationAcc1' | 'integrationAcc2' | 'solendProgram'>,
) {
  const { integrationAcc1: reserve, integrationAcc2: obligation, solendProgram } = accounts;
  return {
    // The contents of the bank's account at the venue the instruction itself looks at.
    integrationAcc2: () =>
      requireConstraint(obligation, obligation.account.owner === SOLEND_PROGRAM, 'InvalidSolendAccount'),
    // A reserve counts with what it had when it was last refreshed, so it has to be in this slot.
    integrationAcc1: () =>
      requireConstraint(reserve, reserve.load().lastUpdateSlot >= context.slot.slot, 'SolendReserveStale'),
    solendProgram: () => requireAddress(solendProgram, SOLEND_PROGRAM),
  };
}

/** @see marginfi-v2 programs/marginfi/src/instructions/solend/deposit.rs */
export const solendDeposit = defineProgramInstruction({
  layout: layoutOfDeposit,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context, layoutOfDeposit, SOLEND_KINDS);
    checkAccounts(context, layoutOfDeposit, accounts, {
      ...checksOfDeposit(context, 'solend', accounts),
      ...checksOfSolend(context, accounts),
    });
    const { marginfiAccount, integrationAcc1: reserve, integrationAcc2: obligation } = accounts;
    assertSolendObligation(obligation, reserve);
    assertDepositable(context, accounts);
    if (hasFlag(marginfiAccount.load(), 'disabled', 'inReceivership')) {
      fail('AccountDisabled');
    }
    const before = readSolendDeposit(obligation);
    const expected = receiptsFor(solendSupplies(reserve.load()), amountBase);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToSolend(context, accounts, amountBase);
    const receipts = differenceOf(context, readSolendDeposit(obligation), before);
    assertWithinOne(context, receipts, expected, 'SolendDepositFailed');
    creditReceipts(context, accounts, { receipts, amountBase });
  },
});

/** Whoever executes an account's order is nobody to this instruction. */
const HELD_BY: HeldBy = ['inReceivership'];

/** `amount` counts receipts. @see marginfi-v2 programs/marginfi/src/instructions/solend/withdraw.rs */
export const solendWithdraw = defineProgramInstruction({
  layout: layoutOfWithdrawal,
  run(context, { amount, withdrawAll }) {
    const accounts = readAccounts(context, layoutOfWithdrawal, SOLEND_KINDS);
    checkAccounts(context, layoutOfWithdrawal, accounts, {
      ...checksOfWithdrawal(context, 'solend', accounts),
      ...checksOfSolend(context, accounts),
    });
    const { group, bank, integrationAcc1: reserve, integrationAcc2: obligation, liquidityVault } = accounts;
    assertSolendObligation(obligation, reserve);
    const isClosing = withdrawAll === true;
    const account = accounts.marginfiAccount.loadMut();

    const price = openWithdrawal(context, account, accounts, { heldBy: HELD_BY });
    const taken = takeFromBalance(context, account, bank, isClosing ? 'all' : amount);
    const receipts = taken.amount;
    const expected = tokensFor(solendSupplies(reserve.load()), receipts);
    countWithdrawal(context, account, accounts, { amountBase: expected, receipts, price });

    const deposited = readSolendDeposit(obligation);
    const inVault = amountOf(liquidityVault.account.data);
    withdrawFromSolend(context, accounts, receipts, { read: [group] });
    const redeemed = differenceOf(context, deposited, readSolendDeposit(obligation));
    assertWithinOne(context, redeemed, receipts, 'SolendWithdrawFailed');
    const received = differenceOf(context, amountOf(liquidityVault.account.data), inVault);
    assertWithinOne(context, received, expected, 'SolendWithdrawFailed');

    giveTokens(context, bank, {
      from: liquidityVault,
      to: accounts.destinationTokenAccount,
      authority: accounts.liquidityVaultAuthority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase: received,
    });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;
    const told = { amount: receipts, shareAmount: taken.shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: HELD_BY, ...told });
  },
});

type Deposit = Accounts<typeof layoutOfDeposit, typeof SOLEND_KINDS>;
type Withdrawal = Accounts<typeof layoutOfWithdrawal, typeof SOLEND_KINDS>;

/** Tokens of the bank's vault become receipts under its obligation. */
function depositToSolend(context: InvokeContext, accounts: Deposit, liquidityAmount: bigint): void {
  callProgram(context, depositSolendLiquidityAndCollateral, {
    programId: SOLEND_PROGRAM,
    accounts: {
      ...accounts,
      sourceLiquidity: accounts.liquidityVault,
      reserve: accounts.integrationAcc1,
      destinationCollateral: accounts.reserveCollateralSupply,
      obligation: accounts.integrationAcc2,
      obligationOwner: accounts.liquidityVaultAuthority,
      pythOracle: accounts.pythPrice,
      switchboardOracle: accounts.switchboardFeed,
      userTransferAuthority: accounts.liquidityVaultAuthority,
    },
    args: { liquidityAmount },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Receipts under the bank's obligation become tokens in its vault. */
function withdrawFromSolend(
  context: InvokeContext,
  accounts: Withdrawal,
  collateralAmount: bigint,
  borrowed: Borrowed,
): void {
  callProgram(context, withdrawSolendCollateralAndRedeem, {
    programId: SOLEND_PROGRAM,
    accounts: {
      ...accounts,
      reserveCollateral: accounts.reserveCollateralSupply,
      reserve: accounts.integrationAcc1,
      obligation: accounts.integrationAcc2,
      userLiquidity: accounts.liquidityVault,
      obligationOwner: accounts.liquidityVaultAuthority,
      userTransferAuthority: accounts.liquidityVaultAuthority,
    },
    args: { collateralAmount },
    remaining: [accounts.integrationAcc1],
    signers: [bankSigner(accounts.bank)],
    borrowed,
  });
}
