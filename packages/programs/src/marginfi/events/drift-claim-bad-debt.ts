import { getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { getGroupEventHeaderCodec } from './group-event-header.ts';

/** A Drift bank was paid its share of a bad debt. Base units of the claim mint. From 0.1.9. */
export const driftClaimBadDebtEvent = defineEvent({
  name: 'DriftClaimBadDebtEvent',
  discriminator: Uint8Array.of(20, 106, 26, 156, 28, 116, 250, 172),
  fields: getStructCodec([
    ['header', getGroupEventHeaderCodec()],
    ['bank', getAddressCodec()],
    ['claimMint', getAddressCodec()],
    ['distributor', getAddressCodec()],
    ['claimStatus', getAddressCodec()],
    ['liquidityVaultAuthority', getAddressCodec()],
    ['globalFeeWallet', getAddressCodec()],
    ['requestedAmount', getU64Codec()],
    ['receivedAmount', getU64Codec()],
    ['sweptAmount', getU64Codec()],
  ]),
});
