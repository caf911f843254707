import type { Slot } from '@solana/kit';
import type { ChainHooks } from './chain-options.ts';
import type { Endpoint } from './endpoint.ts';

/** What is known of one RPC node. */
export interface EndpointDescription {
  /** Host and port only. */
  readonly host: string;
  /** Newest confirmed slot it has shown; null while it has shown none. */
  readonly slot: Slot | null;
  /** Whether others are asked first, because it is behind them. */
  readonly isLagging: boolean;
}

/** How far each endpoint has come, and in which order they are asked for that. */
export interface EndpointSlots {
  /** The endpoint showed that it has come to a confirmed slot. */
  observe(endpoint: Endpoint, slot: Slot): void;
  /** Those that keep up, as configured, then those that do not. */
  inOrder(): readonly Endpoint[];
  isLagging(endpoint: Endpoint): boolean;
  /** Takes over how long a slot lasts, microseconds. */
  setSlotTime(measuredMicros: bigint): void;
  describe(): readonly EndpointDescription[];
}

interface Sight {
  readonly slot: Slot;
  readonly atMs: number;
}

/** An endpoint that is further behind lags, microseconds. */
const LAG_MICROS = 4_000_000n;
/** One that is at most so far behind has caught up. Apart from the other, so that one on the edge does not change sides with every answer. */
const CAUGHT_UP_MICROS = 1_600_000n;
/** Microseconds a slot lasts while its length is not measured, and at the least: 20 slots behind is lagging on every chain. */
const SLOT_MICROS = { unmeasured: 400_000n, least: 200_000n };
/** What an endpoint showed longer ago says nothing of the others: it may have been another chain's life. */
const SIGHT_MS = 60_000;

/**
 * Compares endpoints by the slots of their own answers. Whoever is heard is compared with what the others have shown until then, which they
 * have since left behind: nobody is ever taken for further behind than he is.
 */
export function createEndpointSlots(
  endpoints: readonly Endpoint[],
  hooks: ChainHooks,
  nowMs: () => number = Date.now,
): EndpointSlots {
  const sights = new Map<Endpoint, Sight>();
  const lagging = new Set<Endpoint>();
  let slotMicros = SLOT_MICROS.unmeasured;

  function freshest(): Slot {
    const since = nowMs() - SIGHT_MS;
    return [...sights.values()].reduce((max, { slot, atMs }) => (atMs >= since && slot > max ? slot : max), 0n);
  }

  return {
    observe(endpoint, slot) {
      hooks.onEndpointSlot?.({ host: endpoint.host, slot });
      if (endpoints.length < 2) return;
      sights.set(endpoint, { slot, atMs: nowMs() });
      const slotsBehind = freshest() - slot;
      const isLagging = slotsBehind * slotMicros > (lagging.has(endpoint) ? CAUGHT_UP_MICROS : LAG_MICROS);
      if (isLagging === lagging.has(endpoint)) return;
      if (isLagging) lagging.add(endpoint);
      else lagging.delete(endpoint);
      hooks.onEndpointLag?.({ host: endpoint.host, isLagging, slotsBehind: Number(slotsBehind) });
    },
    inOrder: () =>
      lagging.size === 0
        ? endpoints
        : [...endpoints.filter((one) => !lagging.has(one)), ...endpoints.filter((one) => lagging.has(one))],
    isLagging: (endpoint) => lagging.has(endpoint),
    setSlotTime(measuredMicros) {
      slotMicros = measuredMicros > SLOT_MICROS.least ? measuredMicros : SLOT_MICROS.least;
    },
    describe: () =>
      endpoints.map((endpoint) => ({
        host: endpoint.host,
        slot: sights.get(endpoint)?.slot ?? null,
        isLagging: lagging.has(endpoint),
      })),
  };
}
