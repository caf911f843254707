import type { TransferFee } from '@lending/domain';
import { findMintExtension, MINT_EXTENSION, TOKEN_2022_PROGRAM, transferFeeConfigLayout } from '@lending/programs';
import type { AccountBytes } from '../account.ts';

/**
 * What a mint keeps from a transfer in an epoch.
 * @param mint null where it was not read: what it keeps is then unknown, and said to be nothing.
 * @returns null for a mint that keeps nothing. A fee that cannot be decoded counts as none, as it does for the token program.
 */
export function readTransferFee(mint: AccountBytes | null, epoch: bigint): TransferFee | null {
  if (mint === null || mint.owner !== TOKEN_2022_PROGRAM) return null;
  const bytes = findMintExtension(mint.data, MINT_EXTENSION.transferFeeConfig);
  if (bytes === null || bytes.length < transferFeeConfigLayout.fixedSize) return null;
  const { olderTransferFee, newerTransferFee } = transferFeeConfigLayout.decode(bytes);
  const fee = epoch >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  if (fee.transferFeeBasisPoints === 0) return null;
  return { basisPoints: fee.transferFeeBasisPoints, maximumFeeBase: fee.maximumFee };
}
