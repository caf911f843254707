import type { Page, Route } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { DASHBOARD_PAGES, findAccounts } from '../src/browser/dashboard-pages.ts';
import { auditAccessibility, DESKTOP, describeInBrowser, PHONE, takeScreenshot } from '../src/browser/use-browser.ts';
import { useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { USDC_BANK } from '../src/genesis-folder.ts';
import { getJson } from '../src/http.ts';
import type { AccountsReply, BanksReply } from '../src/replies.ts';

/** Busy, so that something happens to an account while its page is looked at. */
const ENV = { POLL_P0_MS: '500', LOCALNET_TRANSACTIONS_PER_SECOND: '5', LOG_LEVEL: 'warn' };

/** What the browser itself logs of an answer that a test brought about. */
const FAILED_ANSWER = [/Failed to load resource/, /answered 503/];
const CUT = [
  ...FAILED_ANSWER,
  /ERR_CONNECTION_REFUSED/,
  /ERR_EMPTY_RESPONSE/,
  /ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /ERR_CONNECTION_RESET/,
];

const UNAVAILABLE = { error: 'The database does not answer.', code: 'UPSTREAM_UNAVAILABLE', retryable: true };
const QUIET_STREAM = { contentType: 'text/event-stream', body: 'retry: 600000\n\n' };
const NO_HISTORY = { interval: '1h', first_available: null, last_available: null, gap_count: 0 };

/** A page may ask for so much when it is opened; everything after comes over the stream. */
const MOST_REQUESTS = 4;

describeInBrowser('dashboard', (browser) => {
  let found: Awaited<ReturnType<typeof findAccounts>>;
  const demo = useDemo('dashboard', ENV, (started) =>
    eventually(async () => {
      const { banks } = await getJson<BanksReply>(`${started.url}/v1/banks?response_format=detailed`);
      if (banks.some(({ price_usd }) => price_usd === null)) throw new Error('not every price is known');
      const { strategies } = await getJson<{ strategies: readonly object[] }>(`${started.url}/v1/strategies`);
      if (strategies.length < 20) throw new Error('not every pair is ranked');
      await findAccounts(started);
    }),
  );
  // Again for each test: what an account holds changes while the tests run.
  beforeEach(async () => {
    found = await findAccounts(demo);
  });

  const url = (path: string) => `${demo.url}${path}`;

  it('[dashboard-banks] lists every bank, finds one by what is typed, and keeps the search in the address', async () => {
    const { banks } = await getJson<BanksReply>(url('/v1/banks?response_format=detailed'));
    await browser.visit(url('/'), async (page, watch) => {
      await rowsOf(page, 'Banks').first().waitFor();
      expect(await rowsOf(page, 'Banks').count()).toBe(banks.length);
      expect(watch.requestsTo('/v1').length).toBeLessThanOrEqual(MOST_REQUESTS);

      await page.getByRole('searchbox').fill('usdc');
      const matching = banks.filter(({ symbol }) => symbol?.toLowerCase().includes('usdc'));
      await expect.poll(() => rowsOf(page, 'Banks').count()).toBe(matching.length);
      expect(page.url()).toContain('q=usdc');
      await page.reload();
      await expect.poll(() => rowsOf(page, 'Banks').count()).toBe(matching.length);

      await page.getByRole('searchbox').fill('no such bank');
      await page.getByText('No bank matches').waitFor();
      await page.getByRole('button', { name: 'Show all banks' }).click();
      await expect.poll(() => rowsOf(page, 'Banks').count()).toBe(banks.length);
    });
  });

  it('[dashboard-banks] sorts by a column from the keyboard alone', async () => {
    await browser.visit(url('/'), async (page) => {
      await rowsOf(page, 'Banks').first().waitFor();
      await tabTo(page, 'Deposit APY');
      await page.keyboard.press('Enter');
      const header = page.getByRole('columnheader', { name: /Deposit APY/ });
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
      await expectOrdered(page, 1, (a, b) => b - a);
      await page.keyboard.press('Space');
      await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
      await expectOrdered(page, 1, (a, b) => a - b);
    });
  });

  it('[dashboard-live] changes figures as the chain moves on, in the same document and without asking again', async () => {
    await browser.visit(url('/'), async (page, watch) => {
      await rowsOf(page, 'Banks').first().waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.evaluate('window.sameDocument = true');
      const figures = () => page.locator('.live-figure').allTextContents();
      const [before, asked] = [await figures(), watch.requestsTo('/v1').length];
      await expect.poll(figures).not.toEqual(before);
      expect(await page.evaluate('window.sameDocument')).toBe(true);
      expect(watch.documents()).toBe(1);
      expect(watch.requestsTo('/v1').length).toBe(asked);
    });
  });

  it('[dashboard-bank] is reached from the list and left again in the same document', async () => {
    await browser.visit(url('/'), async (page, watch) => {
      await page.locator(`a[href="/banks/${USDC_BANK}"]`).click();
      await page.getByRole('heading', { level: 1, name: /USDC/ }).waitFor();
      await page.goBack();
      await rowsOf(page, 'Banks').first().waitFor();
      expect(watch.documents()).toBe(1);
    });
  });

  it('[dashboard-bank] keeps the range in the address, and asks once for each', async () => {
    await browser.visit(url(`/banks/${USDC_BANK}`), async (page, watch) => {
      await chartOf(page, /^Deposit and borrow APY/).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      expect(watch.requestsTo('/v1').length).toBeLessThanOrEqual(MOST_REQUESTS);
      const asked = () => watch.requestsTo(`/v1/banks/${USDC_BANK}/history`);
      const before = watch.requestsTo('/v1').length;
      expect(asked().map(intervalOf)).toEqual(['1m']);
      for (const [range, interval] of [
        ['7d', '1h'],
        ['1y', '1d'],
      ] as const) {
        await page.getByRole('radio', { name: range, exact: true }).check();
        await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe(range);
        await expect.poll(() => asked().map(intervalOf).at(-1)).toBe(interval);
        await chartOf(page, /^Deposit and borrow APY/).waitFor();
      }
      expect(watch.requestsTo('/v1').length).toBe(before + 2);
      expect(watch.documents()).toBe(1);
      await page.reload();
      await chartOf(page, /^Deposit and borrow APY/).waitFor();
      expect(await page.getByRole('radio', { name: '1y', exact: true }).isChecked()).toBe(true);
    });
  });

  it('[dashboard-bank] follows the chain in its figures, which add up, and leads to strategies', async () => {
    await browser.visit(url(`/banks/${USDC_BANK}`), async (page, watch) => {
      await chartOf(page, /^Price/).waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
      const figures = () => page.locator('.tiles .live-figure').allTextContents();
      const [before, asked] = [await figures(), watch.requestsTo('/v1').length];
      await expect.poll(figures).not.toEqual(before);
      expect(watch.requestsTo('/v1').length).toBe(asked);

      const parts = await page.getByRole('region', { name: 'Parts of the rate' }).locator('tbody td').allTextContents();
      const [interest, cost, native, , rewards, rebate, earned, paid] = parts.map((text) =>
        Number(text.replace('%', '')),
      );
      expect(earned).toBeCloseTo((interest ?? 0) + (native ?? 0) + (rewards ?? 0), 1);
      expect(paid).toBeCloseTo((cost ?? 0) + (rebate ?? 0), 1);

      await page.getByRole('link', { name: 'borrow it' }).click();
      await page.locator('button.pair').first().waitFor();
      expect(new URL(page.url()).search).toBe('?borrow=USDC');
      expect(watch.documents()).toBe(1);
    });
  });

  it('[dashboard-bank] breaks lines where nothing is known, in the colours of the theme, and says the same in words', async () => {
    await browser.visit(
      url(`/banks/${USDC_BANK}?range=7d`),
      async (page) => {
        const chart = chartOf(page, /^Utilization/);
        await chart.waitFor();
        const figure = page.getByRole('figure', { name: 'Utilization', exact: true });
        await figure
          .getByText('Utilization: newest 60.00%, between 50.00% and 60.00%, unknown at 40 of 168 times.')
          .waitFor();
        const light = await drawnShare(page);
        expect(light.inGap).toBe(0);
        expect(light.outside).toBeGreaterThan(0.95);
        await page.emulateMedia({ colorScheme: 'dark' });
        await expect.poll(() => drawnShare(page)).toEqual(light);

        await chart.focus();
        await page.keyboard.press('Home');
        await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: Utilization 50\.00%$/);
        await page.keyboard.press('ArrowRight');
        await expect.poll(() => chart.getAttribute('aria-valuenow')).toBe('1');

        await figure.getByRole('button', { name: /^Table/ }).press('Enter');
        const rows = figure.getByRole('region', { name: 'Figures of Utilization' }).locator('tbody > tr');
        expect(await rows.count()).toBe(168);
        expect(await rows.getByText('unknown').count()).toBe(40);
      },
      { prepare: async (page) => void (await page.route('**/history?**', answerWithGap)) },
    );
  });

  it('[dashboard-bank] says that there is no bank, no sample yet, or no answer', async () => {
    const nowhere = 'So11111111111111111111111111111111111111112';
    await browser.visit(url(`/banks/${nowhere}`), (page) => page.getByText('There is no bank here').waitFor(), {
      expected: [/answered 404/, /Failed to load resource/],
    });
    const refuse = (route: Route) => route.fulfill({ status: 503, json: UNAVAILABLE });
    await browser.visit(
      url(`/banks/${USDC_BANK}`),
      async (page) => {
        await page.getByRole('alert').filter({ hasText: UNAVAILABLE.error }).waitFor();
        await page.getByText('What the rate is made of').waitFor();
        await page.unroute('**/history?**', refuse);
        await page.route('**/history?**', (route) => route.fulfill({ json: { ...NO_HISTORY, columns: { time: [] } } }));
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Nothing was sampled yet').waitFor();
      },
      { expected: FAILED_ANSWER, prepare: async (page) => void (await page.route('**/history?**', refuse)) },
    );
  });

  it('[dashboard-theme] follows the system, takes another by choice, and keeps it over a reload', async () => {
    await browser.visit(
      url('/'),
      async (page) => {
        const background = () =>
          page.evaluate('getComputedStyle(document.documentElement).backgroundColor') as Promise<string>;
        const dark = await background();
        await page.getByRole('combobox', { name: 'Theme' }).selectOption('light');
        await expect.poll(background).not.toBe(dark);
        const light = await background();
        await page.reload();
        await rowsOf(page, 'Banks').first().waitFor();
        expect(await background()).toBe(light);
        await page.getByRole('combobox', { name: 'Theme' }).selectOption('system');
        await expect.poll(background).toBe(dark);
      },
      { theme: 'dark' },
    );
  });

  it('[dashboard-strategies] ranks as the API does, filters by address, and takes a score apart', async () => {
    const { strategies } = await getJson<{ readonly strategies: readonly object[] }>(url('/v1/strategies?limit=25'));
    await browser.visit(url('/strategies'), async (page, watch) => {
      const pairs = page.locator('button.pair');
      await pairs.first().waitFor();
      expect(watch.requestsTo('/v1').length).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(await pairs.count()).toBe(strategies.length);

      await pairs.first().press('Enter');
      await page.getByRole('heading', { name: /^Score \d/ }).waitFor();
      const sum = await page.getByText(/^[\d.]+( \+ [\d.]+){4} − [\d.]+ = [\d.]+/).textContent();
      const [added = '', taken = '', score = ''] = sum?.split(/ [−=] /) ?? [];
      const total = added.split(' + ').reduce((most, points) => most + Number(points), 0);
      expect(total - Number.parseFloat(taken)).toBeCloseTo(Number.parseFloat(score), 0);

      await page.getByRole('combobox', { name: 'Order by' }).selectOption('net_apy_at_max_leverage_pct');
      await expect.poll(() => page.url()).toContain('order=net_apy_at_max_leverage_pct');
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('stable');
      await expect.poll(() => page.url()).toContain('kind=stable');
      await expect
        .poll(async () => new Set(await page.locator('.pair-badges .badge:first-child').allTextContents()))
        .toEqual(new Set(['Stable']));

      await page.getByRole('combobox', { name: 'Supply' }).fill('NOSUCH');
      await page.getByText('No strategy matches').waitFor();
      await page.getByRole('button', { name: 'Show all strategies' }).click();
      await pairs.first().waitFor();
      expect(watch.documents()).toBe(1);
    });
  });

  it('[dashboard-account] is asked for by an address that can be one, and shows what the API has of it', async () => {
    await browser.visit(url('/accounts'), async (page, watch) => {
      await page.getByRole('textbox').fill('not an address');
      await page.keyboard.press('Enter');
      await page
        .getByRole('alert')
        .filter({ hasText: /32 to 44/ })
        .waitFor();
      await page.getByRole('textbox').fill(found.borrower);
      await page.keyboard.press('Enter');
      await page.getByRole('meter', { name: 'Health ratio' }).waitFor();
      await eventually(async () => {
        const { accounts } = await getJson<AccountsReply>(url(`/v1/account/${found.borrower}`));
        for (const side of ['lend', 'borrow'] as const) {
          const wanted = accounts[0]?.positions.filter((position) => position.side === side) ?? [];
          expect(wanted.length).toBeGreaterThan(0);
          const table = page.getByRole('table', { name: side === 'lend' ? 'Supplied' : 'Owed', exact: true });
          const symbols = await table.getByRole('rowheader').locator('.symbol').allTextContents();
          expect(symbols.toSorted()).toEqual(wanted.map(({ symbol }) => symbol).toSorted());
        }
      });
      expect(watch.requestsTo('/v1').length).toBeLessThanOrEqual(MOST_REQUESTS);

      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Accounts' }).click();
      await page.getByRole('link', { name: found.borrower }).waitFor();
      await page.getByRole('button', { name: 'Forget them' }).click();
      await expect.poll(() => page.getByRole('link', { name: found.borrower }).count()).toBe(0);
      expect(watch.documents()).toBe(1);
    });
  });

  it('[dashboard-account] shows what is done to an account while it is looked at', async () => {
    await browser.visit(url(`/accounts/${found.busiest}`), async (page, watch) => {
      const newest = () => page.locator('.activity > li').first().locator('.activity-legs').textContent();
      const before = await newest();
      await expect.poll(newest).not.toBe(before);
      expect(watch.documents()).toBe(1);
    });
  });

  it('[dashboard-account] says that an address is still being read, and asks again when told to', async () => {
    let isRead = false;
    const unread = async (route: Route) => {
      if (isRead) return route.continue();
      const response = await route.fetch();
      const coverage = { complete: false, reason: 'it is not followed yet', banks_skipped: [] };
      return route.fulfill({ response, json: { ...(await response.json()), accounts: [], count: 0, coverage } });
    };
    await browser.visit(
      url(`/accounts/${found.borrower}`),
      async (page) => {
        await page.getByText(/being read from the chain for the first time: it is not followed yet/).waitFor();
        isRead = true;
        await page.getByRole('button', { name: 'Ask now' }).click();
        await page.getByRole('meter', { name: 'Health ratio' }).waitFor();
      },
      { prepare: async (page) => void (await page.route('**/v1/account/**', unread)) },
    );
  });

  it('[dashboard-account] says that nothing is at an address, once it was looked for', async () => {
    await browser.visit(url('/accounts/So11111111111111111111111111111111111111112'), async (page) => {
      await page.getByText('No lending account here').waitFor();
    });
    await browser.visit(url('/accounts/nonsense'), async (page, watch) => {
      await page.getByText('This is no address').waitFor();
      expect(watch.requestsTo('/v1')).toEqual([]);
    });
  });

  it('[dashboard-pipeline] shows every venue and part, and that this is the test chain', async () => {
    await browser.visit(url('/pipeline'), async (page, watch) => {
      await page
        .getByText(/built-in test chain/)
        .first()
        .waitFor();
      for (const venue of ['P0', 'Kamino', 'JupLend', 'Solend', 'Drift']) {
        await page.getByRole('rowheader', { name: venue, exact: true }).waitFor();
      }
      expect(watch.requestsTo('/v1').length).toBeLessThanOrEqual(MOST_REQUESTS);
    });
  });

  it('[dashboard-pipeline] says that nothing verified the service, with the command, and which banks disagree', async () => {
    const last_difference = {
      field: 'borrowing_rate',
      ours: '61000',
      theirs: '61432',
      bound: '0',
      account: null,
      slot: 7,
    };
    const figure = { figure: 'rates', compared: 2, differed: 1, largest_units: '432', last_units: '-432', slot: 9 };
    const bank = { bank: USDC_BANK, symbol: 'USDC', verified: false, overruled_until: '2027-01-31T12:00:00.000Z' };
    const audit = {
      compared: 2,
      differed: 1,
      unverified: 1,
      banks: [{ ...bank, figures: [{ ...figure, unverified_since: 1_234, last_difference }] }],
    };
    const spoil = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), verified_on_chain: null, audit } });
    };
    await browser.visit(
      url('/pipeline'),
      async (page) => {
        const panel = page.getByRole('region', { name: 'Against the program' });
        await panel.getByText('Not verified').waitFor();
        await panel.getByText('npm run smoke -- --rpc URL').waitFor();
        const row = rowsOf(page, 'Figures that disagree with the program').first();
        expect(await row.locator('th, td').allTextContents()).toEqual([
          'USDC',
          'rates',
          'borrowing_rate',
          '61000',
          '61432',
          '0',
          '1,234',
          expect.stringContaining('2027'),
        ]);
        await takeScreenshot(page, 'pipeline-unverified-desktop-light');
      },
      { prepare: async (page) => void (await page.route('**/v1/status', spoil)) },
    );
  });

  it('[dashboard-pipeline] asks again when told to, else no sooner than every 15 seconds', async () => {
    await browser.visit(
      url('/pipeline'),
      async (page, watch) => {
        await page.getByRole('rowheader', { name: 'P0', exact: true }).waitFor();
        const asked = () => watch.requestsTo('/v1/status').length;
        expect(asked()).toBe(1);
        await page.clock.runFor(15_000);
        expect(asked()).toBe(1);
        await page.clock.runFor(10_000);
        await expect.poll(asked).toBe(2);
        await page.getByRole('button', { name: 'Refresh' }).click();
        await expect.poll(asked).toBe(3);
      },
      { prepare: (page) => page.clock.install() },
    );
  });

  it('[dashboard-errors] says what failed in the service’s words, and tries again when told to', async () => {
    const refuse = (route: Route) => route.fulfill({ status: 503, json: UNAVAILABLE });
    await browser.visit(
      url('/'),
      async (page) => {
        await page.getByRole('alert').filter({ hasText: UNAVAILABLE.error }).waitFor();
        await takeScreenshot(page, 'error-desktop-light');
        await page.unroute('**/v1/banks?**', refuse);
        await page.getByRole('button', { name: 'Try again' }).click();
        await rowsOf(page, 'Banks').first().waitFor();
      },
      { expected: FAILED_ANSWER, prepare: async (page) => void (await page.route('**/v1/banks?**', refuse)) },
    );
  });

  it.each(DASHBOARD_PAGES.filter(({ name }) => name !== 'pipeline' && name !== 'accounts'))(
    '[dashboard-inert] shows what a hostile symbol says on the page of $name, and runs nothing of it',
    async ({ path, ready }) => {
      const hostile = '<img src=x onerror="document.title=\'ran\'">';
      const spoil = async (route: Route) => {
        const response = await route.fetch();
        const symbols = /"symbol":"[^"]+"/g;
        await route.fulfill({
          response,
          body: (await response.text()).replaceAll(symbols, () => `"symbol":${JSON.stringify(hostile)}`),
        });
      };
      await browser.visit(
        url(path(found.borrower)),
        async (page) => {
          await ready(page);
          await page.getByText(hostile).first().waitFor();
          expect(await page.locator('main img').count()).toBe(0);
          expect(await page.title()).not.toBe('ran');
        },
        {
          prepare: async (page) => {
            await page.route(/\/v1\/(?!stream)/, spoil);
            // The stream would soon tell the true symbols.
            await page.route('**/v1/stream?**', (route) => route.fulfill(QUIET_STREAM));
          },
        },
      );
    },
  );

  it.concurrent.each(DASHBOARD_PAGES)(
    '[dashboard-accessible] keeps nobody out of the page of $name, in either theme',
    async ({ name, path, ready }) => {
      await browser.visit(
        url(path(found.borrower)),
        async (page) => {
          await ready(page);
          expect(await auditAccessibility(page)).toEqual([]);
          await takeScreenshot(page, `${name}-desktop-light`);
          await page.emulateMedia({ colorScheme: 'dark' });
          // Nothing but colours changed.
          expect(await auditAccessibility(page, ['color-contrast'])).toEqual([]);
          await takeScreenshot(page, `${name}-desktop-dark`);
        },
        { theme: 'light', viewport: DESKTOP },
      );
    },
  );

  it.concurrent.each(DASHBOARD_PAGES)(
    '[dashboard-phone] fits the page of $name on a phone',
    async ({ name, path, ready }) => {
      await browser.visit(
        url(path(found.borrower)),
        async (page) => {
          await ready(page);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
          expect(await auditAccessibility(page)).toEqual([]);
          await takeScreenshot(page, `${name}-phone-dark`);
          await page.emulateMedia({ colorScheme: 'light' });
          await takeScreenshot(page, `${name}-phone-light`);
        },
        { theme: 'dark', viewport: PHONE },
      );
    },
  );

  it('[dashboard-errors] comes back by itself after the service was away', async () => {
    await browser.visit(
      url('/'),
      async (page, watch) => {
        await page.getByText('Live', { exact: true }).waitFor();
        // Open streams do not keep it from stopping.
        expect(await demo.app.stop()).toBe(0);
        await page.getByText('Reconnecting').waitFor();
        const { port } = new URL(demo.url);
        await demo.start({ ...ENV, API_PORT: port });
        await page.getByText('Live', { exact: true }).waitFor({ timeout: 120_000 });
        const before = await page.locator('.live-figure').allTextContents();
        await expect.poll(() => page.locator('.live-figure').allTextContents()).not.toEqual(before);
        expect(watch.documents()).toBe(1);
      },
      { expected: CUT },
    );
  });
});

function chartOf(page: Page, name: RegExp) {
  return page.getByRole('slider', { name });
}

function intervalOf(path: string): string | null {
  return new URLSearchParams(path.split('?')[1]).get('interval');
}

/** A week in which utilization rises from 50 % to 60 % and is not known for 40 hours, of 168. */
function answerWithGap(route: Route): Promise<void> {
  const startMs = Date.parse(new URL(route.request().url()).searchParams.get('start') ?? '');
  const hours = Array.from({ length: 168 }, (_, hour) => hour);
  const columns = {
    time: hours.map((hour) => new Date(startMs + hour * 3_600_000).toISOString()),
    utilization_pct: hours.map((hour) => (hour >= 60 && hour < 100 ? null : 50 + (10 * hour) / 167)),
  };
  return route.fulfill({ json: { ...NO_HISTORY, columns, gap_count: 40 } });
}

/** Of the picture of utilization, the share of columns that its line is drawn in: within the gap, and outside. */
function drawnShare(page: Page): Promise<{ readonly inGap: number; readonly outside: number }> {
  return page.evaluate(`(() => {
    const figure = document.querySelector('figure[aria-label="Utilization"]');
    const [red, green, blue] = getComputedStyle(figure.querySelector('.chart-key')).borderTopColor.match(/\\d+/g).map(Number);
    const canvas = figure.querySelector('canvas');
    const over = figure.querySelector('.u-over');
    const scale = canvas.width / canvas.clientWidth;
    const [left, width] = [over.offsetLeft * scale, over.offsetWidth * scale];
    // Read from a copy: a canvas that is read often is drawn without the graphics card, and the browser says so.
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(left, 0, width, canvas.height);
    const drawn = Array.from({ length: Math.floor(width) }, (_, x) => {
      for (let at = x * 4; at < data.length; at += width * 4) {
        if (Math.abs(data[at] - red) + Math.abs(data[at + 1] - green) + Math.abs(data[at + 2] - blue) < 6 && data[at + 3] > 200) return true;
      }
      return false;
    });
    const share = (from, to) => {
      const columns = drawn.filter((_, x) => from < x / width && x / width < to);
      return Math.round(100 * columns.filter(Boolean).length / columns.length) / 100;
    };
    return { inGap: share(60 / 167, 99 / 167), outside: Math.min(share(0.01, 58 / 167), share(101 / 167, 0.99)) };
  })()`) as Promise<{ readonly inGap: number; readonly outside: number }>;
}

function rowsOf(page: Page, table: string) {
  return page.getByRole('region', { name: table, exact: true }).locator('tbody > tr');
}

/** Presses Tab until the button of that name has the focus, as somebody without a mouse would. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if (((await page.evaluate('document.activeElement?.textContent ?? ""')) as string).startsWith(name)) return;
  }
  throw new Error(`${name} is not reached by Tab`);
}

/** Known figures of a column stand in order; what is not known stands below them. */
async function expectOrdered(page: Page, column: number, compare: (a: number, b: number) => number): Promise<void> {
  await expect
    .poll(async () => {
      const texts = await rowsOf(page, 'Banks')
        .locator(`:nth-child(${column + 1})`)
        .allTextContents();
      const figures = texts
        .filter((text) => /^[−\d.]+%$/.test(text))
        .map((text) => Number(text.replace('−', '-').replace('%', '')));
      return (
        figures.length > 5 &&
        figures.every((figure, index) => index === 0 || compare(figures[index - 1] ?? 0, figure) <= 0)
      );
    })
    .toBe(true);
}
