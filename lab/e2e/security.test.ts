import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What runs for others: neither tests nor the doubles that tests and the demo run on. */
const SOURCES = globSync('{services,packages}/*/src/**/*.ts', { cwd: ROOT })
  .concat(globSync('embedded/src/**/*.ts', { cwd: ROOT }))
  .filter((path) => !/\.(test|contract|bench)(-[\w-]+)?\.ts$|\.contract-|\/testing\/|\/fake-/.test(path))
  .filter((path) => !/^packages\/(localnet|fakes|testing)\//.test(path))
  .sort();

/** Code without what it says about itself. */
const codeOf = (path: string) =>
  read(path)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');

describe('docs/security.md', () => {
  const rows = read('docs/security.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| threat'))
    .map((line) => line.slice(2, -2).split(' | '));
  const proofs = rows.flatMap(([threat = '', , shown = '']) =>
    shown.split('<br>').map((proof) => {
      const [, path = proof, title = ''] = /^`([^`]+)` “(.+)”$/.exec(proof) ?? [];
      return [threat, path, title] as const;
    }),
  );

  it('says of every threat what stops it, and which test shows that', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell.trim() === ''))).toEqual([]);
  });

  it.each(proofs)('%s: %s has the test “%s”', (_threat, path, title) => {
    expect(existsSync(join(ROOT, path)), `there is no ${path}`).toBe(true);
    const titles = [
      ...read(path).matchAll(/\bit(?:\.\w+(?:<[\s\S]*?>)?\([\s\S]*?\))?\(\s*(['"`])([\s\S]*?[^\\])\1/g),
    ].map(([, quote = '', text = '']) => text.replaceAll(`\\${quote}`, quote));
    expect(titles).toContain(title);
  });

  it('names every suite that is about security', () => {
    const suites = [
      'lab/e2e/security.test.ts',
      'lab/e2e/scenarios/hostile-requests.test.ts',
      'lab/e2e/scenarios/leverage-hostile.test.ts',
      ...globSync('lab/e2e/scenarios/secrets*.test.ts', { cwd: ROOT }),
      'services/api/src/aggregator-keys.test.ts',
      ...globSync('services/api/src/{callers,limits,visitors}/add-*.test.ts', { cwd: ROOT }),
      'services/api/src/visitors/connections.test.ts',
      ...globSync('services/api/src/tls/*.test.ts', { cwd: ROOT }),
      'services/api/src/builds/build-places.test.ts',
      'services/api/src/rest/abandoned-builds.test.ts',
      'services/api/src/rest/body-limits.test.ts',
    ];
    const named = new Set<string>(proofs.map(([, path]) => path));
    expect(suites.filter((path) => !named.has(path))).toEqual([]);
  });
});

describe('the sources', () => {
  it('is no code in the services that makes or uses a private key', () => {
    const keys =
      /KeyPairSigner|[cC]reateKeyPair|generateKeyPair|signTransaction|signBytes|createSigner|privateKey\b(?!:)|secretKey|mnemonic|Keypair\b/;
    expect(SOURCES.filter((path) => keys.test(codeOf(path)))).toEqual([]);
  });

  it('writes nothing into a statement but its own words', () => {
    const raw = SOURCES.flatMap((path) =>
      [...codeOf(path).matchAll(/sql\.raw\(\s*([^)\n]*)/g)].map(([, text = '']) => `${text.trim()} in ${path}`),
    );
    // Names of constants, and lists that are written out.
    expect([...new Set(raw.filter((text) => !/^([A-Z_]+ |['"]| )/.test(text)))]).toEqual(OWN_WORDS);
    expect(SOURCES.filter((path) => /\.query(<[^(]*>)?\(\s*`[^`]*\$\{/.test(codeOf(path)))).toEqual(PASTES);
  });

  it('names no host but the defaults of settings', () => {
    const named = SOURCES.flatMap((path) =>
      [...codeOf(path).matchAll(/\b(?:https?|wss?):\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi)].map(
        ([, host]) => `${host} in ${path}`,
      ),
    );
    expect([...new Set(named)].sort()).toEqual(HOSTS);
  });

  it('opens connections in known places alone, and follows no redirect', () => {
    const opens =
      /import (?!type)[^;]* from '(node:(https?|tls|dgram|http2|dns)|undici|ky|ws|axios|@grpc\/[\w-]+)'|(await|return|=|=>) fetch\(|globalThis\.fetch|new (WebSocket|EventSource)\(|createHttpTransport\(|createDefaultRpc|createSolanaRpc|createWebSocketChannel\(/;
    const found = SOURCES.filter((path) => !path.includes('/browser/') && opens.test(codeOf(path)));
    expect(found).toEqual(Object.keys(CONNECTS));
    const ofStrangers = Object.entries(CONNECTS).filter(([, whom]) => whom === 'strangers');
    for (const [path] of ofStrangers)
      expect([path, codeOf(path)]).toEqual([path, expect.stringContaining("redirect: 'error'")]);
  });
});

/** Where a function of its own file is handed names of columns, from a statement beside it. */
const OWN_WORDS: readonly string[] = ['key in packages/store/src/plans.ts'];

/** Who writes names of channels and numbers, all of its own making, into statements that take no parameters. */
const PASTES: readonly string[] = [
  'packages/bus/src/embedded-log/membership.ts',
  'packages/bus/src/embedded-log/session.ts',
  'packages/postgres/src/start-postgres.ts',
  'packages/store/src/leader-lock.ts',
  'packages/store/src/listen-channel.ts',
];

/** Who answers at them is told in settings; one is a name and no host that is asked. */
const HOSTS: readonly string[] = [
  'api.jup.ag in packages/runtime/src/service-settings.ts',
  'api.jup.ag in packages/transactions/src/swaps/aggregator-settings.ts',
  'api.kamino.finance in services/rate-poller/src/config.ts',
  'api.save.finance in services/rate-poller/src/config.ts',
  'crossbar.switchboard.xyz in services/api/src/builds/create-builders.ts',
  'crossbar.switchboard.xyz in services/api/src/config.ts',
  'quote-api.dflow.net in packages/runtime/src/service-settings.ts',
  'quote-api.dflow.net in packages/transactions/src/swaps/aggregator-settings.ts',
  // Says what a scalar of the schema is.
  'scalars.graphql.org in services/api/src/graphql/schema/scalars.ts',
];

/** Who opens connections over HTTP, and to whom: those of strangers follow no redirect, others hand on what they were given. */
const CONNECTS: Readonly<Record<string, 'node' | 'strangers' | 'handed on' | 'serves'>> = {
  'packages/chain/src/chain.ts': 'node',
  'packages/chain/src/http-transport.ts': 'node',
  'packages/chain/src/pubsub-connection.ts': 'node',
  'packages/chain/src/wallet-connection.ts': 'node',
  'packages/runtime/src/probe-server.ts': 'serves',
  'packages/runtime/src/watched-fetch.ts': 'handed on',
  'packages/transactions/src/cranks/fetch-json.ts': 'strangers',
  'packages/transactions/src/cranks/switchboard-cranker.ts': 'handed on',
  'packages/transactions/src/swaps/aggregators/ask-aggregator.ts': 'strangers',
  'packages/transactions/src/swaps/create-swap-finder.ts': 'handed on',
  'packages/transactions/src/swaps/create-swap-quoter.ts': 'handed on',
  'services/api/src/tls/create-tls-server.ts': 'serves',
  'services/api/src/tls/read-certificate.ts': 'serves',
  'services/rate-poller/src/backfill/fetch-json.ts': 'strangers',
};
