import { LendingError } from '@lending/errors';
import type { GetRecentPerformanceSamplesApi, Rpc } from '@solana/kit';
import type { ReadOptions } from './chain-options.ts';
import { toSendOptions } from './read-config.ts';

/** Validators write one sample a minute, so this is about an hour: long enough that a rate does not tremble with single minutes. */
const SAMPLES = 60;
/** A node that began a moment ago has rounded a few seconds: that is no pace. */
const MIN_SECONDS = 30n;

/**
 * How long a slot has lasted over about the last hour, as a node counted them. Units: microseconds, rounded to the nearest.
 * @throws CHAIN__RPC_INVALID when the node has counted too few slots yet, besides what every read throws.
 */
export async function fetchSlotTime(
  { rpc }: { readonly rpc: Rpc<GetRecentPerformanceSamplesApi> },
  options: Pick<ReadOptions, 'signal'> = {},
): Promise<bigint> {
  const samples = await rpc.getRecentPerformanceSamples(SAMPLES).send(toSendOptions(options));
  let [seconds, slots] = [0n, 0n];
  for (const { samplePeriodSecs, numSlots } of leaveOutStops(samples)) {
    seconds += BigInt(samplePeriodSecs);
    slots += BigInt(numSlots);
  }
  if (slots === 0n || seconds < MIN_SECONDS)
    throw new LendingError('CHAIN__RPC_INVALID', {
      message: `The node's ${samples.length} performance samples count ${slots} slots in ${seconds} s: too few to know how long one takes`,
      context: { method: 'getRecentPerformanceSamples' },
    });
  return (seconds * 1_000_000n + slots / 2n) / slots;
}

type Sample = ReturnType<GetRecentPerformanceSamplesApi['getRecentPerformanceSamples']>[number];

/** A slot of a sample that lasts this many times the usual one: the chain stood still for most of that time. */
const STOP_FACTOR = 2;

/** A sample in which the chain stood still, all the time or most of it, is no pace, and would make the others look slow for an hour. */
function leaveOutStops(samples: readonly Sample[]): readonly Sample[] {
  const secondsPerSlot = ({ samplePeriodSecs, numSlots }: Sample) => samplePeriodSecs / Number(numSlots);
  const moving = samples.filter(({ samplePeriodSecs, numSlots }) => numSlots > 0n && samplePeriodSecs > 0);
  const usual = moving.map(secondsPerSlot).sort((one, other) => one - other)[Math.floor((moving.length - 1) / 2)] ?? 0;
  return moving.filter((sample) => secondsPerSlot(sample) <= STOP_FACTOR * usual);
}
