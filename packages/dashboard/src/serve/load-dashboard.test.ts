import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chooseEncoding, encodeBody } from './encode-body.ts';
import { loadDashboard } from './load-dashboard.ts';
import { stripTypes } from './strip-types.ts';

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

/** A fresh process: Node warns of an experiment once in the life of one. */
async function runFresh(lines: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const module = JSON.stringify(new URL('./strip-types.ts', import.meta.url).href);
  const code = `import { stripTypes } from ${module};\n${lines}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
}

describe('stripTypes', () => {
  it('leaves the code where it stood, without its types', () => {
    expect(stripTypes('const one: number = 1;\nexport { one };')).toBe('const one         = 1;\nexport { one };');
  });

  it('refuses what is more than a type', () => {
    expect(() => stripTypes('enum Side { Lend }')).toThrow(/enum/);
  });

  it('warns of nothing', async () => {
    expect((await runFresh("stripTypes('let a: string;');")).stderr).toBe('');
  });

  it('leaves warnings as they were, also when it fails', async () => {
    const { stdout } = await runFresh(`
      const before = process.emitWarning;
      stripTypes('let a: string;');
      try { stripTypes('enum Side { Lend }'); } catch {}
      console.log(process.emitWarning === before);`);
    expect(stdout.trim()).toBe('true');
  });
});

describe('chooseEncoding', () => {
  it('takes the smallest that is taken', () => {
    expect(chooseEncoding('gzip, deflate, br, zstd')).toBe('br');
    expect(chooseEncoding('GZIP;q=0.5')).toBe('gzip');
  });

  it('compresses for nobody who did not ask for it, or refused it', () => {
    expect([undefined, '', '*', 'deflate', 'br;q=0, gzip; q=0.000'].map(chooseEncoding)).toEqual(
      Array.from({ length: 5 }, () => 'identity'),
    );
    expect(chooseEncoding('br;q=0, gzip')).toBe('gzip');
  });
});

describe('encodeBody', () => {
  it('says the same in every encoding', async () => {
    const text = 'rates – of banks\n'.repeat(100);
    const body = await encodeBody(text);
    const decoded = [body.identity, gunzipSync(body.gzip), brotliDecompressSync(body.br)].map(String);
    expect(decoded).toEqual([text, text, text]);
    expect(body.br.length).toBeLessThan(body.identity.length / 5);
  });
});

const BROWSER_FOLDER = join(import.meta.dirname, '../browser');

/** Ways by which a string becomes markup, a script or a style sheet. Trusted types refuse most of them in the browser, too late to notice. */
const MARKUP =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\(|new Function|javascript:/;

describe('what the pages are made of', () => {
  const files = globSync('**/*.ts', { cwd: BROWSER_FOLDER }).filter((path) => !path.endsWith('.test.ts'));

  it.each(files)('makes no markup of a string in %s', (path) => {
    const text = readFileSync(join(BROWSER_FOLDER, path), 'utf8');
    expect(text.split('\n').filter((line) => MARKUP.test(line))).toEqual([]);
  });

  it('loads nothing from elsewhere', () => {
    const texts = globSync('**/*.{ts,css,svg}', { cwd: BROWSER_FOLDER })
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => readFileSync(join(BROWSER_FOLDER, path), 'utf8').match(/https?:\/\/[^\s'"`)]+/g) ?? []);
    expect(texts.filter((url) => url !== 'http://www.w3.org/2000/svg')).toEqual([]);
  });
});
