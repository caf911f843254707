import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getI128Codec, getU8Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Supplies (positive) or withdraws, borrows (positive) or pays back, in base units of the token. Program versions before 0.1.5 read the
 * associated token program as one account more.
 */
export const juplendLiquidityOperate = defineInstruction({
  name: 'operate',
  discriminator: Uint8Array.of(217, 106, 208, 99, 116, 151, 42, 135),
  accounts: [
    { name: 'protocol', isSigner: true },
    { name: 'liquidity' },
    { name: 'tokenReserve', isWritable: true },
    { name: 'mint' },
    { name: 'vault', isWritable: true },
    { name: 'userSupplyPosition', isWritable: true, isOptional: true },
    { name: 'userBorrowPosition', isWritable: true, isOptional: true },
    { name: 'rateModel' },
    { name: 'withdrawToAccount', isWritable: true, isOptional: true },
    { name: 'borrowToAccount', isWritable: true, isOptional: true },
    { name: 'borrowClaimAccount', isWritable: true, isOptional: true },
    { name: 'withdrawClaimAccount', isWritable: true, isOptional: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([
    ['supplyAmount', getI128Codec()],
    ['borrowAmount', getI128Codec()],
    ['withdrawTo', getAddressCodec()],
    ['borrowTo', getAddressCodec()],
    ['transferType', getU8Codec()],
  ]),
});
