import type { Node } from './node.ts';

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
