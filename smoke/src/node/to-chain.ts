import type { AccountBatch, AccountUpdate, Chain } from '@lending/chain';
import { type Address, createSolanaRpcFromTransport } from '@solana/kit';
import type { Node } from './node.ts';

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
