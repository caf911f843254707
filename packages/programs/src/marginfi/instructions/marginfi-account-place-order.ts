import { getArrayCodec, getDiscriminatedUnionCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU32Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { getI80F48Codec } from '../i80f48.ts';

/** Thresholds in USD, raw I80F48; `maxSlippage` is a fraction of u32::MAX. */
function getOrderTriggerCodec() {
  const single = getStructCodec([
    ['threshold', getI80F48Codec()],
    ['maxSlippage', getU32Codec()],
  ]);
  const both = getStructCodec([
    ['stopLoss', getI80F48Codec()],
    ['takeProfit', getI80F48Codec()],
    ['maxSlippage', getU32Codec()],
  ]);
  return getDiscriminatedUnionCodec([
    ['StopLoss', single],
    ['TakeProfit', single],
    ['Both', both],
  ]);
}

/** Places a standing order over one asset and one debt of the account, named by their banks. From 0.1.8. */
export const marginfiAccountPlaceOrder = defineInstruction({
  name: 'marginfi_account_place_order',
  discriminator: Uint8Array.of(244, 112, 75, 138, 143, 108, 7, 186),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'authority', isSigner: true },
    { name: 'order', isWritable: true },
    { name: 'feeState' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['bankKeys', getArrayCodec(getAddressCodec())],
    ['trigger', getOrderTriggerCodec()],
  ]),
});
