import type { Rpc, Slot, SolanaRpcApi } from '@solana/kit';
import type { ChainSource, ReadOptions } from './chain-options.ts';
import { toSendOptions } from './read-config.ts';

/** What the banner and `/v1/status` say about the chain that is followed. */
export interface NodeDescription {
  readonly source: ChainSource;
  /** Host of the preferred endpoint. */
  readonly host: string;
  readonly version: string;
  readonly genesisHash: string;
  /** Newest confirmed slot. */
  readonly slot: Slot;
}

/** Asks a node who it is; the three questions go out together. */
export async function describeNode(
  node: { readonly rpc: Rpc<SolanaRpcApi>; readonly source: ChainSource; readonly host: string },
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<NodeDescription> {
  const send = toSendOptions(options);
  const [version, genesisHash, slot] = await Promise.all([
    node.rpc.getVersion().send(send),
    node.rpc.getGenesisHash().send(send),
    node.rpc.getSlot({ commitment: 'confirmed' }).send(send),
  ]);
  return { source: node.source, host: node.host, version: version['solana-core'], genesisHash, slot };
}
