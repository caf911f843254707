export { type ProjectorOptions, runProjector } from '#project/projector.ts';
export { type ClaimChainOptions, claimNodesChain } from './claim-chain.ts';
export { createSource, indexerProcessSettings, indexerSettings, readIndexing } from './config.ts';
export { type IndexerOptions, runIndexer } from './indexer.ts';
export { createTopicsSettings, migrateSettings } from './jobs/config.ts';
export { replayTables } from './jobs/replay-tables.ts';
