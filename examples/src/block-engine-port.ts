/** What a block engine is asked. */
export interface BlockEnginePort {
  /**
   * Hands in one to five signed transactions; what comes back is a receipt, not a landing.
   * @throws Error with the engine's own words when it refuses them.
   */
  sendBundle(base64: readonly string[]): Promise<string>;
  /** `Invalid` (not known), `Pending`, `Failed` or `Landed`, as the engine sees it. */
  inflightStatus(id: string): Promise<string>;
}

/** A block engine over JSON-RPC: one of Jito's, or a node that takes bundles itself. */
export function connectBlockEngine(url: string): BlockEnginePort {
  return {
    sendBundle: (base64) => call<string>(url, 'sendBundle', [base64, { encoding: 'base64' }]),
    async inflightStatus(id) {
      type Statuses = { readonly value: readonly ({ readonly status: string } | null)[] } | null;
      const statuses = await call<Statuses>(url, 'getInflightBundleStatuses', [[id]]);
      return statuses?.value[0]?.status ?? 'Invalid';
    },
  };
}

async function call<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const answer = parse(text);
  if (answer?.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
  if (!response.ok || answer?.result === undefined)
    throw new Error(`${method}: the block engine answered ${response.status} ${text.slice(0, 200)}`);
  return answer.result as T;
}

function parse(text: string): { readonly result?: unknown; readonly error?: { readonly message: string } } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
