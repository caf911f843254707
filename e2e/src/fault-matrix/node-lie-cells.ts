import type { FaultCell, Seen } from './fault-cell.ts';
import type { FaultWorld } from './fault-world.ts';

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

function moved(slots: number) {
  return (result: unknown, method: string): unknown =>
    method === 'getSlot' ? Number(result) + slots : ofSlot(result, (slot) => slot + slots);
}

const heal = ({ node }: FaultWorld): void => node.bend(null);
/** What it says is not believed: nothing is sampled of it. */
const NOT_BELIEVED: Seen = {
  parts: { 'rate-poller': /^rate-poller: /, api: /^data: the newest rate sample is/ },
  reads: 'aging',
};

/** The lie that is believed for a while. */
export const OLD_ANSWERS = 'RPC node lies about slots: answers older than its slot says';

export const NODE_LIE_CELLS: readonly FaultCell[] = [
  {
    name: 'RPC node lies about slots: far ahead',
    strike: ({ node }) => node.bend({ kind: 'result', of: moved(AHEAD_SLOTS) }),
    heal,
    seen: NOT_BELIEVED,
  },
  {
    name: 'RPC node lies about slots: goes backwards',
    strike: ({ node }) => node.bend({ kind: 'result', of: moved(-BACK_SLOTS) }),
    heal,
    seen: NOT_BELIEVED,
  },
  {
    name: 'RPC node lies about slots: stuck',
    strike: ({ node }) => node.bend({ kind: 'repeated', of: (first) => first }),
    heal,
    seen: { reads: 'aging', refusals: ['SIMULATION_FAILED'] },
  },
  {
    name: OLD_ANSWERS,
    strike: ({ node }) =>
      node.bend({
        kind: 'repeated',
        of: (first, now) => ofSlot(first, (slot) => (now as Partial<InContext> | null)?.context?.slot ?? slot),
      }),
    heal,
    seen: { reads: 'aging', refusals: ['SIMULATION_FAILED'] },
  },
  {
    name: 'RPC node serves another chain in the middle',
    strike: ({ node, stranger }) => node.bend({ kind: 'other', node: stranger }),
    heal,
    seen: { reads: 'aging', deposits: 'refused' },
  },
  {
    name: 'RPC node lists nothing: getProgramAccounts is empty',
    strike: ({ node }) =>
      node.bend({
        kind: 'result',
        of: (result, method) => {
          if (method !== 'getProgramAccounts') return result;
          return Array.isArray(result) ? [] : { ...(result as InContext), value: [] };
        },
      }),
    heal,
    lastsMs: 7_000,
    seen: { reads: 'go on', deposits: 'go on' },
  },
];
