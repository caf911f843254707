export { type ProjectorOptions, runProjector } from '#project/projector.ts';
export { type ClaimChainOptions, claimNodesChain } from './claim-chain.ts';
export { indexerProcessSettings, indexerSettings } from './config.ts';
export { type IndexerOptions, runIndexer } from './indexer.ts';
