import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { loadDashboard } from './load-dashboard.ts';

/** What a first visit may weigh, gzip, all files together. */
const MOST_BYTES = 150_000;

const ANYONE = { acceptEncoding: undefined, ifNoneMatch: undefined };

describe('loadDashboard', () => {
  it('serves the page so that a new version is seen at once', async () => {
    const dashboard = await loadDashboard();
    const { status, headers, body } = dashboard.answerPage({ acceptEncoding: 'br', ifNoneMatch: undefined });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    });
    const again = dashboard.answerPage({ acceptEncoding: 'gzip', ifNoneMatch: `"other", ${headers.etag}` });
    expect({ status: again.status, body: again.body, etag: again.headers.etag }).toEqual({
      status: 304,
      body: null,
      etag: headers.etag,
    });
    expect(body?.length).toBeGreaterThan(0);
  });

  it('serves for ever what stands under a name made of its content', async () => {
    const dashboard = await loadDashboard();
    for (const url of dashboard.assetUrls) {
      const reply = dashboard.answerAsset(url, ANYONE);
      expect(reply?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(url).toMatch(/^\/assets\/[\w-]+-[\w-]{12}[./]/);
    }
    expect(dashboard.answerAsset('/assets/app-none/main.ts', ANYONE)).toBeNull();
  });

  it('allows of what is inline exactly what the page holds, and of the rest our own files', async () => {
    const dashboard = await loadDashboard();
    const { headers, body } = dashboard.answerPage(ANYONE);
    const html = String(body);
    const inline = [...html.matchAll(/<script(?: type="importmap")?>(.+?)<\/script>/g)].map(([, text = '']) => text);
    const hashes = inline.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    const policy = headers['content-security-policy'] ?? '';
    expect(inline).toHaveLength(2);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'self' ${hashes.join(' ')};`);
    expect(policy).not.toContain('unsafe');
    expect(html).not.toMatch(/ style="| on\w+="|https?:/);
  });

  it('preloads every module, so that loading is one round trip deep', async () => {
    const dashboard = await loadDashboard();
    const html = String(dashboard.answerPage(ANYONE).body);
    const modules = dashboard.assetUrls.filter((url) => /\.(ts|js)$/.test(url));
    const preloaded = [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, url]) => url);
    expect(preloaded.toSorted()).toEqual(modules.toSorted());
    const imports = JSON.parse(/<script type="importmap">(.+?)<\/script>/.exec(html)?.[1] ?? '{}').imports;
    for (const url of modules) {
      for (const specifier of importsOf(String(dashboard.answerAsset(url, ANYONE)?.body))) {
        const target = imports[specifier] ?? new URL(specifier, `http://host${url}`).pathname;
        expect(modules, `${specifier} of ${url}`).toContain(target);
      }
    }
  });

  it('serves no test', async () => {
    expect((await loadDashboard()).assetUrls.filter((url) => url.includes('.test.'))).toEqual([]);
  });

  it('serves all that a first visit loads in 150 kB of gzip', async () => {
    const dashboard = await loadDashboard();
    const gzip = { acceptEncoding: 'gzip', ifNoneMatch: undefined };
    const replies = [dashboard.answerPage(gzip), ...dashboard.assetUrls.map((url) => dashboard.answerAsset(url, gzip))];
    const bytes = replies.map((reply) => reply?.body?.length ?? Number.NaN);
    const sum = bytes.reduce((all, size) => all + size, 0);
    console.info(`a first visit: ${(sum / 1000).toFixed(1)} kB gzip in ${replies.length} files`);
    expect(sum).toBeGreaterThan(10_000);
    expect(sum).toBeLessThanOrEqual(MOST_BYTES);
  });
});

/** What a module imports by name. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*?from\s*['"]([^'"]+)['"]/gm)].map(
    ([, specifier]) => specifier as string,
  );
}
