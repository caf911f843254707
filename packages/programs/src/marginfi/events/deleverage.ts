import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';

/** A forced deleverage ended. USD at equity prices, rounded to floats by the program. */
export const deleverageEvent = defineEvent({
  name: 'DeleverageEvent',
  discriminator: Uint8Array.of(161, 8, 108, 204, 209, 198, 12, 30),
  fields: getStructCodec([
    ['marginfiAccount', getAddressCodec()],
    ['riskAdmin', getAddressCodec()],
    ['deleverageeAssetsSeized', getF64Codec()],
    ['deleverageeLiabilityRepaid', getF64Codec()],
  ]),
});
