import type { Bend } from './bent-node.ts';
import { type Fault, networkOf, type Seen } from './fault.ts';
import { RPC_TIMEOUT_MS } from './fault-world.ts';

/** Nothing is sampled: a gap. Answers go on with their age; nothing is built. */
const NODE_DOWN: Seen = {
  parts: { 'rate-poller': /^rate-poller: /, api: /^data: the newest rate sample is/ },
  lines: [{ service: 'rate-poller', begins: /chain\.endpoint\.fail/, ends: /chain\.endpoint\.resume/ }],
  reads: 'aging',
  deposits: 'refused',
  loops: 'refused',
};
/** It answers, and is not believed. */
const REFUSED: Seen = { ...NODE_DOWN, lines: [] };
/** What it says is not believed: nothing is sampled of it. */
const NOT_BELIEVED: Seen = { ...(NODE_DOWN.parts && { parts: NODE_DOWN.parts }), reads: 'aging' };
/** Accounts and activity are followed by the socket; rates and builds do not need it. */
const ALL_GO_ON: Seen = { reads: 'go on', deposits: 'go on', loops: 'go on' };
const NOT_FOLLOWED: Seen = { ...ALL_GO_ON, parts: { api: /^accounts: accounts were followed until/ } };

const CHAIN_TESTS = 'packages/chain/src/chain.test.ts';
const HTML = '<!doctype html><title>502</title><h1>Bad gateway</h1>';
/** Nothing that kit's types, or ours, say an answer is. */
const WRONG_TYPES: readonly unknown[] = ['soon', 7, [], { context: { slot: 'x' }, value: 5 }, { context: null }, null];
let turn = 0;
function nextWrongType(): unknown {
  turn += 1;
  return WRONG_TYPES[turn % WRONG_TYPES.length];
}

const AHEAD_SLOTS = 10_000;
const BACK_SLOTS = 1_000;

interface InContext {
  readonly context: { readonly slot: number };
  readonly value: unknown;
}

/** The result as if it were of another slot. */
function ofSlot(result: unknown, move: (slot: number) => number): unknown {
  if (typeof result === 'number') return result;
  const { context, ...rest } = (result ?? {}) as Partial<InContext>;
  if (context === undefined) return result;
  return { ...rest, context: { ...context, slot: move(context.slot) } };
}

function moved(slots: number): Bend {
  return {
    kind: 'result',
    of: (result, method) => (method === 'getSlot' ? Number(result) + slots : ofSlot(result, (slot) => slot + slots)),
  };
}

const EMPTY_LISTS: Bend = {
  kind: 'result',
  of: (result, method) => {
    if (method !== 'getProgramAccounts') return result;
    return Array.isArray(result) ? [] : { ...(result as InContext), value: [] };
  },
};

function bent(what: string, bend: Bend, seen: Seen, more: Pick<Fault, 'provenBy' | 'lastsMs'> = {}): Fault {
  return {
    name: `RPC node ${what}`,
    strike: ({ node }) => node.bend(bend),
    heal: ({ node }) => node.bend(null),
    seen,
    ...more,
  };
}

/** The lie that is believed for a while. */
export const OLD_ANSWERS = bent(
  'lies about slots: answers older than its slot says',
  {
    kind: 'repeated',
    of: (first, now) => ofSlot(first, (slot) => (now as Partial<InContext> | null)?.context?.slot ?? slot),
  },
  { reads: 'aging', refusals: ['SIMULATION_FAILED'] },
);

const overHttp = networkOf('RPC node over HTTP', ({ rpc }) => [rpc]);
const pubsub = networkOf('PubSub', (links) => [links.pubsub]);

export const NODE_FAULTS: readonly Fault[] = [
  bent(
    'answers wrong: malformed JSON',
    { kind: 'body', type: 'application/json', text: '{"jsonrpc":"2.0","result":' },
    NODE_DOWN,
    { provenBy: CHAIN_TESTS },
  ),
  bent('answers wrong: an HTML page', { kind: 'body', type: 'text/html', text: HTML }, NODE_DOWN),
  bent('answers wrong: HTTP 502', { kind: 'status', status: 502 }, NODE_DOWN, { provenBy: CHAIN_TESTS }),
  bent('answers wrong: bodies cut short', { kind: 'truncated' }, NODE_DOWN, {
    provenBy: 'packages/chain/src/http-transport.test.ts',
  }),
  bent('answers wrong: wrong types', { kind: 'result', of: nextWrongType }, REFUSED),
  bent(
    'answers wrong: the error -32005',
    { kind: 'error', code: -32005, message: 'Node is behind by 90 slots', data: { numSlotsBehind: 90 } },
    NODE_DOWN,
  ),
  bent(
    'answers wrong: the error -32016',
    { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: 1 } },
    REFUSED,
    { provenBy: CHAIN_TESTS },
  ),
  bent(
    'answers wrong: 429 with Retry-After',
    { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    REFUSED,
  ),
  bent('answers wrong: later than RPC_TIMEOUT_MS', { kind: 'slow', delayMs: 2 * RPC_TIMEOUT_MS }, NODE_DOWN),

  bent('lies about slots: far ahead', moved(AHEAD_SLOTS), NOT_BELIEVED),
  bent('lies about slots: goes backwards', moved(-BACK_SLOTS), NOT_BELIEVED),
  bent(
    'lies about slots: stuck',
    { kind: 'repeated', of: (first) => first },
    { reads: 'aging', refusals: ['SIMULATION_FAILED'] },
  ),
  OLD_ANSWERS,
  {
    name: 'RPC node serves another chain in the middle',
    strike: ({ node, stranger }) => node.bend({ kind: 'other', node: stranger }),
    heal: ({ node }) => node.bend(null),
    seen: { reads: 'aging', deposits: 'refused' },
  },
  bent(
    'lists nothing: getProgramAccounts is empty',
    EMPTY_LISTS,
    { reads: 'go on', deposits: 'go on' },
    { lastsMs: 7_000 },
  ),

  {
    name: 'RPC node: killed and restarted',
    strike: ({ links }) => [links.rpc, links.pubsub].forEach((link) => void link.cut()),
    heal: ({ links }) => [links.rpc, links.pubsub].forEach((link) => void link.heal()),
    seen: { ...NODE_DOWN, parts: { ...NODE_DOWN.parts, api: /^accounts: accounts were followed until/ } },
  },
  overHttp.cut(NODE_DOWN, 'RPC node: killed and restarted'),
  overHttp.paused(NODE_DOWN),
  overHttp.halfOpen(NODE_DOWN, 'RPC node over HTTP: paused'),
  overHttp.slowed(60, 2_000_000, { deposits: 'go on' }),

  pubsub.cut(NOT_FOLLOWED),
  pubsub.paused(NOT_FOLLOWED, 'PubSub: answers are lost (half-open)'),
  pubsub.halfOpen(NOT_FOLLOWED),
  pubsub.slowed(20, 1_000_000, ALL_GO_ON),
];
