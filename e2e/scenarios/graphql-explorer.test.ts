import { rm } from 'node:fs/promises';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_NEEDS, findChromium } from '../src/browser/find-chromium.ts';
import { takeScreenshot } from '../src/browser/screenshot.ts';
import { useBrowser } from '../src/browser/use-browser.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';

// In CI a missing browser is a failure: the suite runs and says what it needs.
const isSkipped = findChromium() === null && process.env.CI !== 'true';

describe.skipIf(isSkipped)(isSkipped ? `GraphQL explorer (${CHROMIUM_NEEDS})` : 'GraphQL explorer', () => {
  const browser = useBrowser();
  let dataDir: string;
  let app: RunningProcess;

  beforeAll(async () => {
    dataDir = await createDataDir('explorer');
    app = await startEmbedded({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await eventually(async () => {
      const { banks } = await getJson<{ banks: readonly object[] }>(`${app.baseUrl}/v1/banks`);
      if (banks.length < 5) throw new Error('not every bank is known');
    });
  });

  afterAll(async () => {
    expect(await app?.stop()).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  });

  it('[graphql-explorer] shows the schema, takes a query and shows its answer, offline', async () => {
    await browser.visit(`${app.baseUrl}/graphql`, async (page, watch) => {
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
