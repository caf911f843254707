import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Brings a mint's exchange prices, utilisation and borrow rate up to now; anyone may send it. */
export const juplendLiquidityUpdateExchangePrice = defineInstruction({
  name: 'update_exchange_price',
  discriminator: Uint8Array.of(239, 244, 10, 248, 116, 25, 53, 150),
  accounts: [{ name: 'tokenReserve', isWritable: true }, { name: 'rateModel' }],
  args: getStructCodec([['mint', getAddressCodec()]]),
});
