/** A Solana node, asked with nothing of the service's own between: what it says is the second opinion. */
export interface Node {
  readonly host: string;
  /** @throws Error that says which node did not answer what, and never the path of its URL, which may be a key. */
  ask<T>(method: string, params?: readonly unknown[]): Promise<T>;
}

const TIMEOUT_MS = 30_000;
/** Nodes of the public refuse who asks often, for seconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 2_000;
const TOO_MANY = 429;

export function connectNode(url: string): Node {
  const { host } = new URL(url);
  async function once<T>(method: string, params: readonly unknown[]): Promise<T | typeof TOO_MANY> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === TOO_MANY) return TOO_MANY;
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    const answer = (await response.json()) as { readonly result?: T; readonly error?: { readonly message?: string } };
    if (answer.error !== undefined) throw new Error(String(answer.error.message));
    if (answer.result === undefined) throw new Error('it answers something else than JSON-RPC');
    return answer.result;
  }
  return {
    host,
    async ask<T>(method: string, params: readonly unknown[] = []) {
      const deadline = performance.now() + PATIENCE_MS;
      try {
        for (;;) {
          const result = await once<T>(method, params);
          if (result !== TOO_MANY) return result;
          if (performance.now() > deadline) throw new Error('it is asked too often');
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      } catch (error) {
        throw new Error(`${host} does not answer ${method}: ${reasonOf(error)}`, { cause: error });
      }
    },
  };
}

/** What `fetch` says is wrong stands below what it throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : undefined;
  return inner ?? error.message;
}
