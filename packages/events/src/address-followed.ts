import { FOLLOW_ASPECTS } from '@lending/domain';
import { z } from 'zod';
import { addressField } from './fields.ts';

/**
 * Somebody asked for an address; the chain was read for it at the message's slot, and it is followed from there on. What was found
 * travels on the topics of accounts, wallets and activity, published before this. Keyed by the address.
 */
export const addressFollowedSchema = z.object({
  address: addressField,
  aspect: z.enum(FOLLOW_ASPECTS),
  /** The lending accounts it is, or owns; empty: looked and found none. */
  accounts: z.array(addressField).max(1_000),
  /** False: too many accounts, or too much activity to have been read yet. */
  isComplete: z.boolean(),
});
export type AddressFollowed = z.infer<typeof addressFollowedSchema>;
