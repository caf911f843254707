import type { Bend } from './bent-node.ts';
import type { FaultCell, Seen } from './fault-cell.ts';
import type { FaultWorld } from './fault-world.ts';
import { NODE_DOWN } from './node-cells.ts';
import { RPC_TIMEOUT_MS } from './struck-services.ts';

const HTML = '<!doctype html><title>502</title><h1>Bad gateway</h1>';
/** Nothing that kit's types, or ours, say an answer is. */
const WRONG_TYPES: readonly unknown[] = ['soon', 7, [], { context: { slot: 'x' }, value: 5 }, { context: null }, null];
let turn = 0;

const CHAIN_TESTS = 'packages/chain/src/chain.test.ts';

function cell(what: string, bend: Bend, seen: Seen, provenBy?: string): FaultCell {
  return {
    name: `RPC node answers wrong: ${what}`,
    ...(provenBy !== undefined && { provenBy }),
    strike: ({ node }: FaultWorld) => node.bend(bend),
    heal: ({ node }: FaultWorld) => node.bend(null),
    seen,
  };
}

/** It answers, and is not believed. */
const REFUSED: Seen = { ...NODE_DOWN, lines: [] };

export const NODE_ANSWER_CELLS: readonly FaultCell[] = [
  cell(
    'malformed JSON',
    { kind: 'body', type: 'application/json', text: '{"jsonrpc":"2.0","result":' },
    NODE_DOWN,
    CHAIN_TESTS,
  ),
  cell('an HTML page', { kind: 'body', type: 'text/html', text: HTML }, NODE_DOWN),
  cell('HTTP 502', { kind: 'status', status: 502 }, NODE_DOWN, CHAIN_TESTS),
  cell('bodies cut short', { kind: 'truncated' }, NODE_DOWN, 'packages/chain/src/http-transport.test.ts'),
  cell(
    'wrong types',
    {
      kind: 'result',
      of: () => {
        turn += 1;
        return WRONG_TYPES[turn % WRONG_TYPES.length];
      },
    },
    REFUSED,
  ),
  cell(
    'the error -32005',
    { kind: 'error', code: -32005, message: 'Node is behind by 90 slots', data: { numSlotsBehind: 90 } },
    NODE_DOWN,
  ),
  cell(
    'the error -32016',
    { kind: 'error', code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot: 1 } },
    REFUSED,
    CHAIN_TESTS,
  ),
  cell('429 with Retry-After', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }, REFUSED),
  cell(`later than RPC_TIMEOUT_MS`, { kind: 'slow', delayMs: 2 * RPC_TIMEOUT_MS }, NODE_DOWN),
];
