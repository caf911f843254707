import { account } from '#layout/account.ts';
import { bytes, pubkey, u64, type ValueOf } from '#layout/field-types.ts';

/** What klend keeps of an owner, whatever the market. Field order and names are the IDL's (1.22.0). */
export const klendUserMetadataLayout = account('UserMetadata', {
  referrer: pubkey,
  bump: u64,
  userLookupTable: pubkey,
  owner: pubkey,
  padding1: bytes(408),
  padding2: bytes(512),
});

export type KlendUserMetadata = ValueOf<typeof klendUserMetadataLayout>;
