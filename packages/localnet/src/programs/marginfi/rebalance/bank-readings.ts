import {
  ASSET_TAG,
  assetAmountOf,
  calcValue,
  floorI80F48,
  type I80F48,
  integerToI80F48,
  isIntegrationTag,
  multiplyI80F48,
  rateFromU32,
  remainingDepositCapacity,
  smallerOf,
  U64_MAX,
} from '@lending/domain';
import {
  juplendLendingLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  KLEND_PROGRAM,
  klendMarketLayout,
  klendReserveLayout,
  type MarginfiErrorName,
  readAddress,
} from '@lending/programs';
import { isSolanaError } from '@solana/kit';
import { readU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { assertTokenOwned } from '#programs/anchor/account-reader.ts';
import { MINT } from '../../token/token-state.ts';
import { fail } from '../marginfi-error.ts';
import { readBankConfig } from '../risk/bank-config.ts';
import { readBankOracle, requireSpotPrice } from '../risk/bank-oracle.ts';
import type { AccountState } from '../state/account-state.ts';
import { findBalance } from '../state/balance-state.ts';
import { readLedger } from '../state/bank-ledger.ts';
import type { BankState } from '../state/bank-state.ts';
import type { ReferencedBank } from './rebalance-banks.ts';
import { juplendSupplyRate, kaminoDepositRoom, kaminoSupplyRate, nativeSupplyRate } from './supply-rates.ts';

/** More than any bank has room for. */
const UNLIMITED: I80F48 = 2n ** 127n - 1n;

/**
 * What lenders of a bank would earn a year with so many base units more deposited; 1 is 100 %.
 * @throws AnchorError where an account is not the bank's, or its venue was not refreshed in this slot.
 * @see marginfi-v2 programs/marginfi/src/state/rate.rs `rate_at`
 */
export function supplyRateAfter(context: InvokeContext, given: ReferencedBank, extraBase: bigint): I80F48 {
  const { bank } = given;
  return (
    rateOnVenue(context, given, extraBase) ??
    nativeSupplyRate(bank.load(), readBankConfig(bank.account).curve, extraBase)
  );
}

/** The same as a bank stands; one of P0's own says it in its cache, which every deposit brings up to date. */
export function supplyRateNow(context: InvokeContext, given: ReferencedBank): I80F48 {
  return rateOnVenue(context, given, 0n) ?? rateFromU32(given.bank.load().lendingRate);
}

/** Null for a bank of P0's own. */
function rateOnVenue(context: InvokeContext, given: ReferencedBank, extraBase: bigint): I80F48 | null {
  const { assetTag } = given.bank.load();
  if (!isIntegrationTag(assetTag)) return null;
  if (assetTag === ASSET_TAG.kamino) {
    const reserve = kaminoReserveOf(context, given);
    const market = kaminoMarketOf(context, given, reserve.lendingMarket);
    return kaminoSupplyRate(reserve, market.reserveRewardsMaxAprBps, extraBase) ?? fail(context, 'MathError');
  }
  if (assetTag !== ASSET_TAG.juplend) fail(context, 'RebalanceVenueUnsupported');
  return juplendSupplyRate(juplendPoolOf(context, given), extraBase, context.slot.unixTimestamp);
}

/**
 * Tokens that one receipt of a bank is worth, 1 for P0's own. Asks for the bank's price, whatever it is.
 * @throws AnchorError with the error of the oracle.
 * @see marginfi-v2 programs/marginfi/src/state/rate.rs `venue_multiplier`
 */
export function multiplierOf(context: InvokeContext, { bank, oracles }: ReferencedBank): I80F48 {
  const oracle = readBankOracle(context, bank.account, oracles);
  requireSpotPrice(context, oracle);
  return oracle.loaded.kind === 'loaded' ? oracle.loaded.multiplier : fail(context, 'InvalidOracleSetup');
}

/** What a share is worth in tokens, which only grows: its growth is what lenders earned. */
export function yieldIndexOf({ bank }: ReferencedBank, multiplier: I80F48): I80F48 {
  return multiplyI80F48(bank.load().assetShareValue, multiplier);
}

/** Whole tokens that an account has in a bank, whatever their price; 0 without a balance. */
export function underlyingIn(account: AccountState, { bank }: ReferencedBank, multiplier: I80F48): I80F48 {
  const balance = findBalance(account, bank.account.key);
  const state = bank.load();
  return balance === undefined ? 0n : toWhole(state, assetAmountOf(state, balance.assetShares), multiplier);
}

/** Whole tokens that a bank still takes: its own limit, or its venue's where that is closer. */
export function depositRoomOf(context: InvokeContext, given: ReferencedBank, multiplier: I80F48): I80F48 {
  const state = given.bank.load();
  const own = remainingDepositCapacity(readLedger(state)) ?? fail(context, 'MathError');
  const room = own === U64_MAX ? UNLIMITED : toWhole(state, integerToI80F48(own), multiplier);
  if (state.assetTag !== ASSET_TAG.kamino) return room;
  const venue = kaminoDepositRoom(kaminoReserveOf(context, given));
  if (venue === U64_MAX) return room;
  const ofMint = { assetTag: ASSET_TAG.default, decimals: state.mintDecimals };
  return smallerOf(room, calcValue(integerToI80F48(venue), integerToI80F48(1n), null, ofMint));
}

/** @throws AnchorError MathError for what no token account can hold. */
export function toBaseUnits(context: InvokeContext, whole: I80F48, mintDecimals: number): bigint {
  const base = floorI80F48(multiplyI80F48(whole, integerToI80F48(10n ** BigInt(mintDecimals))));
  return base < 0n || base > U64_MAX ? fail(context, 'MathError') : base;
}

function toWhole({ assetTag, mintDecimals }: BankState, amount: I80F48, multiplier: I80F48): I80F48 {
  return calcValue(amount, multiplier, null, { assetTag, decimals: mintDecimals });
}

function kaminoReserveOf(context: InvokeContext, given: ReferencedBank) {
  const reserve = decodeAs(klendReserveLayout, venueAccountOf(context, given, 'KaminoReserveValidationFailed'));
  if (reserve.lastUpdate.slot < context.slot.slot) fail(context, 'ReserveStale');
  return reserve;
}

function kaminoMarketOf(context: InvokeContext, { rewards: [market] }: ReferencedBank, wanted: string) {
  if (market?.address !== wanted || market.owner !== KLEND_PROGRAM) fail(context, 'InvalidBankAccount');
  return decodeAs(klendMarketLayout, market);
}

function juplendPoolOf(context: InvokeContext, given: ReferencedBank) {
  const error = 'JuplendLendingValidationFailed';
  const lending = decodeAs(juplendLendingLayout, venueAccountOf(context, given, error));
  const { tokenReserve } = given;
  if (tokenReserve?.address !== lending.tokenReservesLiquidity) fail(context, error);
  const reserve = decodeAs(juplendTokenReserveLayout, tokenReserve);
  if (reserve.lastUpdateTimestamp < context.slot.unixTimestamp) fail(context, 'JuplendLendingStale');
  const [model, fTokenMint] = given.rewards;
  if (model?.address !== lending.rewardsRateModel || fTokenMint?.address !== lending.fTokenMint) fail(context, error);
  assertTokenOwned(fTokenMint, 'mint');
  const rewards = decodeAs(juplendRewardsRateModelLayout, model);
  return { lending, reserve, rewards, fTokenSupply: readU64(fTokenMint.data, MINT.supply) };
}

/** A bank's venue stands last among its oracle's accounts. */
function venueAccountOf(
  context: InvokeContext,
  { bank, oracles }: ReferencedBank,
  error: MarginfiErrorName,
): InstructionAccount {
  const venue = oracles.at(-1) ?? fail(context, 'WrongNumberOfOracleAccounts');
  return venue.address === readAddress(bank.load().integrationAcc1) ? venue : fail(context, error);
}

/** An account that is bound to the bank by its address; the program stops at one that is not of its kind, or cut short. */
function decodeAs<T>(layout: { readonly decode: (data: Uint8Array) => T }, { data }: InstructionAccount): T {
  try {
    return layout.decode(data);
  } catch (error) {
    if (isSolanaError(error)) throw new InstructionError('ProgramFailedToComplete');
    throw error;
  }
}
