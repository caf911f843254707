import {
  combineCodec,
  getBooleanDecoder,
  getBooleanEncoder,
  getNullableDecoder,
  getNullableEncoder,
  getStructCodec,
} from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { getTrailingDecoder } from '../../trailing.ts';

/**
 * Adds tokens to a balance in a Kamino bank. `amount` is underlying, in base units. `refreshReserve` exists from 0.1.9, which
 * does not read the instruction without it; an older program leaves the bytes alone. So it is always written, and null only where
 * a decoded instruction of 0.1.8 ends before it.
 */
export const kaminoDeposit = defineInstruction({
  name: 'kamino_deposit',
  discriminator: Uint8Array.of(237, 8, 188, 187, 115, 99, 49, 85),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint' },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveDestinationDepositCollateral', isWritable: true },
    { name: 'obligationFarmUserState', isWritable: true, isOptional: true },
    { name: 'reserveFarmState', isWritable: true, isOptional: true },
    { name: 'kaminoProgram' },
    { name: 'farmsProgram' },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['refreshReserve', getRefreshReserveCodec()],
  ]),
});

function getRefreshReserveCodec() {
  return combineCodec(
    getNullableEncoder(getBooleanEncoder()),
    getTrailingDecoder(getNullableDecoder(getBooleanDecoder())),
  );
}
