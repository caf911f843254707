import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { klendDepositReserveLiquidityAndObligationCollateral } from './deposit-reserve-liquidity-and-obligation-collateral.ts';

/**
 * The same as without `_v2`, but the farm is told by the program itself, and the refreshes may stand anywhere before it.
 */
export const klendDepositReserveLiquidityAndObligationCollateralV2 = defineInstruction({
  name: 'deposit_reserve_liquidity_and_obligation_collateral_v2',
  discriminator: Uint8Array.of(216, 224, 191, 27, 204, 151, 102, 175),
  accounts: [
    ...klendDepositReserveLiquidityAndObligationCollateral.accounts,
    { name: 'obligationFarmUserState', isWritable: true, isOptional: true },
    { name: 'reserveFarmState', isWritable: true, isOptional: true },
    { name: 'farmsProgram' },
  ],
  args: getStructCodec([['liquidityAmount', getU64Codec()]]),
});
