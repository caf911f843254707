import type { BundleLog } from '#ledger/bundle-log.ts';
import type { Faucet } from './faucet.ts';
import type { NodeLedger } from './node-ledger.ts';

/** What the methods answer from. */
export interface RpcNode {
  readonly ledger: NodeLedger;
  readonly bundles: BundleLog;
  readonly faucet: Faucet;
}

/** One JSON-RPC method: positional parameters in, result out. Throws `JsonRpcError` for what it refuses. */
type RpcMethod = (node: RpcNode, params: readonly unknown[]) => unknown;

export type RpcMethods = Readonly<Record<string, RpcMethod>>;

/** As `getVersion` reports it; a release line whose behaviour is followed. */
export const NODE_VERSION = '3.1.0';

/** A result with the slot it was read at. */
export function withContext(slot: bigint, value: unknown): object {
  return { context: { apiVersion: NODE_VERSION, slot }, value };
}
