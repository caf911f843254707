import type { Commitment, Slot } from '@solana/kit';
import type { RpcPayload } from './endpoint.ts';

/** The newest slot seen, in an answer or a notification, per commitment: a later read need not accept an older view of the chain. */
export interface HighestSlot {
  observe(payload: RpcPayload, response: unknown): void;
  /** A slot told outside an answer: by a subscription. */
  observeSlot(commitment: Commitment, slot: Slot): void;
  /** Highest slot known to have this commitment; undefined before the first answer. */
  get(commitment: Commitment): Slot | undefined;
}

/** A finalized slot is confirmed too, and a confirmed one processed. */
const AT_LEAST: Readonly<Record<Commitment, readonly Commitment[]>> = {
  processed: ['processed', 'confirmed', 'finalized'],
  confirmed: ['confirmed', 'finalized'],
  finalized: ['finalized'],
};

export function createHighestSlot(): HighestSlot {
  const highest = new Map<Commitment, Slot>();
  function observeSlot(commitment: Commitment, slot: Slot): void {
    if (slot > (highest.get(commitment) ?? -1n)) highest.set(commitment, slot);
  }
  return {
    observe(payload, response) {
      const moment = momentOf(payload, response);
      if (moment !== undefined) observeSlot(moment.commitment, moment.slot);
    },
    observeSlot,
    get(commitment) {
      const slots = AT_LEAST[commitment].flatMap((one) => highest.get(one) ?? []);
      return slots.sort(ascending).at(-1);
    },
  };
}

function ascending(a: Slot, b: Slot): number {
  return a < b ? -1 : Number(a > b);
}

/** Which slot an answer is of, and how certain that slot was; undefined when it does not say. */
export function momentOf(
  { params }: RpcPayload,
  response: unknown,
): { readonly commitment: Commitment; readonly slot: Slot } | undefined {
  const slot = contextSlotOf(response);
  return slot === undefined ? undefined : { commitment: commitmentOf(params), slot };
}

function contextSlotOf(response: unknown): Slot | undefined {
  const slot = (response as { result?: { context?: { slot?: unknown } } } | null)?.result?.context?.slot;
  return typeof slot === 'bigint' || typeof slot === 'number' ? BigInt(slot) : undefined;
}

/** A node answers at `finalized` when a request names no commitment. */
function commitmentOf(params: unknown): Commitment {
  const config = Array.isArray(params) ? params.at(-1) : undefined;
  return (config as { commitment?: Commitment } | undefined)?.commitment ?? 'finalized';
}
