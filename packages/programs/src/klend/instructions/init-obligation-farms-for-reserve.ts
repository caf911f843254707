import { getStructCodec } from '@solana/kit';
import { getU8Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Makes the account with which a farm counts an obligation's deposits (`mode` 0) or debts (1) in a reserve. */
export const klendInitObligationFarmsForReserve = defineInstruction({
  name: 'init_obligation_farms_for_reserve',
  discriminator: Uint8Array.of(136, 63, 15, 186, 211, 152, 168, 164),
  accounts: [
    { name: 'payer', isWritable: true, isSigner: true },
    { name: 'owner' },
    { name: 'obligation', isWritable: true },
    { name: 'lendingMarketAuthority' },
    { name: 'reserve', isWritable: true },
    { name: 'reserveFarmState', isWritable: true },
    { name: 'obligationFarm', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'farmsProgram' },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['mode', getU8Codec()]]),
});
