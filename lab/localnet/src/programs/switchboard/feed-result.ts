import type { PullFeed } from '@lending/programs';

type Submission = PullFeed['submissions'][number];
type Result = PullFeed['result'];

/** How many numbers a feed keeps. */
const SLOTS = 32;

/** Puts a submission in place of the oracle's last one; else in a free place; else in the oldest one's. */
export function withSubmission(submissions: readonly Submission[], added: Submission): readonly Submission[] {
  const place =
    indexWhere(submissions, ({ oracle, slot }) => slot > 0n && oracle === added.oracle) ??
    indexWhere(submissions, ({ slot }) => slot === 0n) ??
    submissions.reduce((oldest, { slot }, index) => (slot < (submissions[oldest]?.slot ?? slot) ? index : oldest), 0);
  return submissions.map((submission, index) => (index === place % SLOTS ? added : submission));
}

/**
 * What the submissions of the last slots agree on: the upper median, with mean and deviation of the whole population (so it stands in feeds
 * recorded on mainnet).
 * @returns null when there is none.
 */
export function computeResult(submissions: readonly Submission[], fromSlot: bigint): Result | null {
  const samples = submissions
    .filter(({ slot }) => slot > 0n && slot >= fromSlot)
    .toSorted((a, b) => compare(a.value, b.value));
  const middle = samples[Math.floor(samples.length / 2)];
  const [least, most] = [samples[0], samples.at(-1)];
  if (middle === undefined || least === undefined || most === undefined) return null;
  const count = BigInt(samples.length);
  const mean = samples.reduce((sum, { value }) => sum + value, 0n) / count;
  const variance = samples.reduce((sum, { value }) => sum + (value - mean) ** 2n, 0n) / count;
  const slots = samples.map(({ slot }) => slot).toSorted(compare);
  const [minSlot = 0n] = slots;
  const maxSlot = slots.at(-1) ?? 0n;
  return {
    value: middle.value,
    stdDev: squareRoot(variance),
    mean,
    range: most.value - least.value,
    minValue: least.value,
    maxValue: most.value,
    numSamples: samples.length,
    submissionIdx: 0,
    padding1: new Uint8Array(6),
    slot: maxSlot,
    minSlot,
    maxSlot,
  };
}

function indexWhere(submissions: readonly Submission[], holds: (one: Submission) => boolean): number | undefined {
  const index = submissions.findIndex(holds);
  return index < 0 ? undefined : index;
}

/** Rounded down. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}
