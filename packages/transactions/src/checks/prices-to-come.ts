import type { RiskPrice } from '@lending/domain';
import { pullFeedLayout } from '@lending/programs';
import {
  type AccountBytes,
  type LoadedOracle,
  loadOracle,
  oracleAccountsOf,
  type PriceSource,
  priceSourcesOf,
  refreshedAccount,
  toRiskPrice,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { readOrNull, switchboardFeed } from '#account-readers.ts';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { momentOf } from '#live/read-banks.ts';

/** What is known of Switchboard's feeds besides their bytes. */
export interface PriceOptions {
  /** Feeds that are not cranked: they count as they stand. All others are taken to be cranked where they are out of date. */
  readonly uncranked?: ReadonlySet<Address>;
  /** Feeds that will be out of date when the action runs, whatever they are now. */
  readonly lapsed?: ReadonlySet<Address>;
  /** What cranks will write, by feed, with 18 decimals. Without it a feed that is cranked keeps its price. */
  readonly crankedPrices?: ReadonlyMap<Address, bigint>;
  /** Takes every price that can be read, however old: what would be if all feeds were up to date. */
  readonly ignoresAge?: boolean;
}

/**
 * A bank's oracle as the action will find it: the venue's account refreshed in the same transaction, and Switchboard's feed cranked
 * before it.
 */
export function oracleToCome(
  live: LiveBank,
  { accounts }: Pick<ActionState, 'accounts'>,
  options: PriceOptions = {},
): LoadedOracle {
  const { bank, oracle, reserve } = live;
  const sources = priceSourcesOf(bank);
  const moment = momentOf(accounts);
  const read = (address: Address) => accounts.get(address);
  const renewed = (address: Address): AccountBytes | null => {
    const source = sources.find(({ account }) => account === address);
    if (source === undefined) return null;
    if (source.refreshedBy === 'instruction') {
      return reserve === null ? null : refreshedAccount(reserve, address, read, moment);
    }
    return source.refreshedBy === 'crank' ? crankedFeed(read(address) ?? null, moment.unixTimestamp, options) : null;
  };
  const isUpToDate = oracle.kind === 'loaded' && oracle.staleError === null;
  if (isUpToDate && !isRepriced(sources, options)) return oracle;
  const renewedAccounts = oracleAccountsOf(bank).map((address) => renewed(address) ?? read(address) ?? null);
  return loadOracle(bank, renewedAccounts, moment);
}

/** The same as the risk engine takes it. */
export function priceToCome(
  live: LiveBank,
  state: Pick<ActionState, 'accounts'>,
  options: PriceOptions = {},
): RiskPrice {
  const feed = priceSourcesOf(live.bank).find(({ refreshedBy }) => refreshedBy === 'crank');
  if (feed !== undefined && options.lapsed?.has(feed.account))
    return { kind: 'failed', error: 'SwitchboardStalePrice' };
  const oracle = oracleToCome(live, state, options);
  const isForgiven = options.ignoresAge === true && oracle.kind === 'loaded';
  return toRiskPrice(live.bank, isForgiven ? { ...oracle, staleError: null } : oracle);
}

function isRepriced(sources: readonly PriceSource[], { crankedPrices }: PriceOptions): boolean {
  return sources.some(({ account }) => crankedPrices?.has(account) === true);
}

/** A feed's account as a crank leaves it: up to date, with what oracles sign where that is known. Null for one that is not cranked. */
export function crankedFeed(
  account: AccountBytes | null,
  unixTimestamp: bigint,
  { uncranked, crankedPrices }: PriceOptions,
): AccountBytes | null {
  const feed = readOrNull(switchboardFeed, account);
  if (account === null || feed === null || uncranked?.has(account.address)) return null;
  const result = { ...feed.result, value: crankedPrices?.get(account.address) ?? feed.result.value };
  const data = pullFeedLayout.encode({ ...feed, result, lastUpdateTimestamp: unixTimestamp });
  return { ...account, data: Uint8Array.from(data) };
}
