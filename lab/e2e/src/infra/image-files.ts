/** What each image must hold and does not load before it serves, by path; a folder ends in `/` and has something in it. */
export const MUST_HOLD: Readonly<Record<string, readonly string[]>> = {
  api: [
    'services/api/src/jobs/token.ts',
    'node_modules/@graphql-yoga/render-graphiql/esm/graphiql.js',
    'packages/dashboard/src/browser/',
    'packages/transactions/src/simulate/in-process/simulation-worker.ts',
    'docs/guide/README.md',
  ],
  indexer: ['services/indexer/src/jobs/replay.ts', 'node_modules/@triton-one/yellowstone-grpc/'],
  'rate-poller': [],
  // Nothing starts it here.
  demo: [
    'package.json',
    'infra/docker/is-alive.mjs',
    'embedded/src/main.ts',
    'services/api/src/start-api.ts',
    'services/indexer/src/indexer.ts',
    'services/rate-poller/src/rate-poller.ts',
    'lab/localnet/src/',
    'packages/postgres/src/',
    'packages/store/src/',
    'packages/venues/src/',
    'node_modules/@solana/kit/',
    'node_modules/fastify/',
    'node_modules/pg/',
    'migrations/0001_banks_and_rates.sql',
    'docs/guide/README.md',
  ],
};

/** What no image may hold, and why not. */
export const MUST_NOT_HOLD: readonly { readonly what: string; readonly path: RegExp }[] = [
  { what: 'settings of somebody', path: /(^|\/)\.env/ },
  { what: 'data of somebody', path: /(^|\/)\.(data|cache|git)/ },
  { what: 'keys', path: /^(?!.*node_modules\/).*\.(pem|key|p12)$|^secrets\// },
  { what: 'tests', path: /^(?!.*node_modules\/).*(\.(test|test-d|bench)\.ts$|\/testing\/)/ },
  {
    what: 'what tests alone use',
    path: /^(lab\/(?!localnet\/)|examples|clients|scripts)/,
  },
  {
    what: 'tools of development',
    path: /^node_modules\/(@biomejs|typescript(-\d+)?|vitest|turbo|knip|fast-check|@modelcontextprotocol\/sdk|npm)\//,
  },
  {
    what: 'what another C library, another module system or a browser loads',
    path: /yellowstone-grpc-napi-.*-musl|render-graphiql\/cjs|\/@solana\/.*\.(browser|native)\.[cm]?js$/,
  },
  { what: 'tests of other people', path: /node_modules\/(@[^/]+\/)?[^/@]+\/(tests?|__tests__)\// },
  { what: 'types and maps of sources', path: /node_modules\/.*\.(map|md|d\.[cm]?ts)$/ },
  { what: 'how it is built and run', path: /^(docker-compose.*|\.dockerignore|infra\/(?!docker\/is-alive\.mjs).*)$/ },
  { what: 'pages that are not served', path: /^docs\/(?!guide\/)/ },
];

/** What is another service's: an image has one. */
export function isForeign(image: string, path: string): boolean {
  const [top, name = ''] = path.split('/');
  if (image === 'demo') return false;
  return top === 'embedded' || (top === 'services' && name !== image);
}
