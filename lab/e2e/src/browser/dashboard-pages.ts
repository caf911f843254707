import type { Page } from 'playwright-core';
import type { Demo } from '../cluster/demo.ts';
import { USDC_BANK } from '../genesis-folder.ts';

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
export async function findAccounts(demo: Demo): Promise<{ readonly borrower: string; readonly busiest: string }> {
  const first = async (sql: string): Promise<string> => {
    const [found] = await demo.query<{ account: string }>(sql);
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
}
