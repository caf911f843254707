import {
  type KlendMarket,
  type KlendReserve,
  NO_KEY,
  type PriceUpdateV2,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import { type Address, isSolanaError } from '@solana/kit';
import { hasBytesAt, isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail, panic } from './klend-error.ts';
import { ALL_PRICE_CHECKS, ageOf, PRICE_CHECK } from './steps/last-update.ts';

/** The accounts a refresh is given prices in; null is one that was left out. */
export interface PriceAccounts {
  readonly pyth: InstructionAccount | null;
  readonly switchboard: InstructionAccount | null;
  readonly others: readonly (InstructionAccount | null)[];
}

/** A price, when it was made, in unix seconds, and which checks it passed. */
export interface ValidatedPrice {
  readonly valueSf: bigint;
  readonly timestamp: bigint;
  readonly checks: number;
}

/** USD of one token, scaled by 2^60; null where the feed says that it is not sure enough. Pyth's has an average beside it. */
interface LoadedPrice {
  readonly timestamp: bigint;
  readonly valueSf: bigint | null;
  readonly averageSf: bigint | null;
}

type TokenInfo = KlendReserve['config']['tokenInfo'];

/** Two per cent of the price may be in doubt. */
const CONFIDENCE_FACTOR = 50n;
const MAX_EXPONENT = 36;
const FRACTION_LIMIT = 1n << 128n;
const FULL_BPS = 10_000n;
const SWITCHBOARD_DECIMALS = 18;
const MS_PER_SLOT = 400n;
const MS_PER_SECOND = 1000n;

/**
 * The newest price of the feeds a reserve names; null where the market lets the old one be, or the feed is in doubt. Prices of Scope and
 * Switchboard's averages are not modelled: no reserve of this chain names them, and one that does has no price here.
 * @throws AnchorError when other accounts are given than the reserve names, or none of them has a price
 * @see klend programs/klend/src/utils/prices/mod.rs, state/token_info.rs
 */
export function takePrice(
  context: InvokeContext,
  reserve: KlendReserve,
  market: KlendMarket,
  accounts: PriceAccounts,
): ValidatedPrice | null {
  if (!isPriceWanted(reserve, market, context.slot.unixTimestamp)) return null;
  const { tokenInfo } = reserve.config;
  assertFeeds(tokenInfo, accounts);
  const { pyth, switchboard } = accounts;
  const newest = [
    pyth === null ? null : loadPythPrice(context, pyth),
    switchboard === null ? null : loadSwitchboardPrice(context, switchboard),
  ]
    .filter((price) => price !== null)
    .reduce<LoadedPrice | null>(
      (best, price) => (best === null || price.timestamp > best.timestamp ? price : best),
      null,
    );
  return newest === null ? fail('PriceNotValid') : validatePrice(context, newest, tokenInfo);
}

/** Whether a refresh looks at the oracle at all: a market may let young prices be. */
function isPriceWanted({ liquidity, config }: KlendReserve, market: KlendMarket, unixTimestamp: bigint): boolean {
  const trigger = (config.tokenInfo.maxAgePriceSeconds * BigInt(market.priceRefreshTriggerToMaxAgePct)) / 100n;
  return ageOf(liquidity.marketPriceLastUpdatedTs, unixTimestamp) >= trigger;
}

function assertFeeds(tokenInfo: TokenInfo, { pyth, switchboard, others }: PriceAccounts): void {
  const { priceAggregator } = tokenInfo.switchboardConfiguration;
  const { price } = tokenInfo.pythConfiguration;
  check(price !== NO_KEY || priceAggregator !== NO_KEY, 'InvalidOracleConfig');
  const isAverageValid = tokenInfo.maxAgeTwapSeconds !== 0n && priceAggregator === NO_KEY;
  check(!usesAverage(tokenInfo) || isAverageValid, 'InvalidTwapConfig');
  check(isGiven(price, pyth), 'InvalidPythPriceAccount');
  check(isGiven(priceAggregator, switchboard), 'InvalidSwitchboardAccount');
  check(
    others.every((account) => account === null),
    'InvalidScopePriceAccount',
  );
}

function isGiven(feed: Address, given: InstructionAccount | null): boolean {
  return feed === NO_KEY ? given === null : given?.address === feed;
}

/**
 * A fully verified Pyth price with its moving average; null where the account is no such thing, or either is in doubt. Whose account it
 * is does not matter: the reserve names it.
 * @see klend programs/klend/src/utils/prices/pyth.rs
 */
function loadPythPrice(context: InvokeContext, account: InstructionAccount): LoadedPrice | null {
  const update = decodeUpdate(account.data);
  if (update === null || update.verificationLevel.__kind !== 'Full') return null;
  const { price, conf, emaPrice, emaConf, exponent, publishTime } = update.priceMessage;
  const isSure = isCertain(context, price, conf) && isCertain(context, emaPrice, emaConf);
  if (!isSure) return null;
  if (publishTime < 0n) panic(context, 'negative publish time');
  const toSf = (value: bigint) => priceToSf(context, value, Math.abs(exponent));
  return { timestamp: publishTime, valueSf: toSf(price), averageSf: toSf(emaPrice) };
}

function isCertain(context: InvokeContext, price: bigint, confidence: bigint): boolean {
  if (price < 0n) panic(context, 'negative price');
  if (price === 0n) return false;
  const doubt = confidence * CONFIDENCE_FACTOR;
  if (!isU64(doubt)) panic(context, 'confidence out of range');
  return doubt <= price;
}

function decodeUpdate(data: Uint8Array): PriceUpdateV2 | null {
  if (!hasBytesAt(data, 0, priceUpdateV2Layout.discriminator)) return null;
  try {
    return priceUpdateV2Layout.decode(data);
  } catch (error) {
    if (isSolanaError(error)) return null;
    throw error;
  }
}

/**
 * The result of a Switchboard pull feed; null where it is no feed or has no price. Its slot says how old it is.
 * @see klend programs/klend/src/utils/prices/switchboard.rs
 */
function loadSwitchboardPrice(context: InvokeContext, { owner, data }: InstructionAccount): LoadedPrice | null {
  const isFeed = owner === SWITCHBOARD_ON_DEMAND_PROGRAM && hasBytesAt(data, 0, pullFeedLayout.discriminator);
  if (!isFeed || data.length < pullFeedLayout.fixedSize) return null;
  const { value, stdDev, slot } = pullFeedLayout.decode(data).result;
  if (slot === 0n || value <= 0n || stdDev < 0n) return null;
  const now = context.slot;
  const seconds = now.slot > slot ? ((now.slot - slot) * MS_PER_SLOT) / MS_PER_SECOND : 0n;
  const timestamp = now.unixTimestamp > seconds ? now.unixTimestamp - seconds : 0n;
  const isSure = stdDev * CONFIDENCE_FACTOR < value;
  return { timestamp, valueSf: isSure ? priceToSf(context, value, SWITCHBOARD_DECIMALS) : null, averageSf: null };
}

/** `value ÷ 10^exponent`, rounded down. */
function priceToSf(context: InvokeContext, value: bigint, exponent: number): bigint {
  if (exponent > MAX_EXPONENT) panic(context, `no support for exponent ${exponent}`);
  const valueSf = (value << 60n) / 10n ** BigInt(exponent);
  return valueSf < FRACTION_LIMIT ? valueSf : panic(context, 'the price does not fit');
}

/**
 * Judges a price by the reserve's own terms. A price that fails is taken all the same: what may be done with it is up to those that ask
 * for its checks. Null where there is none to take.
 * @see klend programs/klend/src/utils/prices/checks.rs `get_validated_price`
 */
function validatePrice(
  context: InvokeContext,
  { timestamp, valueSf, averageSf }: LoadedPrice,
  terms: TokenInfo,
): ValidatedPrice | null {
  if (valueSf === null) return null;
  const age = ageOf(timestamp, context.slot.unixTimestamp);
  const needsAverage = usesAverage(terms);
  const passes = {
    loaded: true,
    young: age <= terms.maxAgePriceSeconds,
    nearAverage: !needsAverage || (averageSf !== null && isNear(valueSf, averageSf, terms.maxTwapDivergenceBps)),
    averageYoung: !needsAverage || (averageSf !== null && age <= terms.maxAgeTwapSeconds),
    withinHeuristic: isWithinHeuristic(context, valueSf, terms),
    usageAllowed: terms.blockPriceUsage === 0,
  };
  const failed = (Object.keys(PRICE_CHECK) as (keyof typeof PRICE_CHECK)[]).filter((name) => !passes[name]);
  const checks = failed.reduce((left, name) => left & ~PRICE_CHECK[name], ALL_PRICE_CHECKS);
  return { valueSf, timestamp, checks };
}

function usesAverage({ maxTwapDivergenceBps }: TokenInfo): boolean {
  return maxTwapDivergenceBps > 0n;
}

function isNear(valueSf: bigint, averageSf: bigint, toleranceBps: bigint): boolean {
  const distance = valueSf > averageSf ? valueSf - averageSf : averageSf - valueSf;
  return distance * FULL_BPS < valueSf * toleranceBps;
}

function isWithinHeuristic(context: InvokeContext, valueSf: bigint, { heuristic }: TokenInfo): boolean {
  const bound = (value: bigint) => priceToSf(context, value, Number(heuristic.exp));
  if (heuristic.lower > 0n && valueSf < bound(heuristic.lower)) return false;
  return heuristic.upper === 0n || valueSf <= bound(heuristic.upper);
}
