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
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendLendingLayout,
  juplendRewardsRateModelLayout,
  juplendTokenReserveLayout,
  KLEND_PROGRAM,
  klendMarketLayout,
  klendReserveLayout,
  type MarginfiErrorName,
  readAddress,
} from '@lending/programs';
import { type Address, isSolanaError } from '@solana/kit';
import { areBytesEqual, readU64 } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { assertTokenOwned, type Loader, loadAccount } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { MINT } from '../../token/token-state.ts';
import { fail } from '../marginfi-error.ts';
import { accountsPerBank, readBankConfig, readBankOracle, requireSpotPrice } from '../risk/oracles.ts';
import { type AccountState, findBalance } from '../state/account-state.ts';
import { BANK, type BankState, readLedger } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { juplendSupplyRate, kaminoDepositRoom, kaminoSupplyRate, nativeSupplyRate } from './supply-rates.ts';

const RATE_MODEL_SEED = new TextEncoder().encode('rate_model');

/** A bank of an order as the instruction was given it, with what its rate, its rewards and its price are read from. */
export interface ReferencedBank {
  readonly bank: Loader<BankState>;
  /** JupLend's. */
  readonly tokenReserve: InstructionAccount | null;
  /** Kamino's lending market; of JupLend the rewards' model and the fToken's mint. Empty where the instruction asks for no rate. */
  readonly rewards: readonly InstructionAccount[];
  readonly oracles: readonly InstructionAccount[];
}

/**
 * Takes so many banks, each once, with what belongs to it, and returns what comes after them.
 * @param reads what the instruction needs of each: rates, and of a rate the model that JupLend derives it with; a settlement needs neither.
 * @throws AnchorError WrongNumberOfOracleAccounts, SameAssetAndLiabilityBanks, InvalidBankAccount or InvalidGroup
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `parse_rebalance_banks`
 */
export function readRebalanceBanks(
  context: InvokeContext,
  group: InstructionAccount,
  remaining: readonly InstructionAccount[],
  { count, reads }: { readonly count: number; readonly reads: 'rates and models' | 'rates' | 'indices' },
): { readonly banks: readonly ReferencedBank[]; readonly rest: readonly InstructionAccount[] } {
  let next = 0;
  const take = (size = 1): readonly InstructionAccount[] => {
    const taken = remaining.slice(next, next + size);
    if (taken.length < size) fail('WrongNumberOfOracleAccounts');
    next += size;
    return taken;
  };
  const banks: ReferencedBank[] = [];
  while (banks.length < count) {
    const [given] = take() as [InstructionAccount];
    if (banks.some(({ bank }) => bank.account.address === given.address)) fail('SameAssetAndLiabilityBanks');
    const bank = loadBank(context, given);
    const state = bank.load();
    if (!areBytesEqual(state.group, group.key)) fail('InvalidGroup');
    const oracleCount = accountsPerBank(context, state) - 1;
    const tokenReserve = state.assetTag === ASSET_TAG.juplend ? (take()[0] ?? null) : null;
    const rewards = reads === 'indices' ? [] : takeRewards(state, take, reads === 'rates and models');
    banks.push({ bank, tokenReserve, rewards, oracles: take(oracleCount) });
  }
  return { banks, rest: remaining.slice(next) };
}

function takeRewards(
  { assetTag, mint }: BankState,
  take: (size?: number) => readonly InstructionAccount[],
  needsModel: boolean,
): readonly InstructionAccount[] {
  if (assetTag === ASSET_TAG.kamino) return take();
  if (assetTag !== ASSET_TAG.juplend) return [];
  const rewards = take(2);
  const [model] = take();
  if (needsModel && model?.address !== rateModelOf(mint)) fail('JuplendLendingValidationFailed');
  return rewards;
}

/** Every fault of the account is the same error. @throws AnchorError InvalidBankAccount */
function loadBank(context: InvokeContext, given: InstructionAccount): Loader<BankState> {
  try {
    return loadAccount(context, given, BANK);
  } catch (error) {
    if (error instanceof AnchorError) fail('InvalidBankAccount');
    throw error;
  }
}

function rateModelOf(mint: Uint8Array): Address {
  return findProgramAddress([RATE_MODEL_SEED, mint], JUPLEND_LIQUIDITY_PROGRAM).address;
}

/** The same banks in the same order as a record names them. @throws AnchorError InvalidBankAccount */
export function requireBanks(banks: readonly ReferencedBank[], wanted: readonly Address[]): void {
  const isSame = banks.every(({ bank }, index) => bank.account.address === wanted[index]);
  if (!isSame) fail('InvalidBankAccount');
}

/**
 * Brings P0's own banks up to now, so that their rates and share values are of now; those of a venue are refreshed before the instruction.
 * @throws AnchorError 3006 for one that the instruction may not write.
 */
export function accrueOwnBanks(context: InvokeContext, banks: readonly ReferencedBank[], group: GroupState): void {
  for (const { bank } of banks) {
    if (isIntegrationTag(bank.load().assetTag)) continue;
    accrueInterest(context, bank, group);
    updateRates(context, bank, group);
  }
}

export function mintOf({ bank }: ReferencedBank): Address {
  return readAddress(bank.load().mint);
}

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
    const market = kaminoMarketOf(given, reserve.lendingMarket);
    return kaminoSupplyRate(reserve, market.reserveRewardsMaxAprBps, extraBase) ?? fail('MathError');
  }
  if (assetTag !== ASSET_TAG.juplend) fail('RebalanceVenueUnsupported');
  return juplendSupplyRate(juplendPoolOf(context, given), extraBase, context.slot.unixTimestamp);
}

/**
 * Tokens that one receipt of a bank is worth, 1 for P0's own. Asks for the bank's price, whatever it is.
 * @throws AnchorError with the error of the oracle.
 * @see marginfi-v2 programs/marginfi/src/state/rate.rs `venue_multiplier`
 */
export function multiplierOf(context: InvokeContext, { bank, oracles }: ReferencedBank): I80F48 {
  const oracle = readBankOracle(context, bank.account, oracles);
  requireSpotPrice(oracle);
  return oracle.loaded.kind === 'loaded' ? oracle.loaded.multiplier : fail('InvalidOracleSetup');
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
  const own = remainingDepositCapacity(readLedger(state)) ?? fail('MathError');
  const room = own === U64_MAX ? UNLIMITED : toWhole(state, integerToI80F48(own), multiplier);
  if (state.assetTag !== ASSET_TAG.kamino) return room;
  const venue = kaminoDepositRoom(kaminoReserveOf(context, given));
  if (venue === U64_MAX) return room;
  const ofMint = { assetTag: ASSET_TAG.default, decimals: state.mintDecimals };
  return smallerOf(room, calcValue(integerToI80F48(venue), integerToI80F48(1n), null, ofMint));
}

/** @throws AnchorError MathError for what no token account can hold. */
export function toBaseUnits(whole: I80F48, mintDecimals: number): bigint {
  const base = floorI80F48(multiplyI80F48(whole, integerToI80F48(10n ** BigInt(mintDecimals))));
  return base < 0n || base > U64_MAX ? fail('MathError') : base;
}

function toWhole({ assetTag, mintDecimals }: BankState, amount: I80F48, multiplier: I80F48): I80F48 {
  return calcValue(amount, multiplier, null, { assetTag, decimals: mintDecimals });
}

function kaminoReserveOf(context: InvokeContext, given: ReferencedBank) {
  const reserve = decodeAs(klendReserveLayout, venueAccountOf(given, 'KaminoReserveValidationFailed'));
  if (reserve.lastUpdate.slot < context.slot.slot) fail('ReserveStale');
  return reserve;
}

function kaminoMarketOf({ rewards: [market] }: ReferencedBank, wanted: string) {
  if (market?.address !== wanted || market.owner !== KLEND_PROGRAM) fail('InvalidBankAccount');
  return decodeAs(klendMarketLayout, market);
}

function juplendPoolOf(context: InvokeContext, given: ReferencedBank) {
  const error = 'JuplendLendingValidationFailed';
  const lending = decodeAs(juplendLendingLayout, venueAccountOf(given, error));
  const { tokenReserve } = given;
  if (tokenReserve?.address !== lending.tokenReservesLiquidity) fail(error);
  const reserve = decodeAs(juplendTokenReserveLayout, tokenReserve);
  if (reserve.lastUpdateTimestamp < context.slot.unixTimestamp) fail('JuplendLendingStale');
  const [model, fTokenMint] = given.rewards;
  if (model?.address !== lending.rewardsRateModel || fTokenMint?.address !== lending.fTokenMint) fail(error);
  assertTokenOwned(fTokenMint, 'mint');
  const rewards = decodeAs(juplendRewardsRateModelLayout, model);
  return { lending, reserve, rewards, fTokenSupply: readU64(fTokenMint.data, MINT.supply) };
}

/** A bank's venue stands last among its oracle's accounts. */
function venueAccountOf({ bank, oracles }: ReferencedBank, error: MarginfiErrorName): InstructionAccount {
  const venue = oracles.at(-1) ?? fail('WrongNumberOfOracleAccounts');
  return venue.address === readAddress(bank.load().integrationAcc1) ? venue : fail(error);
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
