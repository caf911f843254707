import { beforeAll, expect, it } from 'vitest';
import { useOpened } from '../cluster/opened.ts';
import { serve } from '../cluster/serve.ts';
import { auditAccessibility, describeInBrowser } from './use-browser.ts';

const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; img-src *; connect-src *; style-src 'unsafe-inline'";
const FINE = page('<h1>Fine</h1><p>Nothing goes wrong here.</p>');
const PAGES: Readonly<Record<string, string>> = {
  '/fine': FINE,
  '/console': page('<h1>x</h1><script>console.warn("careful")</script>'),
  '/throws': page('<h1>x</h1><script>setTimeout(() => { throw new Error("broken") })</script>'),
  '/elsewhere': page('<h1>x</h1><img alt="far" src="http://elsewhere.example/x.png">'),
  '/missing': page('<h1>x</h1><img alt="gone" src="/gone.png">'),
  '/pale': page('<h1>x</h1><p style="color:#ddd;background:#fff">too pale to read</p><button></button>'),
};

describeInBrowser('a browser of a test', (browser) => {
  const opened = useOpened();
  let base: string;

  beforeAll(async () => {
    const served = await serve((request, response) => {
      const body = PAGES[request.url ?? ''];
      response.writeHead(body === undefined && request.url !== '/favicon.ico' ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
      });
      response.end(body);
    });
    base = opened.keep(served).url;
  });

  const visit = (path: string, expected: readonly RegExp[] = []) =>
    browser.visit(`${base}${path}`, async (found) => found.waitForTimeout(300), { expected });

  it('hands over a page that does nothing wrong', async () => {
    const seen = await browser.visit(`${base}/fine`, async (found, watch) => ({
      heading: await found.getByRole('heading').textContent(),
      documents: watch.documents(),
      requests: watch.requestsTo('/fine'),
      violations: await auditAccessibility(found),
    }));
    expect(seen).toEqual({ heading: 'Fine', documents: 1, requests: ['/fine'], violations: [] });
  });

  it.each([
    ['/console', /console warning: careful/],
    ['/throws', /page error: .*broken/],
    ['/elsewhere', /request to another host: GET http:\/\/elsewhere\.example/],
    ['/missing', /answered 404: .*gone\.png/],
  ])('fails on what goes wrong at %s', async (path, reason) => {
    await expect(visit(path)).rejects.toThrow(reason);
  });

  it('forgives what a test brings about itself, and nothing else', async () => {
    await expect(visit('/missing', [/gone\.png/])).resolves.toBeUndefined();
    await expect(visit('/throws', [/gone\.png/])).rejects.toThrow(/broken/);
  });

  it('names what a reader cannot see or call', async () => {
    const violations = await browser.visit(`${base}/pale`, (found) => auditAccessibility(found));
    expect(violations.map((violation) => violation.split(':')[0]).sort()).toEqual([
      'critical button-name',
      'serious color-contrast',
    ]);
  });
});

function page(body: string): string {
  return `<!doctype html><html lang="en"><head><title>A page</title></head><body><main>${body}</main></body></html>`;
}
