import { createRequire, registerHooks } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Packages that the venues' SDKs name and their rates do not use: order books, swaps, streams, stake pools, wallets' token lists. They are
 * 600 MB and are left out of the install (`overrides` in conformance/package.json puts an empty package in their place), one of them
 * because it is only to be had from a git server.
 */
const LEFT_OUT = [
  '@kamino-finance/farms-sdk',
  '@kamino-finance/kliquidity-sdk',
  '@kamino-finance/scope-sdk',
  '@solana-program/address-lookup-table',
  '@solana-program/compute-budget',
  '@solana-program/memo',
  '@solana/spl-stake-pool',
  '@switchboard-xyz/sbv2-lite',
];
const NOTHING = 'sdk:nothing';
/** Whatever is asked of it is nothing again. An SDK that computed with it would fail. */
const SOURCE = `
  const nothing = new Proxy(function () {}, { get: (_target, key) => (typeof key === 'string' ? nothing : undefined) });
  module.exports = nothing;
`;

/**
 * Loads a file of an official SDK with nothing in the place of the packages that are left out. It is handed a `require`, so that tools find
 * the package's name where it is used.
 */
export function loadSdk<T>(load: (require: NodeJS.Require) => T): T {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      isLeftOut(specifier) ? { url: NOTHING, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url === NOTHING ? { format: 'commonjs', source: SOURCE, shortCircuit: true } : next(url, context),
  });
  try {
    return load(require);
  } finally {
    hooks.deregister();
  }
}

function isLeftOut(specifier: string): boolean {
  return LEFT_OUT.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
