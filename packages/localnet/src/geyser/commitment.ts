import type { Commitment } from '@solana/kit';

/** A request the plugin would refuse; its message is told to the client. */
export class FilterError extends Error {}

/** Commitments, as the protocol counts them. */
const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;

/**
 * The commitment of a request; none means `processed`.
 * @throws FilterError for a number that stands for none.
 */
export function readCommitment(number: number | undefined): Commitment {
  const commitment = COMMITMENTS[number ?? 0];
  if (commitment === undefined) throw new FilterError(`invalid commitment: ${number}`);
  return commitment;
}
