import { LendingError } from '@lending/errors';
import type { ChainHooks } from './chain-options.ts';
import type { Attempt, Endpoint } from './endpoint.ts';

/** Why an endpoint may not be used now: it serves another cluster, or it did not say which. */
export type Refusal =
  | { readonly kind: 'mismatch'; readonly error: LendingError }
  | Exclude<Attempt, { readonly kind: 'answered' }>;

export interface ClusterGuardOptions {
  /** Undefined: the first endpoint that answers decides. */
  readonly expected: string | undefined;
  readonly endpoints: number;
  readonly hooks: ChainHooks;
}

/**
 * Keeps endpoints of another cluster out. Each endpoint is asked for its genesis hash once, before its first real request; the first
 * answer, or the configured hash, is what the others must equal. A single endpoint without a configured hash is not asked.
 */
export class ClusterGuard {
  readonly #hooks: ChainHooks;
  readonly #isNeeded: boolean;
  readonly #asked = new Map<Endpoint, Promise<Refusal | undefined>>();
  #expected: string | undefined;

  constructor({ expected, endpoints, hooks }: ClusterGuardOptions) {
    this.#expected = expected;
    this.#hooks = hooks;
    this.#isNeeded = expected !== undefined || endpoints > 1;
  }

  /** Undefined when the endpoint may be used. The question is shared by all who wait for it and asked again if it failed. */
  async admit(endpoint: Endpoint, timeoutMs: number): Promise<Refusal | undefined> {
    if (!this.#isNeeded) return undefined;
    const asked = this.#asked.get(endpoint) ?? this.#ask(endpoint, timeoutMs);
    this.#asked.set(endpoint, asked);
    const refusal = await asked;
    if (refusal !== undefined && refusal.kind !== 'mismatch') this.#asked.delete(endpoint);
    return refusal;
  }

  async #ask(endpoint: Endpoint, timeoutMs: number): Promise<Refusal | undefined> {
    const payload = { id: 'genesis', jsonrpc: '2.0', method: 'getGenesisHash', params: [] };
    const attempt = await endpoint.attempt(payload, timeoutMs);
    if (attempt.kind !== 'answered') return attempt;
    const { result: hash } = attempt.response as { readonly result: string };
    this.#expected ??= hash;
    return hash === this.#expected ? undefined : this.#describeMismatch(endpoint.host, hash);
  }

  #describeMismatch(host: string, hash: string): Refusal {
    const message = `${host} serves the cluster with genesis hash ${hash}; expected is ${this.#expected}`;
    this.#hooks.onEndpointState?.({ host, state: 'mismatch', reason: message });
    return { kind: 'mismatch', error: new LendingError('CHAIN__CLUSTER_MISMATCH', { message, context: { host } }) };
  }
}
