import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ROOT } from '@lending/testing';
import axe, { type AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

/** What to read behind the name of a suite that is skipped for want of a browser. */
const CHROMIUM_NEEDS = 'needs a Chromium: apt-get install chromium-headless-shell, or CHROMIUM_PATH=/path/to/chrome';

/** The first has no windows to draw, and takes half the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/**
 * Path of the system's Chromium or Chrome, null where there is none. CHROMIUM_PATH goes before what PATH has.
 * @throws when CHROMIUM_PATH names nothing that can be run: somebody meant it.
 */
function findChromium(): string | null {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which cannot be run; name a Chromium or unset it`);
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const installed = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, ...MAC_APPLICATIONS].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a page did that no reader sees: trouble it had, and documents it loaded. */
export interface PageWatch {
  /** Console messages above info, uncaught errors, failed or refused requests, requests to another host; one line each. */
  readonly troubles: readonly string[];
  /** Documents that were loaded into the page: more than one is a navigation or a reload. */
  documents(): number;
  /** Requests to the service below a path so far, for those who count what a page costs. */
  requestsTo(pathPrefix: string): readonly string[];
}

/** Begins to watch a page that has not gone anywhere yet. */
export function watchPage(page: Page, origin: string): PageWatch {
  const troubles: string[] = [];
  const urls: URL[] = [];
  let documents = 0;

  page.on('console', (message) => {
    if (!['error', 'warning', 'assert'].includes(message.type())) return;
    const { url, lineNumber } = message.location();
    troubles.push(`console ${message.type()}: ${message.text()} (${url}:${lineNumber})`);
  });
  page.on('pageerror', (error) => troubles.push(`page error: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    urls.push(url);
    if (url.origin !== origin) troubles.push(`request to another host: ${request.method()} ${url}`);
    if (request.resourceType() === 'document' && request.frame() === page.mainFrame()) documents += 1;
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // A request that the page itself gave up, on leaving or on asking anew, is no failure.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`request failed: ${request.method()} ${request.url()}: ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`answered ${response.status()}: ${response.url()}`);
  });

  return {
    troubles,
    documents: () => documents,
    requestsTo: (prefix) =>
      urls.filter((url) => url.pathname.startsWith(prefix)).map((url) => url.pathname + url.search),
  };
}

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

// In CI a missing browser is a failure: the suite runs and says what it needs.
const isSkipped = findChromium() === null && process.env.CI !== 'true';

/** A suite that opens pages; where there is no browser it is skipped, and its name says what it needs. */
export function describeInBrowser(name: string, tests: (browser: TestBrowser) => void): void {
  describe.skipIf(isSkipped)(isSkipped ? `${name} (${CHROMIUM_NEEDS})` : name, () => tests(useBrowser()));
}

/** One browser for the tests of a file. Names of hosts do not resolve in it: what is not served from here cannot load. */
function useBrowser(): TestBrowser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = findChromium();
    if (executablePath === null) throw new Error(CHROMIUM_NEEDS);
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

/** For people to look at; no test compares pictures. */
const FOLDER = join(ROOT, '.cache', 'screenshots');

/** Writes the page from top to bottom into `.cache/screenshots/<name>.png`; not in CI, where it takes seconds and is looked at by none. */
export async function takeScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.CI === 'true') return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage, animations: 'disabled' });
}

/**
 * Violations of WCAG 2.2 A and AA and of axe's best practices that keep somebody out: serious and critical ones, a line per element.
 * `rules` are all of axe's, or those few that what changed since the last audit can break.
 */
export async function auditAccessibility(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Evaluated, not added as a script: the page's own policy admits no foreign one.
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  if (results.passes.length === 0) throw new Error('nothing was audited: not one rule found anything to look at');
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${help} at ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
}
