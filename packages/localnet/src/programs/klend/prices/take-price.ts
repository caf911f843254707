import { type KlendErrorName, type KlendMarket, type KlendReserve, NO_KEY } from '@lending/programs';
import type { Address } from '@solana/kit';
import { address } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check, fail } from '../klend-error.ts';
import { isPriceWanted } from '../steps/refresh-reserve.ts';
import type { LoadedPrice } from './loaded-price.ts';
import { loadPythPrice } from './pyth-price.ts';
import { loadSwitchboardPrice } from './switchboard-price.ts';
import { usesAverage, type ValidatedPrice, validatePrice } from './validate-price.ts';

type TokenInfo = KlendReserve['config']['tokenInfo'];

/** The accounts a refresh is given prices in; null is one that was left out. */
export interface PriceAccounts {
  readonly pyth: InstructionAccount | null;
  readonly switchboard: InstructionAccount | null;
  readonly switchboardAverage: InstructionAccount | null;
  readonly scope: InstructionAccount | null;
}

/** klend's own way to write that there is no feed; the default key is the other. */
const NO_FEED: Address = address('nu11111111111111111111111111111111111111111');
const UNUSED_CHAIN = 0xffff;

/**
 * The newest price of the feeds a reserve names; null where the market lets the old one be, or the feed is in doubt. Scope's aggregated
 * prices are not modelled: a reserve that names no other feed has none here.
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
  const newest = [loadPyth(context, accounts), loadSwitchboard(context, tokenInfo, accounts)]
    .filter((price) => price !== null)
    .reduce<LoadedPrice | null>(
      (best, price) => (best === null || price.timestamp > best.timestamp ? price : best),
      null,
    );
  return newest === null ? fail('PriceNotValid') : validatePrice(context, newest, tokenInfo);
}

function loadPyth(context: InvokeContext, { pyth }: PriceAccounts): LoadedPrice | null {
  return pyth === null ? null : loadPythPrice(context, pyth);
}

function loadSwitchboard(
  context: InvokeContext,
  tokenInfo: TokenInfo,
  { switchboard, switchboardAverage }: PriceAccounts,
): LoadedPrice | null {
  if (switchboard === null) return null;
  return loadSwitchboardPrice(context, switchboard, usesAverage(tokenInfo) ? switchboardAverage : null);
}

function assertFeeds(tokenInfo: TokenInfo, accounts: PriceAccounts): void {
  const { scopeConfiguration: scope, switchboardConfiguration: switchboard, pythConfiguration: pyth } = tokenInfo;
  const isScopeValid = !isFeed(scope.priceFeed) || isChain(scope.priceChain);
  const hasFeed = [scope.priceFeed, switchboard.priceAggregator, pyth.price].some(isFeed);
  check(isScopeValid && hasFeed, 'InvalidOracleConfig');
  check(isAverageValid(tokenInfo), 'InvalidTwapConfig');
  assertGiven(pyth.price, accounts.pyth, 'InvalidPythPriceAccount');
  assertGiven(switchboard.priceAggregator, accounts.switchboard, 'InvalidSwitchboardAccount');
  const isAverageWanted = isFeed(switchboard.priceAggregator) && usesAverage(tokenInfo);
  const averageFeed = isAverageWanted ? switchboard.twapAggregator : NO_KEY;
  const isAverageFree = isFeed(switchboard.priceAggregator) && !isAverageWanted;
  if (!isAverageFree) assertGiven(averageFeed, accounts.switchboardAverage, 'InvalidSwitchboardAccount');
  assertGiven(scope.priceFeed, accounts.scope, 'InvalidScopePriceAccount');
}

function isAverageValid(tokenInfo: TokenInfo): boolean {
  if (!usesAverage(tokenInfo)) return true;
  const { scopeConfiguration: scope, switchboardConfiguration: switchboard } = tokenInfo;
  const hasScopeAverage = !isFeed(scope.priceFeed) || isChain(scope.twapChain);
  const hasOtherAverage = !isFeed(switchboard.priceAggregator) || isFeed(switchboard.twapAggregator);
  return tokenInfo.maxAgeTwapSeconds !== 0n && hasScopeAverage && hasOtherAverage;
}

function assertGiven(feed: Address, given: InstructionAccount | null, error: KlendErrorName): void {
  check(isFeed(feed) ? given?.address === feed : given === null, error);
}

function isFeed(key: Address): boolean {
  return key !== NO_KEY && key !== NO_FEED;
}

function isChain(chain: readonly number[]): boolean {
  return chain.some((id) => id !== UNUSED_CHAIN) && chain.some((id) => id !== 0);
}
