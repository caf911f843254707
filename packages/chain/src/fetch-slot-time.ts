import { LendingError } from '@lending/errors';
import type { GetRecentPerformanceSamplesApi, Rpc } from '@solana/kit';
import type { AccountReader } from './account-reader.ts';
import type { ReadOptions } from './chain-options.ts';
import { type AccountGroup, fetchAccountGroups } from './fetch-account-groups.ts';
import { toSendOptions } from './read-config.ts';

/** Validators write one sample a minute, so this is about an hour: long enough that a rate does not tremble with single minutes. */
const SAMPLES = 60;
/** A node that began a moment ago has rounded a few seconds: that is no pace. */
const MIN_SECONDS = 30n;

/** Two readings of the clock that are further apart are no measure, in seconds: the chain may have stood still between them. */
const MAX_SECONDS = 600n;

/**
 * Makes what says how long a slot has lasted over about the last hour, as a node counted them; where no node says that, over some minutes,
 * as the chain's clock went on between two of these questions. Units: microseconds, rounded to the nearest.
 *
 * While the clock was first read less than half a minute ago, or more than ten minutes ago, it throws why the node did not say: CHAIN__RPC_INVALID where it has counted
 * too few slots, and what every read throws.
 */
export function createSlotTimeReader(reader: AccountReader & { readonly rpc: Rpc<GetRecentPerformanceSamplesApi> }) {
  let first: AccountGroup | undefined;

  /** Undefined where the first reading is too young or too old. */
  async function readClockPace(options: Pick<ReadOptions, 'signal'>): Promise<bigint | undefined> {
    const [now] = await fetchAccountGroups(reader, [[]], options);
    if (now === undefined) return undefined;
    const seconds = first === undefined ? -1n : now.unixTimestamp - first.unixTimestamp;
    if (first === undefined || seconds < 0n || seconds > MAX_SECONDS || now.slot < first.slot) {
      first = now;
      return undefined;
    }
    return seconds < MIN_SECONDS ? undefined : paceOf(seconds, now.slot - first.slot);
  }

  return async (options: Pick<ReadOptions, 'signal'> = {}): Promise<bigint> => {
    try {
      return await fetchCountedPace(reader, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const pace = await readClockPace(options).catch(() => undefined);
      if (pace === undefined) throw error;
      return pace;
    }
  };
}

function paceOf(seconds: bigint, slots: bigint): bigint | undefined {
  return slots > 0n ? (seconds * 1_000_000n + slots / 2n) / slots : undefined;
}

async function fetchCountedPace(
  { rpc }: { readonly rpc: Rpc<GetRecentPerformanceSamplesApi> },
  options: Pick<ReadOptions, 'signal'>,
): Promise<bigint> {
  const samples = await rpc.getRecentPerformanceSamples(SAMPLES).send(toSendOptions(options));
  let [seconds, slots] = [0n, 0n];
  for (const { samplePeriodSecs, numSlots } of leaveOutStops(samples)) {
    seconds += BigInt(samplePeriodSecs);
    slots += BigInt(numSlots);
  }
  const pace = paceOf(seconds, slots);
  if (pace === undefined || seconds < MIN_SECONDS)
    throw new LendingError('CHAIN__RPC_INVALID', {
      message: `The node's ${samples.length} performance samples count ${slots} slots in ${seconds} s: too few to know how long one takes`,
      context: { method: 'getRecentPerformanceSamples' },
    });
  return pace;
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
