import { formatI80F48 } from '@lending/domain';
import { type ActivityRecorded, createMessage, type Message, type MessageSource } from '@lending/events';
import type { Activity, DecodedActivity } from '@lending/venues';
import type { Slot } from '@solana/kit';
import { textOf } from './text-of.ts';

/** The transaction that activity comes from, as far as its messages say it. */
export interface ActivityOrigin {
  readonly signature: string;
  readonly slot: Slot;
  /** Unix seconds of its block. */
  readonly unixTimestamp: bigint;
  readonly feeLamports: bigint;
  readonly finality: ActivityRecorded['finality'];
}

/** The message of one thing that was done to an account. The same activity of the same slot has the same id, whoever read it. */
export function toActivityRecorded(
  activity: Activity,
  { signature, slot, unixTimestamp, feeLamports, finality }: ActivityOrigin,
  { tipLamports }: Pick<DecodedActivity, 'tipLamports'>,
  source: MessageSource,
): Message<'activity.recorded.v1'> {
  const { legs, liquidation, rebalance, ...plain } = activity;
  return createMessage({
    topic: 'activity.recorded.v1',
    key: activity.account,
    slot,
    unixTimestamp,
    source,
    part: activity.id,
    payload: {
      ...plain,
      signature,
      feeLamports: feeLamports.toString(),
      tipLamports: tipLamports.toString(),
      finality,
      legs: legs.map((leg) => ({
        ...leg,
        amountBase: leg.amountBase?.toString() ?? null,
        shares: leg.shares === null ? null : formatI80F48(leg.shares),
        premium: leg.premium === undefined ? null : textOf(leg.premium),
      })),
      liquidation: liquidation && textOf(liquidation),
      rebalance:
        rebalance === undefined
          ? null
          : { ...textOf(rebalance), moved: rebalance.moved === null ? null : formatI80F48(rebalance.moved) },
    },
  });
}
