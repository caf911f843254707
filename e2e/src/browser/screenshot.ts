import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import type { Page } from 'playwright-core';

/** For people to look at; no test compares pictures. */
const FOLDER = join(ROOT, '.cache', 'screenshots');

/** Writes the page from top to bottom into `.cache/screenshots/<name>.png`; not in CI, where it takes seconds and is looked at by none. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.CI === 'true') return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage, animations: 'disabled' });
}
