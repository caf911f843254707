import { type JuplendTokenReserve, juplendLiquidityOperate, NO_KEY } from '@lending/programs';
import { accrueJuplendPrices, type JuplendPrices, juplendBorrowRate, juplendUtilization } from '@lending/venues';
import { isU64, writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader, assertTokenOwned, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireConstraint, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import {
  BORROW_POSITION,
  LIQUIDITY,
  optionalLoader,
  RATE_MODEL,
  SUPPLY_POSITION,
  store,
  TOKEN_RESERVE,
  USER_CLAIM,
} from '../accounts.ts';
import { requireAssociated, requireKey } from '../checks.ts';
import { fail, juplendError } from '../juplend-error.ts';
import { accrualUnits } from '../juplend-units.ts';
import { moveBorrow } from './borrow-position.ts';
import { type Payout, payOut } from './payout.ts';
import { moveSupply } from './supply-position.ts';

type Args = ReturnType<typeof juplendLiquidityOperate.args.decode>;
type Accounts = ReturnType<typeof readAccounts>;

const LIQUIDITY_SEED = new TextEncoder().encode('liquidity');
const MIN_AMOUNT = 10n;
const MAX_AMOUNT = (1n << 63n) - 1n;
/** No total without interest may be more. */
const MAX_TOTAL = (1n << 60n) - 1n;

/** @see fluid-solana-programs programs/liquidity/src/module/user.rs `operate` */
export const operate = defineProgramInstruction({
  layout: juplendLiquidityOperate,
  run(context, args) {
    const accounts = readAccounts(context);
    checkAccounts(accounts, args);
    checkAmounts(args);
    const { tokenReserve, rateModel } = accounts;
    const { unixTimestamp } = context.slot;
    const before = tokenReserve.load();
    checkReceived(before, accounts, args, unixTimestamp);

    context.consume(accrualUnits(before, unixTimestamp));
    const prices = accrueJuplendPrices(before, unixTimestamp);
    const moved = { ...before, ...supply(accounts, args, before, prices, unixTimestamp) };
    const totals = { ...moved, ...borrow(accounts, args, moved, prices, unixTimestamp) };
    const isGrowing = { supply: args.supplyAmount > 0n, borrow: args.borrowAmount > 0n };
    const utilization = juplendUtilization(totals, prices, isGrowing);
    if (args.borrowAmount > 0n && utilization > BigInt(before.maxUtilization)) fail('MaxUtilizationReached');
    const borrowRate = juplendBorrowRate(rateModel.load(), utilization);
    if (!isU64(prices.supply) || !isU64(prices.borrow)) fail('LibraryCastingFailure');
    const after: JuplendTokenReserve = {
      ...totals,
      borrowRate: Number(borrowRate),
      lastUtilization: Number(utilization),
      lastUpdateTimestamp: unixTimestamp,
      supplyExchangePrice: prices.supply,
      borrowExchangePrice: prices.borrow,
      interactingBalance: 0n,
      interactingProtocol: NO_KEY,
      interactingTimestamp: 0n,
    };
    store(tokenReserve, TOKEN_RESERVE, after);
    const claimed = payAll(context, accounts, args, before.totalClaimAmount);
    store(tokenReserve, TOKEN_RESERVE, { ...after, totalClaimAmount: claimed });

    const returned = new Uint8Array(16);
    writeU64(returned, 0, prices.supply);
    writeU64(returned, 8, prices.borrow);
    context.setReturnData(returned);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    protocol: reader.signer('protocol'),
    liquidity: reader.account('liquidity', LIQUIDITY),
    tokenReserve: reader.loader('token_reserve', TOKEN_RESERVE),
    mint: reader.mint('mint'),
    vault: reader.tokenAccount('vault'),
    supplyPosition: optionalLoader(context, reader, 'user_supply_position', SUPPLY_POSITION),
    borrowPosition: optionalLoader(context, reader, 'user_borrow_position', BORROW_POSITION),
    rateModel: reader.loader('rate_model', RATE_MODEL),
    withdrawTo: optionalTokenAccount(reader, 'withdraw_to_account'),
    borrowTo: optionalTokenAccount(reader, 'borrow_to_account'),
    borrowClaim: optionalLoader(context, reader, 'borrow_claim_account', USER_CLAIM),
    withdrawClaim: optionalLoader(context, reader, 'withdraw_claim_account', USER_CLAIM),
    tokenProgram: reader.tokenProgram('token_program'),
  };
}

function optionalTokenAccount(reader: AccountReader, name: string): NamedAccount | null {
  const taken = reader.optional(name);
  if (taken !== null) assertTokenOwned(taken.account, 'account');
  return taken;
}

function checkAccounts(accounts: Accounts, { withdrawTo, borrowTo }: Args): void {
  const { protocol, liquidity, tokenReserve, mint, vault, tokenProgram } = accounts;
  requireConstraint(liquidity, !liquidity.load().status, (details) => juplendError('ProtocolLockdown', details));
  requireWritable(tokenReserve);
  requireKey(tokenReserve, tokenReserve.load().mint, mint);
  requireKey(tokenReserve, tokenReserve.load().vault, vault);
  const associated = { mint: mint.account.address, tokenProgram };
  requireAssociated(vault, { ...associated, authority: liquidity.account.address });
  requireWritable(vault);
  for (const position of [accounts.supplyPosition, accounts.borrowPosition]) {
    if (position === null) continue;
    requireWritable(position);
    requireKey(position, position.load().protocol, protocol);
  }
  requireKey(accounts.rateModel, accounts.rateModel.load().mint, mint);
  for (const [account, authority] of [
    [accounts.withdrawTo, withdrawTo] as const,
    [accounts.borrowTo, borrowTo] as const,
  ]) {
    if (account === null) continue;
    requireAssociated(account, { ...associated, authority });
    requireWritable(account);
  }
  for (const claim of [accounts.borrowClaim, accounts.withdrawClaim]) {
    requireAllWritable(claim);
    if (claim !== null) requireKey(claim, claim.load().mint, mint);
  }
}

function checkAmounts({ supplyAmount, borrowAmount, withdrawTo, borrowTo }: Args): void {
  const amounts = [absolute(supplyAmount), absolute(borrowAmount)];
  if (amounts.every((amount) => amount < MIN_AMOUNT)) fail('OperateAmountsNearlyZero');
  if (amounts.some((amount) => amount > MAX_AMOUNT)) fail('OperateAmountTooBig');
  const isNobody = (supplyAmount < 0n && withdrawTo === NO_KEY) || (borrowAmount > 0n && borrowTo === NO_KEY);
  if (isNobody) fail('UserNotDefined');
}

/** What is deposited or paid back must have come into the vault since this protocol announced it, a hundredth more at most. */
function checkReceived(
  reserve: JuplendTokenReserve,
  { protocol, vault }: Accounts,
  { supplyAmount, borrowAmount }: Args,
  unixTimestamp: bigint,
): void {
  const owed = (supplyAmount > 0n ? supplyAmount : 0n) + (borrowAmount < 0n ? -borrowAmount : 0n);
  if (owed === 0n) return;
  const isAnnounced =
    reserve.interactingProtocol === protocol.account.address && reserve.interactingTimestamp === unixTimestamp;
  if (!isAnnounced) fail('DepositExpected');
  const received = amountOf(vault.account.data) - reserve.interactingBalance;
  if (received < 0n) fail('LibraryMathError');
  if (received < owed || received > (owed * 10_100n) / 10_000n) fail('TransferAmountOutOfBounds');
}

type Totals = Partial<JuplendTokenReserve>;

function supply(
  { supplyPosition, mint }: Accounts,
  { supplyAmount }: Args,
  reserve: JuplendTokenReserve,
  prices: JuplendPrices,
  unixTimestamp: bigint,
): Totals {
  if (supplyAmount === 0n) return {};
  if (supplyPosition === null) return fail('UserSupplyPositionRequired');
  const position = supplyPosition.load();
  if (position.mint !== mint.account.address) fail('MintMismatch');
  const moved = moveSupply(position, supplyAmount, prices, unixTimestamp);
  store(supplyPosition, SUPPLY_POSITION, moved.position);
  if (moved.interestFree === 0n) {
    return { totalSupplyWithInterest: total(reserve.totalSupplyWithInterest, moved.raw) };
  }
  const free = total(reserve.totalSupplyInterestFree, moved.interestFree);
  return { totalSupplyInterestFree: free > MAX_TOTAL ? fail('ValueOverflowTotalSupply') : free };
}

function borrow(
  { borrowPosition, mint }: Accounts,
  { borrowAmount }: Args,
  reserve: JuplendTokenReserve,
  prices: JuplendPrices,
  unixTimestamp: bigint,
): Totals {
  if (borrowAmount === 0n) return {};
  if (borrowPosition === null) return fail('UserBorrowPositionRequired');
  const position = borrowPosition.load();
  if (position.mint !== mint.account.address) fail('MintMismatch');
  const moved = moveBorrow(position, borrowAmount, prices, unixTimestamp);
  store(borrowPosition, BORROW_POSITION, moved.position);
  if (moved.interestFree === 0n) {
    return { totalBorrowWithInterest: total(reserve.totalBorrowWithInterest, moved.raw) };
  }
  const free = total(reserve.totalBorrowInterestFree, moved.interestFree);
  return { totalBorrowInterestFree: free > MAX_TOTAL ? fail('ValueOverflowTotalBorrow') : free };
}

/** Rounding can leave a total below the sum of its parts: it stops at zero. */
function total(before: bigint, change: bigint): bigint {
  const after = before + change;
  if (!isU64(after) && after > 0n) fail('LibraryCastingFailure');
  return after < 0n ? 0n : after;
}

/** @returns the claims on the vault after it. */
function payAll(context: InvokeContext, accounts: Accounts, args: Args, claimedBefore: bigint): bigint {
  const { liquidity } = accounts;
  const signer = [LIQUIDITY_SEED, Uint8Array.of(liquidity.load().bump)];
  let claimedBase = claimedBefore;
  for (const payout of payoutsOf(accounts, args)) {
    const state = { transferType: args.transferType, claimedBase };
    claimedBase += payOut(context, { ...accounts, signer }, payout, state);
  }
  return claimedBase;
}

/** Withdrawn and borrowed tokens for the same receiver leave together. */
function payoutsOf(accounts: Accounts, args: Args): readonly Payout[] {
  const withdrawn = args.supplyAmount < 0n ? -args.supplyAmount : 0n;
  const borrowed = args.borrowAmount > 0n ? args.borrowAmount : 0n;
  const toWithdrawer = {
    to: args.withdrawTo,
    account: accounts.withdrawTo,
    missing: 'WithdrawToAccountRequired',
    claim: accounts.withdrawClaim,
  } as const;
  if (withdrawn > 0n && borrowed > 0n && args.withdrawTo === args.borrowTo) {
    return [{ ...toWithdrawer, amountBase: withdrawn + borrowed }];
  }
  const toBorrower = {
    to: args.borrowTo,
    account: accounts.borrowTo,
    missing: 'BorrowToAccountRequired',
    claim: accounts.borrowClaim,
  } as const;
  return [
    { ...toWithdrawer, amountBase: withdrawn },
    { ...toBorrower, amountBase: borrowed },
  ].filter(({ amountBase }) => amountBase > 0n);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
