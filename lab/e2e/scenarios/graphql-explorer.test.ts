import { expect, it } from 'vitest';
import { describeInBrowser, takeScreenshot } from '../src/browser/use-browser.ts';
import { useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import type { BanksReply } from '../src/replies.ts';

describeInBrowser('GraphQL explorer', (browser) => {
  const demo = useDemo('explorer', { LOG_LEVEL: 'warn' }, ({ url }) =>
    eventually(async () => {
      const { banks } = await getJson<BanksReply>(`${url}/v1/banks`);
      if (banks.length < 5) throw new Error('not every bank is known');
    }),
  );

  it('[graphql-explorer] shows the schema, takes a query and shows its answer, offline', async () => {
    await browser.visit(`${demo.url}/graphql`, async (page, watch) => {
      const answer = page.getByRole('region', { name: 'Result Window' });
      await page.getByRole('button', { name: /Execute query/ }).click();
      await expect.poll(() => answer.textContent()).toContain('USDC');
      await takeScreenshot(page, 'graphql-explorer', false);

      await page.getByRole('button', { name: /Show Documentation Explorer/ }).click();
      await page.getByText('Query', { exact: true }).first().click();
      await page.getByText('strategies', { exact: true }).first().waitFor();
      await takeScreenshot(page, 'graphql-explorer-schema', false);
      expect(watch.requestsTo('/').filter((path) => !path.startsWith('/graphql'))).toEqual([]);
    });
  });
});
