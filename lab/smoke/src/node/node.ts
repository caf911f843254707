import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountBatch, AccountUpdate, Chain } from '@lending/chain';
import { type Address, createSolanaRpcFromTransport } from '@solana/kit';

/** A Solana node, asked with nothing of the service's own between: what it says is the second opinion. */
export interface Node {
  readonly host: string;
  /** Calls so far, refused ones too. */
  readonly calls: number;
  /** @throws Error that says which node did not answer what, and never the path of its URL, which may be a key. */
  ask<T>(method: string, params?: readonly unknown[]): Promise<T>;
}

const TIMEOUT_MS = 30_000;
/** Listing the accounts of a program takes a node long. */
const LISTING_TIMEOUT_MS = 300_000;
/** Public nodes refuse frequent callers for some seconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 2_000;
const TOO_MANY = 429;
/** Load balancers lose a connection, or their node, now and then. */
const MOST_LOSSES = 3;
const LOSS_PAUSE_MS = 1_000;
const BUSY = new Set([502, 503, 504]);

/** What a load balancer answers in place of its node. */
class Lost extends Error {}
class Refused extends Error {}

/** @param callsPerSecond more are not sent, however many are asked for at once; without it there is no limit. */
export function connectNode(url: string, callsPerSecond = Number.POSITIVE_INFINITY): Node {
  const { host } = new URL(url);
  let calls = 0;
  let nextMs = 0;

  /** Waits for the next place in the row. */
  async function turn(): Promise<void> {
    const atMs = Math.max(performance.now(), nextMs);
    nextMs = atMs + 1_000 / callsPerSecond;
    calls += 1;
    await sleep(Math.max(0, atMs - performance.now()));
  }

  async function once<T>(method: string, params: readonly unknown[]): Promise<T> {
    await turn();
    const timeout = method === 'getProgramAccounts' ? LISTING_TIMEOUT_MS : TIMEOUT_MS;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, plainNumber),
      signal: AbortSignal.timeout(timeout),
    });
    if (response.status === TOO_MANY) throw new Refused('it is asked too often');
    if (BUSY.has(response.status)) throw new Lost(`it answers ${response.status}`);
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    const answer = (await response.json()) as { readonly result?: T; readonly error?: { readonly message?: string } };
    if (answer.error !== undefined) throw new Error(String(answer.error.message));
    if (answer.result === undefined) throw new Error('it answers something else than JSON-RPC');
    return answer.result;
  }

  return {
    host,
    get calls() {
      return calls;
    },
    async ask<T>(method: string, params: readonly unknown[] = []) {
      const deadline = performance.now() + PATIENCE_MS;
      for (let losses = 0; ; ) {
        try {
          return await once<T>(method, params);
        } catch (error) {
          losses += isLoss(error) ? 1 : 0;
          if (error instanceof Refused && performance.now() < deadline) await sleep(PAUSE_MS);
          else if (isLoss(error) && losses < MOST_LOSSES) await sleep(LOSS_PAUSE_MS);
          else throw new Error(`${host} does not answer ${method}: ${reasonOf(error)}`, { cause: error });
        }
      }
    },
  };
}

/** A connection that ended in the middle may not end so again; one that never began will not begin. */
function isLoss(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return error instanceof Lost || cause?.code === 'ECONNRESET' || cause?.code === 'UND_ERR_SOCKET';
}

/** Slots are within what JSON numbers hold. */
function plainNumber(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** What `fetch` says is wrong stands below what it throws. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : undefined;
  return inner ?? error.message;
}

/** Which chain it is, and how far. */
export interface Cluster {
  readonly host: string;
  readonly genesis_hash: string;
  /** Null where the chain has no name that is known. */
  readonly name: string | null;
  readonly slot: number;
  readonly node_version: string;
}

/** @see https://docs.anza.xyz/clusters/available */
const NAMES: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'mainnet-beta',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'testnet',
};

/** @throws Error where it does not answer, or is no node. */
export async function identifyNode(node: Node): Promise<Cluster> {
  const genesis = await node.ask<string>('getGenesisHash');
  const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
  const version = await node.ask<{ readonly 'solana-core'?: string }>('getVersion');
  return {
    host: node.host,
    genesis_hash: genesis,
    name: NAMES[genesis] ?? null,
    slot,
    node_version: version['solana-core'] ?? 'unknown',
  };
}

/** What reading and simulating by the service's own packages takes of a chain. */
export type AskedChain = Pick<Chain, 'rpc' | 'fetchAccounts'>;

interface RpcAccount {
  readonly data: readonly [string, string];
  readonly lamports: number;
  readonly owner: Address;
}

/** As many as a node answers in one call. */
export const ACCOUNTS_PER_CALL = 100;

/** A node as a chain, so that every call of a smoke test takes its turn at one limit. */
export function toChain(node: Node): AskedChain {
  return {
    rpc: createSolanaRpcFromTransport(async ({ payload }) => {
      const { method, params } = payload as { readonly method: string; readonly params: readonly unknown[] };
      return { jsonrpc: '2.0', id: 1, result: await node.ask(method, params) } as never;
    }),
    async fetchAccounts(addresses) {
      const batches: AccountBatch[] = [];
      for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_CALL)
        batches.push(await fetchBatch(node, addresses.slice(start, start + ACCOUNTS_PER_CALL)));
      return batches;
    },
  };
}

async function fetchBatch(node: Node, addresses: readonly Address[]): Promise<AccountBatch> {
  const options = { encoding: 'base64', commitment: 'confirmed' };
  const { context, value } = await node.ask<{
    readonly context: { readonly slot: number };
    readonly value: readonly (RpcAccount | null)[];
  }>('getMultipleAccounts', [addresses, options]);
  const slot = BigInt(context.slot);
  const accounts = addresses.map((address, nth) => toUpdate(address, slot, value[nth] ?? null));
  return { slot, addresses, accounts };
}

export function toUpdate(address: Address, slot: bigint, account: RpcAccount | null): AccountUpdate | null {
  if (account === null) return null;
  const data = new Uint8Array(Buffer.from(account.data[0], 'base64'));
  return { address, slot, owner: account.owner, lamports: BigInt(account.lamports), data };
}
