import {
  type Chain,
  type ChainHooks,
  type ChainSource,
  createYellowstoneSource,
  type ProgramSource,
} from '@lending/chain';
import { LendingError } from '@lending/errors';
import {
  type Config,
  chainSettings,
  databaseSettings,
  durationMsSetting,
  integerSetting,
  kafkaSettings,
  oneOfSetting,
  p0Settings,
  probeSettings,
  processSettings,
  textSetting,
  urlSetting,
} from '@lending/runtime';
import type { IndexingOptions } from './run-indexing.ts';

/** What the indexer itself can be told; the one-process shape takes these over. */
export const indexerSettings = {
  WATCH_COLLECT_MS: durationMsSetting({
    description: 'How long changes of banks are collected before they are read',
    default: 1_000,
  }),
  RECONCILE_MS: durationMsSetting({
    description: 'How often all banks are read, changed or not',
    default: 300_000,
    min: 1_000,
  }),
  INDEX_SCOPE: oneOfSetting(['all', 'on-demand'], {
    description:
      'Whose accounts and activity are kept: those of all, or of addresses somebody asks for; unset: all on the local chain, else on-demand',
    optional: true,
  }),
  INDEX_PAST_DAYS: integerSetting({
    description:
      "Days of everybody's activity that are read when nothing was read before, whole for addresses somebody asks for in any case; unset: all " +
      'there is on the local chain, else none',
    min: 0,
    max: 3_650,
    optional: true,
  }),
  INDEX_READS_PER_SECOND: integerSetting({
    description:
      'Calls a second to the node for repairs, the past and wallets; answers to people come on top; unset: 1000 on the local chain, else 20',
    min: 1,
    max: 100_000,
    optional: true,
  }),
  INDEX_RECONCILE_MS: durationMsSetting({
    description: 'How often all accounts that are kept are read, changed or not',
    default: 3_600_000,
    min: 1_000,
  }),
  SOLANA_STREAM: oneOfSetting(['pubsub', 'polling', 'yellowstone'], {
    description:
      'How the chain is heard of; polling is for nodes without PubSub; unset: yellowstone if SOLANA_GRPC_URL is set, else pubsub',
    optional: true,
  }),
  SOLANA_GRPC_URL: urlSetting({
    description: 'Yellowstone gRPC endpoint',
    schemes: ['https', 'http'],
    secret: true,
    optional: true,
  }),
  SOLANA_GRPC_TOKEN: textSetting({
    description: "What the Yellowstone provider knows its customer by (the call's x-token)",
    maxLength: 1_000,
    secret: true,
    optional: true,
  }),
  STREAM_POLL_MS: durationMsSetting({
    description: 'How often the chain is asked for news when the stream is polling',
    default: 1_000,
    min: 50,
  }),
  WALLET_REFRESH_MS: durationMsSetting({
    description:
      'How often wallets that somebody asked for are read, changed or not; answers are that old, so less than ACCOUNTS_STALE_AFTER_MS',
    default: 15_000,
    min: 1_000,
  }),
  FOLLOW_IDLE_MS: durationMsSetting({
    description: 'How long an address is followed after somebody asked for it last',
    default: 3_600_000,
    min: 60_000,
    max: 365 * 86_400_000,
  }),
  RAW_SAMPLE_DAYS: integerSetting({
    description: 'Days of chain time for which raw rate samples are kept',
    default: 30,
    min: 1,
    max: 3_650,
  }),
  RATE_HOUR_DAYS: integerSetting({
    description: 'Days of chain time for which hours of rates are kept; days are kept for ever',
    default: 1_095,
    min: 32,
    max: 36_500,
  }),
} as const;

export const indexerProcessSettings = {
  ...processSettings,
  ...chainSettings,
  ...p0Settings,
  ...indexerSettings,
  ...kafkaSettings,
  KAFKA_SESSION_MS: durationMsSetting({
    description:
      'How long a silent indexer keeps its partitions before another one takes them over; brokers accept 6000 and more by default',
    default: 10_000,
    min: 3_000,
    max: 1_800_000,
  }),
  ...probeSettings,
  ...databaseSettings,
} as const;

/** What depends on the chain where nobody said it. */
export function readIndexing(
  config: Pick<
    IndexerConfig,
    | 'INDEX_SCOPE'
    | 'INDEX_PAST_DAYS'
    | 'INDEX_READS_PER_SECOND'
    | 'INDEX_RECONCILE_MS'
    | 'WALLET_REFRESH_MS'
    | 'FOLLOW_IDLE_MS'
  >,
  source: ChainSource,
): IndexingOptions {
  const isLocal = source === 'localnet';
  return {
    scope: config.INDEX_SCOPE ?? (isLocal ? 'all' : 'on-demand'),
    pastDays: config.INDEX_PAST_DAYS ?? (isLocal ? null : 0),
    readsPerSecond: config.INDEX_READS_PER_SECOND ?? (isLocal ? 1_000 : 20),
    accountReconcileMs: config.INDEX_RECONCILE_MS,
    walletRefreshMs: config.WALLET_REFRESH_MS,
    followIdleMs: config.FOLLOW_IDLE_MS,
  };
}

/**
 * Where the indexer hears of the chain.
 * @throws CONFIG__INVALID for a Yellowstone stream without an endpoint, CHAIN__GRPC_UNSUPPORTED where its client cannot be loaded.
 */
export async function createSource(
  chain: Chain,
  config: Pick<IndexerConfig, 'SOLANA_STREAM' | 'STREAM_POLL_MS' | 'SOLANA_GRPC_URL' | 'SOLANA_GRPC_TOKEN'>,
  hooks: ChainHooks,
): Promise<ProgramSource> {
  const { SOLANA_GRPC_URL: endpoint, SOLANA_GRPC_TOKEN: xToken } = config;
  switch (config.SOLANA_STREAM ?? (endpoint === undefined ? 'pubsub' : 'yellowstone')) {
    case 'pubsub':
      return chain.createPubSubSource();
    case 'polling':
      return chain.createPollingSource({ everyMs: config.STREAM_POLL_MS });
    case 'yellowstone': {
      if (endpoint === undefined) throw new LendingError('CONFIG__INVALID', { message: NO_ENDPOINT });
      const source = await createYellowstoneSource({ endpoint, ...(xToken !== undefined && { xToken }), hooks });
      return chain.observeSource(source);
    }
  }
}

const NO_ENDPOINT =
  'SOLANA_STREAM is yellowstone, but SOLANA_GRPC_URL is not set: give its endpoint, or another stream';

type IndexerConfig = Config<typeof indexerProcessSettings>;
