import { type JuplendTokenReserve, juplendLiquidityOperate, NO_KEY } from '@lending/programs';
import { accrueJuplendPrices, type JuplendPrices, juplendBorrowRate, juplendUtilization } from '@lending/venues';
import { isU64, writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader, assertTokenOwned, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireConstraint, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { LIQUIDITY, RATE_MODEL, SUPPLY_POSITION, store, TOKEN_RESERVE } from '../accounts.ts';
import { requireAssociated, requireKey } from '../checks.ts';
import { fail, juplendError, notModelled } from '../juplend-error.ts';
import { accrualUnits } from '../juplend-units.ts';
import { transferTokens } from '../token-calls.ts';
import { moveSupply } from './supply-position.ts';

type Args = ReturnType<typeof juplendLiquidityOperate.args.decode>;
type Accounts = ReturnType<typeof readAccounts>;

const LIQUIDITY_SEED = new TextEncoder().encode('liquidity');
const MIN_AMOUNT = 10n;
const MAX_AMOUNT = (1n << 63n) - 1n;
/** Tokens that leave go straight to their receiver: `operate`'s `transferType`. */
const DIRECT = 1;

/**
 * Earn's part of it: an interest-bearing supply that grows or shrinks. Vaults, which borrow, and tokens that are left to be claimed are not
 * modelled.
 * @see fluid-solana-programs programs/liquidity/src/module/user.rs `operate`
 */
export const operate = defineProgramInstruction({
  layout: juplendLiquidityOperate,
  run(context, args) {
    const accounts = readAccounts(context);
    checkAccounts(accounts, args);
    const { supplyAmount } = args;
    if (absolute(supplyAmount) < MIN_AMOUNT) fail('OperateAmountsNearlyZero');
    if (absolute(supplyAmount) > MAX_AMOUNT) fail('OperateAmountTooBig');
    const { tokenReserve, rateModel } = accounts;
    const { unixTimestamp } = context.slot;
    const before = tokenReserve.load();
    checkReceived(before, accounts, supplyAmount, unixTimestamp);

    context.consume(accrualUnits(before, unixTimestamp));
    const prices = accrueJuplendPrices(before, unixTimestamp);
    const raw = supply(accounts, supplyAmount, prices, unixTimestamp);
    const totals = { ...before, totalSupplyWithInterest: total(before.totalSupplyWithInterest, raw) };
    const utilization = juplendUtilization(totals, prices, { supply: supplyAmount > 0n, borrow: false });
    const borrowRate = juplendBorrowRate(rateModel.load(), utilization);
    if (!isU64(prices.supply) || !isU64(prices.borrow)) fail('LibraryCastingFailure');
    store(tokenReserve, TOKEN_RESERVE, {
      ...totals,
      borrowRate: Number(borrowRate),
      lastUtilization: Number(utilization),
      lastUpdateTimestamp: unixTimestamp,
      supplyExchangePrice: prices.supply,
      borrowExchangePrice: prices.borrow,
      interactingBalance: 0n,
      interactingProtocol: NO_KEY,
      interactingTimestamp: 0n,
    });
    if (supplyAmount < 0n) payOut(context, accounts, -supplyAmount, before.totalClaimAmount);

    const returned = new Uint8Array(16);
    writeU64(returned, 0, prices.supply);
    writeU64(returned, 8, prices.borrow);
    context.setReturnData(returned);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    protocol: reader.signer('protocol'),
    liquidity: reader.account('liquidity', LIQUIDITY),
    tokenReserve: reader.loader('token_reserve', TOKEN_RESERVE),
    mint: reader.mint('mint'),
    vault: reader.tokenAccount('vault'),
    supplyPosition: reader.loader('user_supply_position', SUPPLY_POSITION),
    borrowPosition: reader.optional('user_borrow_position'),
    rateModel: reader.loader('rate_model', RATE_MODEL),
    withdrawTo: reader.optional('withdraw_to_account'),
    borrowTo: reader.optional('borrow_to_account'),
    borrowClaim: reader.optional('borrow_claim_account'),
    withdrawClaim: reader.optional('withdraw_claim_account'),
    tokenProgram: reader.tokenProgram('token_program'),
  };
  if (accounts.withdrawTo !== null) assertTokenOwned(accounts.withdrawTo.account, 'account');
  return accounts;
}

function checkAccounts(accounts: Accounts, { borrowAmount, transferType, withdrawTo }: Args): void {
  const { protocol, liquidity, tokenReserve, mint, vault, supplyPosition, tokenProgram } = accounts;
  const ofVaults = [accounts.borrowPosition, accounts.borrowTo, accounts.borrowClaim, accounts.withdrawClaim];
  const isOfEarn = ofVaults.every((account) => account === null) && borrowAmount === 0n && transferType === DIRECT;
  if (!isOfEarn) notModelled('vaults and claims');
  requireConstraint(liquidity, !liquidity.load().status, (details) => juplendError('ProtocolLockdown', details));
  requireWritable(tokenReserve);
  requireKey(tokenReserve, tokenReserve.load().mint, mint);
  requireKey(tokenReserve, tokenReserve.load().vault, vault);
  const associated = { mint: mint.account.address, tokenProgram };
  requireAssociated(vault, { ...associated, authority: liquidity.account.address });
  requireWritable(vault);
  requireWritable(supplyPosition);
  requireKey(supplyPosition, supplyPosition.load().protocol, protocol);
  requireKey(accounts.rateModel, accounts.rateModel.load().mint, mint);
  if (accounts.withdrawTo === null) return;
  requireAssociated(accounts.withdrawTo, { ...associated, authority: withdrawTo });
  requireWritable(accounts.withdrawTo);
}

/** What is deposited must have come into the vault since this protocol announced it, a hundredth more at most. */
function checkReceived(
  reserve: JuplendTokenReserve,
  { protocol, vault }: Accounts,
  deposited: bigint,
  unixTimestamp: bigint,
): void {
  if (deposited < 0n) return;
  const isAnnounced =
    reserve.interactingProtocol === protocol.account.address && reserve.interactingTimestamp === unixTimestamp;
  if (!isAnnounced) fail('DepositExpected');
  const received = amountOf(vault.account.data) - reserve.interactingBalance;
  if (received < 0n) fail('LibraryMathError');
  if (received < deposited || received > (deposited * 10_100n) / 10_000n) fail('TransferAmountOutOfBounds');
}

/** @returns what the movement adds to the mint's total, raw. */
function supply(
  { supplyPosition, mint }: Accounts,
  amount: bigint,
  prices: JuplendPrices,
  unixTimestamp: bigint,
): bigint {
  const position = supplyPosition.load();
  if (position.mint !== mint.account.address) fail('MintMismatch');
  const moved = moveSupply(position, amount, prices, unixTimestamp);
  store(supplyPosition, SUPPLY_POSITION, moved.position);
  return moved.raw;
}

/** Rounding can leave a total below the sum of its parts: it stops at zero. */
function total(before: bigint, change: bigint): bigint {
  const after = before + change;
  if (!isU64(after) && after > 0n) fail('LibraryCastingFailure');
  return after < 0n ? 0n : after;
}

/** Sends tokens out of the vault, but for those that others may claim. */
function payOut(context: InvokeContext, accounts: Accounts, amountBase: bigint, claimedBase: bigint): void {
  const { vault, mint, liquidity, tokenProgram } = accounts;
  const to: NamedAccount = accounts.withdrawTo ?? fail('WithdrawToAccountRequired');
  const held = amountOf(vault.account.data);
  if (claimedBase > held) fail('InvalidClaimAmount');
  if (held - claimedBase < amountBase) fail('InsufficientBalance');
  const signer = [LIQUIDITY_SEED, Uint8Array.of(liquidity.load().bump)];
  transferTokens(context, { tokenProgram, mint, from: vault, to, authority: liquidity, amountBase }, [signer]);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
