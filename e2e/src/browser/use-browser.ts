import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { findChromium } from './find-chromium.ts';
import { type PageWatch, watchPage } from './page-watch.ts';

export const DESKTOP = { width: 1440, height: 900 } as const;
export const PHONE = { width: 390, height: 844 } as const;
export const THEMES = ['light', 'dark'] as const;

interface VisitOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  /** What the system prefers. */
  readonly theme?: (typeof THEMES)[number];
  /** Runs in the page before its own scripts. */
  readonly before?: string;
  /** Troubles that the test brings about itself; any other fails it. */
  readonly expected?: readonly RegExp[];
  /** Prepares the page, before it goes anywhere: requests it should see answered otherwise. */
  readonly prepare?: (page: Page, context: BrowserContext) => Promise<void>;
}

export interface TestBrowser {
  /**
   * Opens an address in a fresh profile, hands over the page, and closes it again.
   * @throws when the page had a trouble that was not expected, whatever else went well.
   */
  visit<T>(url: string, look: (page: Page, watch: PageWatch) => Promise<T>, options?: VisitOptions): Promise<T>;
}

/** One browser for the tests of a file. Names of hosts do not resolve in it: what is not served from here cannot load. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = findChromium();
    if (executablePath === null) throw new Error('no Chromium here; ask findChromium first to skip by name instead');
    browser = await chromium.launch({
      executablePath,
      args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--force-color-profile=srgb'],
    });
  });
  afterAll(() => browser?.close());

  return {
    async visit(url, look, options = {}) {
      if (browser === undefined) throw new Error('the browser is started before the first test');
      const { viewport = DESKTOP, theme = 'light', before, expected = [], prepare } = options;
      const context = await browser.newContext({
        viewport,
        colorScheme: theme,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'UTC',
        hasTouch: viewport.width < 600,
      });
      try {
        if (before !== undefined) await context.addInitScript({ content: before });
        const page = await context.newPage();
        page.setDefaultTimeout(120_000);
        const watch = watchPage(page, new URL(url).origin);
        await prepare?.(page, context);
        await page.goto(url);
        const result = await look(page, watch);
        const troubles = watch.troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)));
        if (troubles.length > 0) throw new Error(`the page had trouble:\n${troubles.join('\n')}`);
        return result;
      } finally {
        // An answer that a test was still changing comes to nobody.
        for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
      }
    },
  };
}
