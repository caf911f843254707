import type { Service } from '#service/service.ts';
import type { Bank, Check, Strategy, Told } from './check.ts';
import { type AsOf, freshnessFaults } from './freshness.ts';

const VENUES = ['P0', 'Kamino', 'JupLend', 'Solend', 'Drift'];

/** All banks: of every venue, whole, fresh, with figures that can be. */
export const banks: Check = {
  name: 'banks of every venue, with rates and prices',
  async run({ service, node, findings }) {
    const { rows, pages } = await readPages<Bank>(service, 'svc_get_banks', 'banks', {
      limit: 100,
      sort: 'deposits_usd',
    });
    findings.banks = rows;
    const [page] = pages as { as_of: AsOf; coverage: { venues_missing: object[]; banks_skipped: object[] } }[];
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    const faults = rows.flatMap(bankFaults);
    if (page === undefined) return { faults: ['no page of banks was answered'] };
    faults.push(...freshnessFaults('the list of banks', page.as_of, slot));
    for (const { venue, reason } of page.coverage.venues_missing as { venue: string; reason: string }[])
      faults.push(`${venue} is missing: ${reason}`);
    for (const { bank, reason } of page.coverage.banks_skipped as { bank: string; reason: string }[])
      faults.push(`${bank} is left out: ${reason}`);
    const ofVenue = Object.fromEntries(VENUES.map((venue) => [venue, rows.filter((bank) => bank.venue === venue)]));
    for (const [venue, its] of Object.entries(ofVenue)) {
      if (its.length === 0) faults.push(`no bank of ${venue}`);
      else if (its.every(({ price_usd: price }) => price === null)) faults.push(`no bank of ${venue} has a price`);
      // Feeds that are pulled are as old as nobody needed them; those of a whole venue are not.
      else if (its.every(({ oracle }) => oracle.stale)) faults.push(`the oracles of all banks of ${venue} are stale`);
    }
    return {
      faults,
      figures: Object.fromEntries(Object.entries(ofVenue).map(([venue, its]) => [venue, wordsOf(its)])),
    };
  },
};

function wordsOf(banks: readonly Bank[]): string {
  const count = (has: (bank: Bank) => boolean) => banks.filter(has).length;
  return [
    `${banks.length} banks`,
    `${count(({ rates }) => rates.total_deposit_apy_pct != null)} with rates`,
    `${count(({ price_usd: price }) => price !== null)} with prices`,
    `${count(({ actions_allowed: actions }) => actions.includes('deposit'))} take deposits`,
    `${count(({ oracle }) => oracle.stale)} with a stale oracle`,
  ].join(', ');
}

/** Percent a year. Utilisation at the end of a curve has gone above 300 %; nothing pays a thousand for long. */
const MOST_APY_PCT = 1_000;
/** Interest that accrued since the last reading may put what is owed a little above what was lent. */
const MOST_UTILIZATION_PCT = 105;
const NEEDED_RATES = ['total_deposit_apy_pct', 'utilization_pct'] as const;

/** What cannot be of a bank, whatever it is. */
export function bankFaults(bank: Bank): readonly string[] {
  const faults: string[] = [];
  const name = `${bank.symbol ?? bank.address} on ${bank.venue}`;
  for (const [rate, value] of Object.entries(bank.rates)) {
    if (typeof value !== 'number' || !rate.endsWith('_apy_pct')) continue;
    if (value < -MOST_APY_PCT || value > MOST_APY_PCT) faults.push(`${name} has ${rate} ${value}`);
  }
  const { utilization_pct: utilization } = bank.rates;
  if (typeof utilization === 'number' && (utilization < 0 || utilization > MOST_UTILIZATION_PCT))
    faults.push(`${name} has utilization_pct ${utilization}`);
  if (bank.price_usd !== null && !(bank.price_usd > 0)) faults.push(`${name} has price_usd ${bank.price_usd}`);
  for (const [size, value] of Object.entries(bank.size))
    if (value !== null && value < 0) faults.push(`${name} has size.${size} ${value}`);
  // Whoever may deposit has to be told what for.
  if (!bank.actions_allowed.includes('deposit')) return faults;
  for (const rate of NEEDED_RATES)
    if (bank.rates[rate] == null) faults.push(`${name} takes deposits and has no ${rate}`);
  if (bank.price_usd === null) faults.push(`${name} takes deposits and has no price`);
  return faults;
}

const HOUR_MS = 3_600_000;
/** Rates of a minute ago and of now. */
const MOST_CHANGE_PCT = 25;

interface Point {
  readonly deposit_apy_pct: number | null;
  readonly gap: boolean;
}

/** The largest of each venue by itself, with its history and the changes of its limits. */
async function lookInto(
  service: Service,
  kind: 'bank' | 'reserve',
  of: readonly { readonly address: string; readonly venue: string }[],
): Promise<Told> {
  const venues = [...new Set(of.map(({ venue }) => venue))];
  const faults: string[] = [];
  const figures: Record<string, string> = {};
  for (const venue of venues) {
    const { address } = of.find((one) => one.venue === venue) as { address: string };
    const path = { [kind]: address };
    const found = await service.ask(`get_${kind}`, { path });
    if ((found[kind] ?? found).address !== address) faults.push(`${address} is answered with another ${kind}`);
    const start = new Date(Date.now() - HOUR_MS).toISOString();
    const history = await service.ask(`get_${kind}_history`, { path, query: { interval: '1m', start } });
    const points = (history.points as readonly Point[]).filter(({ gap }) => !gap);
    if (points.length === 0) faults.push(`${address} on ${venue} has no history of this hour`);
    const newest = points.at(-1)?.deposit_apy_pct;
    const now = (found[kind] ?? found).rates?.interest_deposit_apy_pct;
    if (newest != null && now != null && Math.abs(newest - now) > MOST_CHANGE_PCT)
      faults.push(`${address} on ${venue} earns ${now} %, and ${newest} % by its newest minute`);
    const limits = await service.ask(`get_${kind}_limits`, { path });
    figures[venue] =
      `${address}: ${points.length} minutes, ${limits.changes?.length ?? limits.limits?.length ?? 0} changes of limits`;
  }
  return { faults, figures };
}

export const eachBank: Check = {
  name: 'the largest bank of each venue, its history and limits',
  run: ({ service, findings }) => lookInto(service, 'bank', findings.banks),
};

export const reserves: Check = {
  name: 'reserves of every venue, the largest with history and limits',
  async run({ service, findings }) {
    const { rows } = await readPages<{ readonly address: string; readonly venue: string }>(
      service,
      'get_reserves',
      'reserves',
      { limit: 100, sort: 'deposits_usd' },
    );
    findings.reserves = rows;
    const missing = ['Kamino', 'JupLend', 'Solend', 'Drift'].filter(
      (venue) => !rows.some((reserve) => reserve.venue === venue),
    );
    const { faults, figures } = await lookInto(service, 'reserve', rows);
    return { faults: [...missing.map((venue) => `no reserve of ${venue}`), ...faults], figures: { ...figures } };
  },
};

/** Oracles of different makers, read at different moments. */
const MOST_APART = 0.05;

/** Banks of one token have oracles of their own: what each says of it is compared with the others. */
export const prices: Check = {
  name: 'prices of one token, by the oracles of all its banks',
  async run({ findings }) {
    const byMint = Map.groupBy(
      findings.banks.filter(({ price_usd: price, oracle }) => price !== null && !oracle.stale),
      ({ mint }) => mint,
    );
    const compared = [...byMint.values()].filter((its) => its.length > 1);
    const faults = compared.flatMap((its) => {
      const told = its.map(({ price_usd: price }) => price as number);
      const [least, most] = [Math.min(...told), Math.max(...told)];
      return most / least - 1 > MOST_APART ? [`${its[0]?.symbol ?? its[0]?.mint} is worth ${least} and ${most}`] : [];
    });
    return { faults, figures: { tokens: compared.length } };
  },
};

const MOST_LEVERAGE = 50;

export const strategies: Check = {
  name: 'strategies, of banks that are listed',
  async run({ service, node, findings }) {
    const reply = await service.ask('svc_get_strategies', { query: { limit: 100 } });
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    const rows = reply.strategies as readonly Strategy[];
    findings.strategies = rows;
    const known = new Set(findings.banks.map(({ address }) => address));
    const faults = [...freshnessFaults('the list of strategies', reply.as_of as AsOf, slot)];
    if (rows.length === 0) faults.push(`there are none: ${reply.empty_reason ?? 'nobody says why'}`);
    for (const { supply, borrow, max_leverage: most } of rows) {
      for (const { bank } of [supply, borrow]) if (!known.has(bank)) faults.push(`${bank} is in no list of banks`);
      if (!(most > 1 && most < MOST_LEVERAGE))
        faults.push(`${supply.bank} with ${borrow.bank} has max_leverage ${most}`);
    }
    return { faults, figures: { listed: rows.length, total: reply.total } };
  },
};

const MOST_PAGES = 50;

/** All pages of a list, one by one. */
async function readPages<T>(
  service: Service,
  operation: string,
  list: string,
  query: Readonly<Record<string, string | number>>,
): Promise<{ readonly rows: readonly T[]; readonly pages: readonly object[] }> {
  const rows: T[] = [];
  const pages: object[] = [];
  let cursor: string | null = null;
  do {
    const page: { readonly next_cursor: string | null; readonly [list: string]: unknown } = await service.ask(
      operation,
      { query: { ...query, ...(cursor !== null && { cursor }) } },
    );
    rows.push(...(page[list] as T[]));
    pages.push(page);
    cursor = page.next_cursor;
  } while (cursor !== null && pages.length < MOST_PAGES);
  return { rows, pages };
}
