import { getF64Codec, getStructCodec } from '@solana/kit';
import { defineEvent } from '../../event-layout.ts';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getAccountEventHeaderCodec } from './account-event-header.ts';

/**
 * One account's collateral was exchanged for its debt by another; the header is the liquidator's. Health in USD, balances in base
 * units, both rounded to floats by the program.
 */
export const lendingAccountLiquidateEvent = defineEvent({
  name: 'LendingAccountLiquidateEvent',
  discriminator: Uint8Array.of(166, 160, 249, 154, 183, 39, 23, 242),
  fields: getStructCodec([
    ['header', getAccountEventHeaderCodec()],
    ['liquidateeMarginfiAccount', getAddressCodec()],
    ['liquidateeMarginfiAccountAuthority', getAddressCodec()],
    ['assetBank', getAddressCodec()],
    ['assetMint', getAddressCodec()],
    ['liabilityBank', getAddressCodec()],
    ['liabilityMint', getAddressCodec()],
    ['liquidateePreHealth', getF64Codec()],
    ['liquidateePostHealth', getF64Codec()],
    ['preBalances', getLiquidationBalancesCodec()],
    ['postBalances', getLiquidationBalancesCodec()],
  ]),
});

function getLiquidationBalancesCodec() {
  return getStructCodec([
    ['liquidateeAssetBalance', getF64Codec()],
    ['liquidateeLiabilityBalance', getF64Codec()],
    ['liquidatorAssetBalance', getF64Codec()],
    ['liquidatorLiabilityBalance', getF64Codec()],
  ]);
}
