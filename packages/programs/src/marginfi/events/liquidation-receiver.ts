import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU32Codec } from '../../fixed-offset/number-codecs.ts';

/** A receivership ended. USD at equity prices, rounded to floats by the program; the fee in lamports. */
export const liquidationReceiverEvent = defineEvent({
  name: 'LiquidationReceiverEvent',
  discriminator: Uint8Array.of(40, 131, 224, 220, 151, 83, 24, 230),
  fields: getStructCodec([
    ['marginfiAccount', getAddressCodec()],
    ['liquidationReceiver', getAddressCodec()],
    ['liquidateeAssetsSeized', getF64Codec()],
    ['liquidateeLiabilityRepaid', getF64Codec()],
    ['lampsFeePaid', getU32Codec()],
  ]),
});
