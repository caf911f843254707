import { assetWeightOf, emodeOf, type RiskBalance, sideOf } from '@lending/domain';
import { marginfiAccountLayout } from '@lending/programs';
import {
  accountFilters,
  decodeMarginfiAccount,
  loadOracle,
  oracleAccountsOf,
  type P0Account,
  type PricedBank,
  toRiskBalances,
  toRiskBank,
  toRiskPriceOnceRefreshed,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { ACCOUNTS_PER_CALL } from '#node/node.ts';
import { listAccounts, type Market, type Place } from './market.ts';

/** An account as a scan sees it, with the market's prices of the scan's beginning. */
export interface Seen {
  readonly account: P0Account;
  readonly balances: readonly RiskBalance[];
  readonly market: Market;
}

/** A kind of account that something is to be tried on. */
export interface Wanted {
  readonly id: string;
  looksFor(seen: Seen): boolean;
}

/** What a scan of the group's accounts found; kept in the state of a run, so that it goes on where it was. */
export interface Scan {
  /** Accounts of the group. */
  total: number;
  /** Looked at so far: all whose address does not come after `scannedTo`. */
  seen: number;
  scannedTo: string | null;
  /** Balances with bytes where a premium stands that are no debt in a bank with premiums, and the first such account. */
  residuals: number;
  residualExample: string | null;
  unreadable: number;
  /** Addresses by what is looked for. */
  readonly wanted: Record<string, string[]>;
  /** Accounts and their owners by what they hold: venues, e-mode, premiums. */
  readonly shapes: Record<string, { account: string; authority: string }[]>;
}

export const newScan = (): Scan => ({
  total: 0,
  seen: 0,
  scannedTo: null,
  residuals: 0,
  residualExample: null,
  unreadable: 0,
  wanted: {},
  shapes: {},
});

/** Enough to try one after the other. */
const MOST_OF_EACH = 12;
const MOST_OF_A_SHAPE = 200;

/** Addresses of all accounts of the group, in their order. */
export async function listGroupAccounts({ node, program, group }: Place): Promise<readonly Address[]> {
  const listed = await listAccounts(node, program, accountFilters(group), { offset: 0, length: 0 });
  return listed.map(({ address }) => address).toSorted();
}

/**
 * Looks at all accounts of the group that were not looked at before, and notes those that something can be tried on.
 * @param step is called after each call to the node.
 */
export async function scanAccounts(
  { chain, program }: Place,
  market: Market,
  scan: Scan,
  addresses: readonly Address[],
  wanted: readonly Wanted[],
  step: () => Promise<void>,
): Promise<void> {
  const prices = pricesOf(market);
  const { scannedTo } = scan;
  const left = scannedTo === null ? addresses : addresses.filter((address) => address > scannedTo);
  scan.total = addresses.length;
  scan.seen = addresses.length - left.length;
  for (let start = 0; start < left.length; start += ACCOUNTS_PER_CALL) {
    const page = left.slice(start, start + ACCOUNTS_PER_CALL);
    const [batch] = await chain.fetchAccounts(page);
    for (const bytes of batch?.accounts ?? []) {
      if (bytes === null) continue;
      try {
        look(market, scan, wanted, prices, bytes.data, decodeMarginfiAccount(bytes, program));
      } catch {
        scan.unreadable += 1;
      }
    }
    scan.seen += page.length;
    scan.scannedTo = page.at(-1) ?? null;
    await step();
  }
}

/** Banks with the prices that their oracles show, venues taken for refreshed. */
function pricesOf({ banks, read, moment, version, group }: Market): ReadonlyMap<Address, PricedBank> {
  return new Map(
    [...banks.values()].map((bank) => {
      const accounts = oracleAccountsOf(bank, { version }).map((address) => read(address) ?? null);
      const price = toRiskPriceOnceRefreshed(bank, loadOracle(bank, accounts, moment, { version }));
      return [bank.address, { bank: toRiskBank(bank, group, null), price }];
    }),
  );
}

function look(
  market: Market,
  scan: Scan,
  wanted: readonly Wanted[],
  prices: ReadonlyMap<Address, PricedBank>,
  data: Uint8Array,
  account: P0Account,
): void {
  noteResiduals(market, scan, data, account);
  if (account.balances.length === 0 || account.flags.isDisabled) return;
  const balances = toRiskBalances(account, prices, market.moment.unixTimestamp);
  const seen = { account, balances, market };
  for (const { id, looksFor } of wanted) {
    scan.wanted[id] ??= [];
    if (scan.wanted[id].length < MOST_OF_EACH && looksFor(seen)) scan.wanted[id].push(account.address);
  }
  const shape = shapeOf(seen);
  scan.shapes[shape] ??= [];
  const { address, authority } = account;
  if (scan.shapes[shape].length < MOST_OF_A_SHAPE) scan.shapes[shape].push({ account: address, authority });
}

/** What stands where a premium would, of balances that bear none: slots that are not in use count, too. */
function noteResiduals({ banks }: Market, scan: Scan, data: Uint8Array, { address }: P0Account): void {
  for (const balance of marginfiAccountLayout.decode(data).lendingAccount.balances) {
    const bears = balance.active !== 0 && balance.liabilityShares > 0n && banks.get(balance.bankPk)?.premium.isActive;
    if (balance.premiumOutstanding === 0n || bears) continue;
    scan.residuals += 1;
    scan.residualExample ??= address;
  }
}

/** What an account holds, in words: by these accounts are chosen, so that each case is met. */
function shapeOf({ account, balances, market }: Seen): string {
  const venues = [...new Set(account.balances.flatMap(({ bank }) => market.banks.get(bank)?.venue ?? []))].toSorted();
  const debts = balances.filter((balance) => sideOf(balance) === 'liability');
  const emode = emodeOf(balances);
  const isRaised = balances.some(
    (balance) =>
      sideOf(balance) === 'asset' &&
      assetWeightOf(balance.bank, 'maintenance', emode) > balance.bank.weights.assetMaint,
  );
  return [
    venues.length > 1 ? `venues ${venues.join('+')}` : `venue ${venues[0]}`,
    debts.length === 0 ? 'no debt' : debts.length === 1 ? 'one debt' : 'debts',
    isRaised ? 'e-mode' : 'no e-mode',
    ...(debts.some(({ bank }) => bank.premium.isActive) ? ['premium'] : []),
  ].join(', ');
}

/** So many accounts, of each shape as many as of the others where there are enough. */
export function sampleAccounts({ shapes }: Scan, most: number): readonly Address[] {
  const rows = Object.values(shapes);
  const longest = Math.max(0, ...rows.map((row) => row.length));
  const all = Array.from({ length: longest }, (_, nth) => rows.flatMap((row) => row.slice(nth, nth + 1))).flat();
  return all.slice(0, most).map(({ account }) => account as Address);
}

/** What makes builders take other ways: transactions that refresh several venues, and weights that e-mode raises. */
export const WALLET_CASES = ['one venue', 'one venue, e-mode', 'several venues', 'several venues, e-mode'] as const;
export type WalletCase = (typeof WALLET_CASES)[number];

/** Accounts and their owners by case, those that owe first. */
export function accountsByCase({ shapes }: Scan): ReadonlyMap<WalletCase, Scan['shapes'][string]> {
  const rows = Object.entries(shapes).toSorted(
    ([one], [other]) => Number(one.includes('no debt')) - Number(other.includes('no debt')),
  );
  const byCase = Map.groupBy(rows, ([shape]) => caseOf(shape.startsWith('venues '), shape.includes(', e-mode')));
  return new Map([...byCase].map(([its, found]) => [its, found.flatMap(([, accounts]) => accounts)]));
}

export function caseOf(hasSeveralVenues: boolean, hasEmode: boolean): WalletCase {
  const venues = hasSeveralVenues ? 'several venues' : 'one venue';
  return hasEmode ? `${venues}, e-mode` : venues;
}
