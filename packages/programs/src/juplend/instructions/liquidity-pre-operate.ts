import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Announces a deposit or payback: what the vault gains from here on counts for the protocol that signs. */
export const juplendLiquidityPreOperate = defineInstruction({
  name: 'pre_operate',
  discriminator: Uint8Array.of(129, 205, 158, 155, 198, 155, 72, 133),
  accounts: [
    { name: 'protocol', isSigner: true },
    { name: 'liquidity' },
    { name: 'userSupplyPosition', isOptional: true },
    { name: 'userBorrowPosition', isOptional: true },
    { name: 'vault' },
    { name: 'tokenReserve', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['mint', getAddressCodec()]]),
});
