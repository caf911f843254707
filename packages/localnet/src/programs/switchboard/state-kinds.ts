import {
  oracleStatsLayout,
  pullFeedLayout,
  switchboardOracleLayout,
  switchboardQueueLayout,
  switchboardStateLayout,
} from '@lending/programs';
import type { Codec } from '@solana/kit';
import type { AccountKind } from '#programs/anchor/account-reader.ts';

/** An account's content, read as a whole and written as a whole. */
interface Content<TFrom, TTo> {
  read(): TTo;
  write(value: TFrom): void;
}

export const QUEUE = kindOf(switchboardQueueLayout.discriminator, switchboardQueueLayout);
export const STATE = kindOf(switchboardStateLayout.discriminator, switchboardStateLayout);
export const ORACLE = kindOf(switchboardOracleLayout.discriminator, switchboardOracleLayout);
export const ORACLE_STATS = kindOf(oracleStatsLayout.discriminator, oracleStatsLayout);
export const PULL_FEED = kindOf(pullFeedLayout.discriminator, pullFeedLayout);

function kindOf<TFrom, TTo extends TFrom>(
  discriminator: Uint8Array,
  codec: Codec<TFrom, TTo>,
): AccountKind<Content<TFrom, TTo>> {
  return {
    discriminator,
    view: (data) => ({ read: () => codec.decode(data), write: (value) => data.set(codec.encode(value)) }),
  };
}
