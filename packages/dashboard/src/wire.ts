/** What the pages read of the service's answers, for its tests to hold its own records against. Types alone: nothing of the pages runs here. */
export type {
  WireAccountsReply,
  WireActivityReply,
  WireHealthReply,
  WireLiveHealth,
} from './browser/accounts/wire-account.ts';
export type {
  WireBankReply,
  WireBanksReply,
  WireHistoryReply,
  WireLimitsReply,
  WireListedBank,
  WireLiveBank,
  WireLiveRate,
} from './browser/data/wire-records.ts';
export type { WireStatus } from './browser/pipeline/wire-status.ts';
export type { WireStrategiesReply, WireStrategy } from './browser/strategies/wire-strategies.ts';
