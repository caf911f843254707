import {
  getOracleStatsCodec,
  getPullFeedCodec,
  getSwitchboardOracleCodec,
  getSwitchboardQueueCodec,
  getSwitchboardStateCodec,
  ORACLE_STATS_DISCRIMINATOR,
  PULL_FEED_DISCRIMINATOR,
  SWITCHBOARD_ORACLE_DISCRIMINATOR,
  SWITCHBOARD_QUEUE_DISCRIMINATOR,
  SWITCHBOARD_STATE_DISCRIMINATOR,
} from '@lending/programs';
import type { Codec } from '@solana/kit';
import type { AccountKind } from '#programs/anchor/account-reader.ts';

/** An account's content, read as a whole and written as a whole. */
interface Content<TFrom, TTo> {
  read(): TTo;
  write(value: TFrom): void;
}

export const QUEUE = kindOf(SWITCHBOARD_QUEUE_DISCRIMINATOR, getSwitchboardQueueCodec());
export const STATE = kindOf(SWITCHBOARD_STATE_DISCRIMINATOR, getSwitchboardStateCodec());
export const ORACLE = kindOf(SWITCHBOARD_ORACLE_DISCRIMINATOR, getSwitchboardOracleCodec());
export const ORACLE_STATS = kindOf(ORACLE_STATS_DISCRIMINATOR, getOracleStatsCodec());
export const PULL_FEED = kindOf(PULL_FEED_DISCRIMINATOR, getPullFeedCodec());

function kindOf<TFrom, TTo extends TFrom>(
  discriminator: Uint8Array,
  codec: Codec<TFrom, TTo>,
): AccountKind<Content<TFrom, TTo>> {
  return {
    discriminator,
    view: (data) => ({ read: () => codec.decode(data), write: (value) => data.set(codec.encode(value)) }),
  };
}
