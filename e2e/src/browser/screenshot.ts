import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import type { Page } from 'playwright-core';

/** For people to look at; no test compares pictures. */
const FOLDER = join(ROOT, '.cache', 'screenshots');

/** Writes the page from top to bottom into `.cache/screenshots/<name>.png`, and says where. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path, fullPage, animations: 'disabled' });
  return path;
}
