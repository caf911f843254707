/** Why the account of a bank cannot be read, in the words the indexer publishes. They are ours, so they may leave the process. */
const REJECTION_REASONS = [
  'account_gone',
  'owner_mismatch',
  'discriminator_mismatch',
  'account_malformed',
  'value_out_of_range',
  'unreadable',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** A stored reason as callers may see it: a word of the list as it is, any other text only as `unreadable`. */
export function rejectionReason(stored: string): RejectionReason {
  return REJECTION_REASONS.find((reason) => reason === stored) ?? 'unreadable';
}
