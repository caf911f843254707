import { parseArgs } from 'node:util';
import { isAddress } from '@solana/kit';

export const USAGE = `npm run smoke -- --rpc URL [--ws URL] [--api URL] [--wallet ADDRESS …] [--out FOLDER] [--patience SECONDS]
                                   [--calls NUMBER] [--record FOLDER] [--fresh]

Asks the chain how the lending program behaves there, and a service on it everything there is to ask; simulates every builder, sends
nothing, and says whether the service may be trusted on that chain.

  --rpc       the node, by HTTP
  --ws        its subscriptions; default: the same address
  --api       a service that runs already; default: one is started for this, with an empty database
  --wallet    wallets to build for; default: those that used the largest banks last
  --out       folder of the report; default: .data/smoke
  --patience  how long the service may take until it is ready, seconds; default: 180
  --calls     calls a second to the node, those of the service apart; default: 10
  --record    folder to write what was seen into, for tests: accounts, transactions, answers; no key and no URL
  --fresh     start over where an earlier run was interrupted, which is otherwise gone on with

Keys of aggregators and other settings are taken from the environment, as npm start does. Exit codes: 0 all was well, 1 something failed, 2 used wrongly.`;

export interface Arguments {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Null: a service of our own is started. */
  readonly apiUrl: string | null;
  readonly wallets: readonly string[];
  readonly out: string;
  readonly patienceMs: number;
  readonly callsPerSecond: number;
  /** Null: nothing is recorded. */
  readonly record: string | null;
  readonly isFresh: boolean;
}

/** @throws Error with one line that says what is wrong with the arguments. */
export function readArguments(args: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rpc: { type: 'string' },
      ws: { type: 'string' },
      api: { type: 'string' },
      wallet: { type: 'string', multiple: true, default: [] },
      out: { type: 'string', default: '.data/smoke' },
      patience: { type: 'string', default: '180' },
      calls: { type: 'string', default: '10' },
      record: { type: 'string' },
      fresh: { type: 'boolean', default: false },
    },
  });
  const { rpc, api, wallet, out, patience, calls } = values;
  if (rpc === undefined) throw new Error('--rpc is missing: the URL of a node');
  const rpcUrl = urlOf('--rpc', rpc, /^https?:/);
  const wrong = wallet.find((text) => !isAddress(text));
  if (wrong !== undefined) throw new Error(`--wallet ${wrong} is no address of Solana`);
  if (!/^[1-9]\d{0,4}$/.test(patience)) throw new Error(`--patience ${patience} is no number of seconds`);
  if (!/^[1-9]\d{0,3}$/.test(calls)) throw new Error(`--calls ${calls} is no number of calls a second`);
  return {
    rpcUrl,
    wsUrl: urlOf('--ws', values.ws ?? rpcUrl.replace(/^http/, 'ws'), /^wss?:/),
    apiUrl: api === undefined ? null : urlOf('--api', api, /^https?:/).replace(/\/+$/, ''),
    wallets: wallet,
    out,
    patienceMs: Number(patience) * 1_000,
    callsPerSecond: Number(calls),
    record: values.record ?? null,
    isFresh: values.fresh,
  };
}

/** What was given is not repeated: the path of a node's URL may be a key. */
function urlOf(name: string, text: string, scheme: RegExp): string {
  if (!URL.canParse(text) || !scheme.test(text)) throw new Error(`${name} is no URL of ${scheme.source.slice(1, -1)}`);
  return text;
}
