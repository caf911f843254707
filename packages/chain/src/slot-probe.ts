import type { ClusterGuard } from './cluster-guard.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointSlots } from './endpoint-slots.ts';
import type { SlotGuard } from './slot-guard.ts';

export interface SlotProbeOptions {
  readonly endpoints: readonly Endpoint[];
  readonly guard: ClusterGuard;
  readonly slotGuard: SlotGuard;
  readonly slots: EndpointSlots;
  /** Pause between two probes, in milliseconds. */
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/**
 * Asks all endpoints at once for their slot, so that those which are not asked for anything are known, too. It runs beside requests rather
 * than on a timer: who asks for nothing need not know who is ahead.
 */
export function createSlotProbe({
  endpoints,
  guard,
  slotGuard,
  slots,
  everyMs,
  timeoutMs,
}: SlotProbeOptions): () => void {
  let dueAtMs = Date.now() + everyMs;

  async function probe(endpoint: Endpoint): Promise<void> {
    if ((await guard.admit(endpoint, timeoutMs)) !== undefined) return;
    const payload = { id: 'probe', jsonrpc: '2.0', method: 'getSlot', params: [{ commitment: 'confirmed' }] };
    const attempt = await endpoint.attempt(payload, timeoutMs);
    if (attempt.kind !== 'answered') return;
    if ((await slotGuard.judge(endpoint, payload, attempt.response, timeoutMs)) !== undefined) return;
    const { result } = attempt.response as { readonly result: unknown };
    if (typeof result === 'number' || typeof result === 'bigint') slots.observe(endpoint, BigInt(result));
  }

  return () => {
    if (endpoints.length < 2 || Date.now() < dueAtMs) return;
    dueAtMs = Date.now() + everyMs;
    // An endpoint that does not answer is its breaker's to tell.
    for (const endpoint of endpoints) void probe(endpoint).catch(() => undefined);
  };
}
