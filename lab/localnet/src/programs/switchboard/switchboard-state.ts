import {
  oracleStatsLayout,
  pullFeedLayout,
  SWITCHBOARD_ERRORS,
  type SwitchboardErrorName,
  switchboardOracleLayout,
  switchboardQueueLayout,
  switchboardStateLayout,
} from '@lending/programs';
import type { Codec } from '@solana/kit';
import type { AccountKind } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';

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

/** Ends the instruction with an error of the program's own. @throws AnchorError, always */
export function fail(name: SwitchboardErrorName): never {
  throw new AnchorError(name, SWITCHBOARD_ERRORS[name]);
}

/** @throws AnchorError when it does not hold. */
export function check(holds: boolean, name: SwitchboardErrorName): asserts holds {
  if (!holds) fail(name);
}
