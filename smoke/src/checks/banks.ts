import { bankFaults } from './bank-faults.ts';
import type { Check } from './check.ts';
import type { Bank } from './findings.ts';
import { type AsOf, freshnessFaults } from './freshness.ts';
import { readPages } from './read-pages.ts';

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
