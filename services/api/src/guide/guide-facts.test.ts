import { existsSync, globSync, readFileSync } from 'node:fs';
import { WIRE_CODES } from '@lending/errors';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { STEPS } from '#records/reply-fields.ts';
import { createTools } from '#tools/registry.ts';
import { readGuidePage } from '../testing/guide-page.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import { readGuide } from './read-guide.ts';

const guide = readGuide();
const root = new URL('../../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

const app = await createTestApp({ store: fakeStore([]) });
afterAll(() => app.close());

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { operationId: string; parameters?: readonly { name: string; in: string }[] }>>
    >
  >;
}
const describeRoutes = async () => (await app.inject('/v1/openapi.json')).json<Described>();

describe('docs/guide', () => {
  it('has pages that are read in one go: 3,500 tokens at most', () => {
    const lengths = guide.list().map(({ slug, markdown }) => [slug, countTokens(markdown)] as const);
    expect(lengths.filter(([, tokens]) => tokens > 3_500)).toEqual([]);
  });

  it('names only settings that there are', () => {
    const composed = ['', '.secrets', '.tls', '.proxy'].map((name) => read(`docker-compose${name}.yml`)).join();
    const settings = new Set([
      ...(read('.env.example').match(/(?<=^# )[A-Z][A-Z0-9_]+(?==)/gm) ?? []),
      ...(composed.match(/(?<=\$\{)[A-Z][A-Z0-9_]+/g) ?? []),
    ]);
    const named = guide.get('running')?.markdown.match(/`[A-Z][A-Z0-9]*(_[A-Z0-9]+)+`/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map((name) => name.slice(1, -1)).filter((name) => !settings.has(name))).toEqual([]);
  });

  it('tells figures of settings as they are unless they are set, as the README does', () => {
    const settings = new Map(
      [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=(\d+)$/gm)].map(([, name, figure]) => [name, figure]),
    );
    const told = guide
      .list()
      .flatMap(({ markdown }) => [
        ...[...markdown.matchAll(/`([A-Z][A-Z0-9_]+)` \(([\d,]+)\)/g)].map(([, name, figure]) => [name, figure]),
        ...[...markdown.matchAll(/\| ([\d,]+) \| `([A-Z][A-Z0-9_]+)` \|/g)].map(([, figure, name]) => [name, figure]),
      ]);
    expect(told.length).toBeGreaterThan(6);
    expect(told.map(([name, figure]) => [name, figure?.replaceAll(',', '')])).toEqual(
      told.map(([name]) => [name, settings.get(name)]),
    );
    const [mcp, v1, tx, leverage] = ['MCP', 'V1', 'TX', 'LEVERAGE'].map((scope) => settings.get(`RATE_LIMIT_${scope}`));
    expect(read('README.md')).toContain(
      `${mcp} requests of \`/mcp\` a minute, ${v1} of \`/v1\`, ${tx} of these to \`/v1/tx\`, and build ${leverage} loops or closes`,
    );
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    for (const { slug, markdown } of guide.list()) {
      for (const [, command = ''] of markdown.matchAll(/npm run ([\w:-]+)/g)) {
        expect(Object.keys(scripts), slug).toContain(command);
      }
    }
  });
});

describe('docs/guide/tools.md', () => {
  const page = readGuidePage('tools');

  it('names the arguments of the reading tools, and no other', async () => {
    const { paths } = await describeRoutes();
    const unused = new Proxy({}, { get: () => unused }) as never;
    const tools = createTools({ reads: unused, builders: unused, guide: unused });
    const reads = Object.values(paths).flatMap(({ get }) =>
      get !== undefined && /^svc_(get|search)_/.test(get.operationId) ? [get] : [],
    );
    expect(reads.length).toBeGreaterThan(7);
    for (const tool of Map.groupBy(reads, ({ operationId }) => operationId.replace(/_by_query$/, ''))) {
      const [name, operations] = tool;
      const taken = new Set(
        operations.flatMap(({ parameters = [] }) =>
          parameters.flatMap((each) => (/^(query|path)$/.test(each.in) ? [each.name] : [])),
        ),
      );
      const also = tools.find((each) => each.name === name)?.also?.input.shape ?? {};
      expect(new Set(page.namesUnder(name)), name).toEqual(new Set([...taken, ...Object.keys(also)]));
    }
  });
});

describe('docs/guide/tools.md, the list', () => {
  it('has the fifteen tools with their routes', async () => {
    const { paths } = await describeRoutes();
    const [table = ''] = guide.get('tools')?.markdown.match(/^\| tool [\s\S]*?\n\n/m) ?? [];
    const told = new Set(table.match(/svc_[a-z_]+/g));
    expect(told.size).toBe(15);
    for (const [path, methods] of Object.entries(paths)) {
      for (const { operationId } of Object.values(methods)) {
        if (!told.has(operationId)) continue;
        const [last = ''] = path.match(/\/[^/]+$/) ?? [];
        expect(table.split('\n').find((row) => row.includes(`\`${operationId}\``))).toMatch(
          new RegExp(`(${path}|\`${last})\``.replaceAll(/[{}]/g, '\\$&')),
        );
        told.delete(operationId);
      }
    }
    expect([...told]).toEqual([]);
  });
});

describe('docs/guide/rest.md', () => {
  it('names every path, and no other', async () => {
    const { paths } = await describeRoutes();
    const [table = ''] = guide.get('rest')?.markdown.match(/^\| path [\s\S]*?\n\n/m) ?? [];
    const named = table.matchAll(/`(?:[A-Z]+ )?(\/v1[^`]*)`/g);
    const whole = [...named].flatMap(([, path = '']) => spread(path));
    for (const path of Object.keys(paths)) {
      if (/^\/v1\/(conversations|health$)/.test(path)) continue;
      const isSuffix = /^\/v1\/reserves\/\{reserve\}\/(history|limits)$/.test(path);
      expect(isSuffix || whole.includes(path), path).toBe(true);
    }
    expect(whole.filter((path) => !Object.hasOwn(paths, path))).toEqual([]);
  });
});

/** `/v1/tx/{deposit,borrow}` is two paths, `/v1/banks/{bank}` one. */
function spread(path: string): readonly string[] {
  const [, before, words, after] = /^(.*)\{([^}]*,[^}]*)\}(.*)$/.exec(path) ?? [];
  return words === undefined ? [path] : words.split(',').map((word) => `${before}${word}${after}`);
}

describe('docs/guide/errors.md', () => {
  it('has every code with its status and whether to try again', () => {
    const rows = guide.get('errors')?.markdown.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (\S+)/gm) ?? [];
    const told = [...rows].map(([, code, status, again]) => [code, Number(status), again]);
    const words = { never: 'no', backoff: 'yes', varies: 'as' };
    expect(told).toEqual(Object.entries(WIRE_CODES).map(([code, { status, retry }]) => [code, status, words[retry]]));
  });
});

describe('docs/guide/answers.md', () => {
  it('names every step that is no tool, and no other', () => {
    expect(readGuidePage('answers').namesUnder('`next_actions`')).toEqual(STEPS);
  });

  it('names every warning that an answer can carry, and no other', () => {
    const sources = globSync('services/api/src/**/*.ts', { cwd: root }).filter((path) => !path.includes('test'));
    expect(sources.every((path) => existsSync(new URL(path, root)))).toBe(true);
    const said = sources.flatMap((path) => [...read(path).matchAll(/\bcode: '([A-Z_]+)'/g)].map(([, code]) => code));
    expect(new Set(readGuidePage('answers').namesUnder('`warnings`'))).toEqual(new Set(said));
  });
});

/** Questions as agents and people put them, and the pages that answer them. */
const QUESTIONS: readonly (readonly [string, readonly string[]])[] = [
  ['what happens when i get liquidated', ['risk', 'concepts', 'positions']],
  ['liqudation price', ['positions', 'risk']],
  ['health factor', ['units', 'positions', 'concepts']],
  ['helth ratio', ['units', 'positions', 'concepts']],
  ['rate limit', ['rate-limits']],
  ['how many requests per minute', ['rate-limits']],
  ['429', ['rate-limits', 'errors']],
  ['BORROW_LIMIT_EXCEEDED', ['errors', 'leverage', 'building']],
  ['sign a bundle', ['signing']],
  ['blockhash expired', ['signing', 'building']],
  ['max leverage', ['strategies', 'leverage']],
  ['api key jupiter', ['leverage', 'running']],
  ['kamino cToken', ['venues', 'banks']],
  ['drift suspended', ['venues', 'risk']],
  ['what is apy', ['units', 'venues']],
  ['idempotency_key', ['building', 'signing']],
  ['csv export of activity', ['activity', 'rest']],
  ['subscribe to rate changes', ['live', 'graphql']],
  ['grafana dashboard', ['monitoring', 'sql-views', 'running']],
  ['svc_close_position', ['leverage', 'tools']],
  ['etag', ['rest']],
  ['how do I repay all my debt', ['building', 'leverage', 'risk']],
  ['stale oracle', ['positions', 'risk', 'answers', 'banks']],
  ['0.01 SOL reserve', ['wallet', 'building']],
];

describe('a search of the guide', () => {
  it.each(QUESTIONS)('answers "%s" among the first three', (question, pages) => {
    const found = guide.search(question, 3).map(({ slug }) => slug);
    expect(
      found.filter((slug) => pages.includes(slug)),
      found.join(),
    ).not.toEqual([]);
  });
});
