import type { Slot } from '@solana/kit';
import type { ChainHooks } from './chain-options.ts';
import { CLOCK_ADDRESS } from './clock-account.ts';
import type { Endpoint, RpcPayload } from './endpoint.ts';
import { momentOf } from './highest-slot.ts';

/** Keeps what an endpoint says of slots to what can be. */
export interface SlotGuard {
  /** Why an endpoint is not believed now; undefined when it is. One that was not is asked again, at most every second. */
  admit(endpoint: Endpoint, timeoutMs: number): Promise<string | undefined>;
  /** Why an answer is not believed; undefined when it is. */
  judge(endpoint: Endpoint, payload: RpcPayload, response: unknown, timeoutMs: number): Promise<string | undefined>;
}

interface Sight {
  slot: Slot;
  /** Asked in the background after the first answer, and again until it came; null until then. */
  genesisHash: string | null;
  askedHashMs: number;
  doubt: string | undefined;
  checkedMs: number;
  checking: Promise<string | undefined> | undefined;
}

/** From one answer to the next a chain moves by less than this (some minutes), unless nobody asked for long. */
const LEAP_SLOTS = 1_000n;
/** The clock sysvar is of the slot that answers; nodes that answer from a cache may be some slots apart. */
const APART_SLOTS = 32n;
const RECHECK_MS = 1_000;
/** A node that is over its quota refuses the one question that comes beside all others. */
const ASK_HASH_AGAIN_MS = 10_000;

/**
 * An endpoint whose slots leap, forward or back, is asked for its genesis hash and its clock before anything of it is believed: it may be
 * another chain's by now, or tell slots that are not. An answer that holds the clock sysvar is held against it each time. What could not
 * be undone is what this is for: rows of a slot that never comes outlive all later ones.
 */
export function createSlotGuard(hooks: ChainHooks): SlotGuard {
  const sights = new Map<Endpoint, Sight>();

  function doubt(endpoint: Endpoint, sight: Sight, reason: string): string {
    if (sight.doubt === undefined) hooks.onEndpointState?.({ host: endpoint.host, state: 'open', reason });
    sight.doubt = reason;
    sight.checkedMs = performance.now();
    return reason;
  }

  function believe(endpoint: Endpoint, sight: Sight, slot: Slot): undefined {
    sight.slot = slot;
    if (sight.doubt === undefined) return;
    sight.doubt = undefined;
    hooks.onEndpointState?.({ host: endpoint.host, state: 'closed', reason: 'is believed again' });
  }

  async function look(endpoint: Endpoint, sight: Sight, timeoutMs: number): Promise<string | undefined> {
    const [genesisHash, clock] = await Promise.all([
      askGenesisHash(endpoint, timeoutMs),
      endpoint.attempt(ASK_CLOCK, timeoutMs),
    ]);
    if (clock.kind !== 'answered' || genesisHash === null)
      return doubt(endpoint, sight, sight.doubt ?? 'its slots leap, and it does not say why');
    if (sight.genesisHash !== null && genesisHash !== sight.genesisHash)
      return doubt(endpoint, sight, `serves another chain, of genesis hash ${genesisHash}`);
    const slot = momentOf(ASK_CLOCK, clock.response)?.slot ?? 0n;
    return clockDoubt(ASK_CLOCK, clock.response, slot) ?? believe(endpoint, sight, slot);
  }

  function check(endpoint: Endpoint, sight: Sight, timeoutMs: number): Promise<string | undefined> {
    sight.checking ??= look(endpoint, sight, timeoutMs)
      .then((reason) => (reason === undefined ? undefined : doubt(endpoint, sight, reason)))
      .finally(() => {
        sight.checking = undefined;
      });
    return sight.checking;
  }

  function meet(endpoint: Endpoint, slot: Slot, timeoutMs: number): Sight {
    const sight: Sight = {
      slot,
      genesisHash: null,
      askedHashMs: Number.NEGATIVE_INFINITY,
      doubt: undefined,
      checkedMs: 0,
      checking: undefined,
    };
    sights.set(endpoint, sight);
    learnHash(endpoint, sight, timeoutMs);
    return sight;
  }

  /** While its slots go on as they did it is the chain that it was. */
  function learnHash(endpoint: Endpoint, sight: Sight, timeoutMs: number): void {
    if (sight.genesisHash !== null || performance.now() - sight.askedHashMs < ASK_HASH_AGAIN_MS) return;
    sight.askedHashMs = performance.now();
    askGenesisHash(endpoint, timeoutMs)
      .then((hash) => {
        sight.genesisHash ??= hash;
      })
      .catch(() => undefined);
  }

  return {
    async admit(endpoint, timeoutMs) {
      const sight = sights.get(endpoint);
      if (sight?.doubt === undefined) return undefined;
      return performance.now() - sight.checkedMs < RECHECK_MS ? sight.doubt : check(endpoint, sight, timeoutMs);
    },
    async judge(endpoint, payload, response, timeoutMs) {
      const slot = slotOf(payload, response);
      if (slot === undefined) return sights.get(endpoint)?.doubt;
      const known = sights.get(endpoint);
      const reason = clockDoubt(payload, response, slot);
      if (known === undefined) {
        const met = meet(endpoint, slot, timeoutMs);
        return reason === undefined ? undefined : doubt(endpoint, met, reason);
      }
      if (reason !== undefined) return doubt(endpoint, known, reason);
      if (known.doubt !== undefined || distance(slot, known.slot) > LEAP_SLOTS)
        return check(endpoint, known, timeoutMs);
      learnHash(endpoint, known, timeoutMs);
      return believe(endpoint, known, slot);
    },
  };
}

const ASK_GENESIS_HASH: RpcPayload & { readonly id: string; readonly jsonrpc: string } = {
  id: 'slot-guard',
  jsonrpc: '2.0',
  method: 'getGenesisHash',
  params: [],
};
const ASK_CLOCK: RpcPayload & { readonly id: string; readonly jsonrpc: string } = {
  id: 'slot-guard',
  jsonrpc: '2.0',
  method: 'getMultipleAccounts',
  params: [[CLOCK_ADDRESS], { commitment: 'confirmed', encoding: 'base64' }],
};

async function askGenesisHash(endpoint: Endpoint, timeoutMs: number): Promise<string | null> {
  const attempt = await endpoint.attempt(ASK_GENESIS_HASH, timeoutMs);
  return attempt.kind === 'answered' ? String((attempt.response as { readonly result: unknown }).result) : null;
}

function slotOf(payload: RpcPayload, response: unknown): Slot | undefined {
  if (payload.method === 'getSlot') return BigInt((response as { readonly result: number | bigint }).result);
  return momentOf(payload, response)?.slot;
}

/** Why an answer's slot is not that of the clock in it; undefined where it is, or where it holds none. */
function clockDoubt({ method, params }: RpcPayload, response: unknown, slot: Slot): string | undefined {
  if (method !== 'getMultipleAccounts') return undefined;
  const [keys] = params as readonly [readonly unknown[]];
  const at = keys.indexOf(CLOCK_ADDRESS);
  if (at < 0) return undefined;
  const { result } = response as {
    readonly result: { readonly value: readonly ({ readonly data: unknown } | null)[] };
  };
  const data = result.value[at]?.data;
  const bytes = Buffer.from(Array.isArray(data) ? String(data[0]) : '', 'base64');
  // One that cannot be read is a failure of its own, where it is needed.
  if (bytes.length < 8) return undefined;
  const clockSlot = bytes.readBigUInt64LE(0);
  return distance(slot, clockSlot) > APART_SLOTS ? `says slot ${slot} with the clock of slot ${clockSlot}` : undefined;
}

function distance(one: Slot, other: Slot): Slot {
  return one > other ? one - other : other - one;
}
