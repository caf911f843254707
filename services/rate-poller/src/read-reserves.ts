import type { AccountGroup, AccountUpdate, Chain } from '@lending/chain';
import { balanceDecimals, type RiskPrice, receiptsOfTokens, smallerOf } from '@lending/domain';
import { toTime } from '@lending/events';
import {
  decodeBank,
  decodeGroup,
  loadOracle,
  oracleAccountsOf,
  type P0Bank,
  type P0Group,
  type PriceReading,
  type ReserveKeys,
  type ReserveReading,
  readPrice,
  refreshedAccount,
  toRiskPrice,
  toRiskPriceOnceRefreshed,
  type VenueAdapter,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { type NativeRate, NO_NATIVE_RATE } from './native-rate.ts';
import type { NativeRates } from './native-rates.ts';
import type { OracleReading } from './price-audit.ts';
import type { UnreadReserve } from './quarantine/unread-reserves.ts';
import { type ReserveRead, toReserveReads } from './reserve-reads.ts';

/** A bank whose tokens earn at a venue, with the reserve behind it, both of one slot. */
export interface IntegrationBankReading extends OracleReading {
  readonly price: PriceReading;
  /** Null where the reserve could not be read: what the bank earns is then unknown. */
  readonly reserve: ReserveReading | null;
  readonly native: NativeRate;
  /** What the risk engine values the bank's receipts at, once the reserve was refreshed. */
  readonly riskPrice: RiskPrice;
  /** What the venue lets out, in the bank's own receipts; null where that is not known. */
  readonly vaultBase: bigint | null;
  /** Tokens of a venue's banks pass through unchanged: no bank takes a mint with a fee there. */
  readonly transferFee: null;
  readonly group: P0Group | null;
}

/** A reserve and the banks on it, all of one slot. */
export interface VenueReading {
  readonly slot: bigint;
  /** Seconds, the chain's own clock at that slot. */
  readonly unixTimestamp: bigint;
  /** Null where it could not be read, or where another reading of this round has it. */
  readonly reserve: ReserveReading | null;
  /** The reserve where it is there and could not be read, told once a round. */
  readonly unread: UnreadReserve | null;
  /** Of the reserve's token. */
  readonly native: NativeRate;
  readonly banks: readonly IntegrationBankReading[];
}

export interface ReadReservesOptions {
  readonly chain: Chain;
  readonly adapter: VenueAdapter;
  readonly program: Address;
  readonly group: Address;
  readonly nativeRates: NativeRates;
  /** Measured length of a slot. */
  readonly slotMicros: bigint;
  readonly signal: AbortSignal;
  /** A reserve or bank whose accounts cannot be read. */
  readonly onReject: (address: Address, error: unknown) => void;
}

/**
 * Reads a venue's reserves and the banks on them: each reserve with its own accounts, its banks and their oracles in one call, in as
 * few calls as they fit in. A reserve or bank that is gone is left out, one that cannot be read is reported too.
 */
export async function readReserves(
  reserves: readonly ReserveKeys[],
  banks: readonly P0Bank[],
  options: ReadReservesOptions,
): Promise<readonly VenueReading[]> {
  const reads = toReserveReads(reserves, banks, options.nativeRates);
  const groups = await options.chain.fetchAccountGroups(
    reads.map(({ accounts, banks: on }) => (on.length === 0 ? accounts : [...accounts, options.group])),
    { signal: options.signal, minContextSlot: 'highest-seen' },
  );
  return reads.flatMap((read, index) => {
    const group = groups[index];
    return group === undefined ? [] : [toVenueReading(read, group, options)];
  });
}

function toVenueReading(read: ReserveRead, group: AccountGroup, options: ReadReservesOptions): VenueReading {
  const { slot, unixTimestamp } = group;
  // A clock that no calendar has dates nothing.
  toTime(unixTimestamp);
  const byAddress = new Map(
    group.accounts.flatMap((account) => (account === null ? [] : [[account.address, account]])),
  );
  const find = (address: Address): AccountUpdate | null => byAddress.get(address) ?? null;
  const { reserve, unread } = readReserve(read.keys, find, group, options);
  const banks = read.banks.flatMap((address) => {
    const reading = readIntegrationBank(address, find, group, options);
    if (reading === null) return [];
    // A bank that has been moved to another reserve since it was listed is not on this one.
    const own = reading.bank.venueAccount === read.reserve ? reserve : null;
    const price = own === null || read.keys === null ? null : priceOnceRefreshed(reading, read.keys, find);
    return [{ ...reading, reserve: own, ...toMeasure(reading, own, price) }];
  });
  const native =
    read.keys === null
      ? NO_NATIVE_RATE
      : options.nativeRates.read(read.keys, find, { ...group, slotMicros: options.slotMicros });
  return {
    slot,
    unixTimestamp,
    reserve: read.isFirst ? reserve : null,
    unread: read.isFirst ? unread : null,
    native,
    banks,
  };
}

type Find = (address: Address) => AccountUpdate | null;

function readReserve(
  keys: ReserveKeys | null,
  find: Find,
  { slot, unixTimestamp }: AccountGroup,
  { adapter, slotMicros, onReject }: ReadReservesOptions,
): Pick<VenueReading, 'reserve' | 'unread'> {
  if (keys === null || find(keys.address) === null) return { reserve: null, unread: null };
  const { address, venue } = keys;
  try {
    const reserve = adapter.readReserve(keys, keys.accounts.map(find), { slot, unixTimestamp, slotMicros });
    return { reserve, unread: null };
  } catch (error) {
    onReject(address, error);
    return { reserve: null, unread: { address, venue, error } };
  }
}

/** What the program values receipts at, and how many can leave. A venue that nobody can refresh is valued as it stands: not at all. */
function toMeasure(
  { bank, oracle }: Pick<IntegrationBankReading, 'bank' | 'oracle'>,
  reserve: ReserveReading | null,
  refreshed: RiskPrice | null,
): Pick<IntegrationBankReading, 'riskPrice' | 'vaultBase' | 'transferFee'> {
  const transferFee = null;
  const asItStands = toRiskPrice(bank, oracle.loaded);
  if (reserve === null || refreshed === null) return { riskPrice: asItStands, vaultBase: null, transferFee };
  const { limits, sizes, exchangeRateE18 } = reserve;
  const receipts = receiptsOfTokens(smallerOf(limits.withdrawRoomBase, sizes.availableBase), exchangeRateE18);
  // Drift's receipts have nine decimals whatever the mint has.
  const scale = 10n ** BigInt(balanceDecimals(bank.assetTag, bank.decimals));
  const vaultBase = receipts === null ? null : (receipts * scale) / 10n ** BigInt(bank.decimals);
  return { riskPrice: reserve.status === 'suspended' ? asItStands : refreshed, vaultBase, transferFee };
}

/** The price that a build's own transaction finds: where the venue's accounts are out of date, it refreshes them first. */
function priceOnceRefreshed(
  { bank, oracle: { loaded, moment } }: Pick<IntegrationBankReading, 'bank' | 'oracle'>,
  keys: ReserveKeys,
  find: Find,
): RiskPrice {
  if (loaded.kind === 'loaded' && loaded.staleError === null) return toRiskPrice(bank, loaded);
  const accounts = oracleAccountsOf(bank).map(
    (address) => refreshedAccount(keys, address, find, moment) ?? find(address),
  );
  return toRiskPriceOnceRefreshed(bank, loadOracle(bank, accounts, moment));
}

function readIntegrationBank(
  address: Address,
  find: Find,
  group: AccountGroup,
  { program, group: groupAddress, nativeRates, slotMicros, onReject }: ReadReservesOptions,
): Pick<IntegrationBankReading, 'bank' | 'price' | 'native' | 'group' | 'oracle'> | null {
  const account = find(address);
  if (account === null) return null;
  const groupAccount = find(groupAddress);
  try {
    const decodedGroup = groupAccount === null ? null : decodeGroup(groupAccount, program);
    const bank = decodeBank(account, program);
    const oracleAccounts = oracleAccountsOf(bank).map(find);
    const price = readPrice(bank, oracleAccounts, group);
    const oracle = { loaded: loadOracle(bank, oracleAccounts, group), accounts: oracleAccounts, moment: group };
    return { bank, price, oracle, group: decodedGroup, native: nativeRates.read(bank, find, { ...group, slotMicros }) };
  } catch (error) {
    onReject(address, error);
    return null;
  }
}
