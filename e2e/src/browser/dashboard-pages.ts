import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';

/** P0's bank of USDC in the demo market: it lends, and somebody owes it something. */
export const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';

/** Every page of the dashboard: where it is, of a borrower's account, and what says that it has drawn what it asked for. */
export const DASHBOARD_PAGES = [
  {
    name: 'banks',
    path: () => '/',
    ready: (page: Page) => page.getByRole('region', { name: 'Banks', exact: true }).waitFor(),
  },
  {
    name: 'bank',
    path: () => `/banks/${USDC_BANK}`,
    ready: (page: Page) => page.getByRole('slider', { name: /^Deposit and borrow APY/ }).waitFor(),
  },
  {
    name: 'strategies',
    path: () => '/strategies',
    ready: async (page: Page) => {
      // One is opened: what it is made of is part of the page.
      await page.locator('button.pair').first().press('Enter');
      await page.getByRole('heading', { name: /^Score \d/ }).waitFor();
    },
  },
  { name: 'accounts', path: () => '/accounts', ready: (page: Page) => page.getByRole('textbox').waitFor() },
  {
    name: 'account',
    path: (account: string) => `/accounts/${account}`,
    ready: async (page: Page) => {
      await page.getByRole('meter', { name: 'Health ratio' }).waitFor();
      await page.getByRole('region', { name: 'Health after a fall of the market' }).waitFor();
    },
  },
  {
    name: 'pipeline',
    path: () => '/pipeline',
    ready: (page: Page) => page.getByRole('region', { name: 'Venues and their newest samples' }).waitFor(),
  },
] as const;

/** The account of the demo market that holds the most balances, debt among them; and the one that did the most. */
export async function findAccounts(dataDir: string): Promise<{ readonly borrower: string; readonly busiest: string }> {
  const client = new pg.Client({ connectionString: await readFile(join(dataDir, 'database-url'), 'utf8') });
  await client.connect();
  try {
    const first = async (sql: string): Promise<string> => {
      const { rows } = await client.query<{ account: string }>(sql);
      const [found] = rows;
      if (found === undefined) throw new Error('nobody did anything yet');
      return found.account;
    };
    return {
      borrower: await first(`
        select account from v_balance
        group by 1 having bool_or(side = 'borrow')
        order by count(*) desc, 1 limit 1`),
      busiest: await first('select account from v_activity group by 1 order by count(*) desc, 1 limit 1'),
    };
  } finally {
    await client.end();
  }
}
