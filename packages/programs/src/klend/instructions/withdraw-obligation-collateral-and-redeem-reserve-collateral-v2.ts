import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { klendWithdrawObligationCollateralAndRedeemReserveCollateral } from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';

/**
 * The same as without `_v2`, but the farm is told by the program itself, and the refreshes may stand anywhere before it.
 */
export const klendWithdrawObligationCollateralAndRedeemReserveCollateralV2 = defineInstruction({
  name: 'withdraw_obligation_collateral_and_redeem_reserve_collateral_v2',
  discriminator: Uint8Array.of(235, 52, 119, 152, 149, 197, 20, 7),
  accounts: [
    ...klendWithdrawObligationCollateralAndRedeemReserveCollateral.accounts,
    { name: 'obligationFarmUserState', isWritable: true, isOptional: true },
    { name: 'reserveFarmState', isWritable: true, isOptional: true },
    { name: 'farmsProgram' },
  ],
  args: getStructCodec([['collateralAmount', getU64Codec()]]),
});
