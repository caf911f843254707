import { pubkey, u16, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';
import { tokenAccountLayout } from './account.ts';
import { mintLayout } from './mint.ts';

/** Numbers of the extensions of a Token-2022 mint that we read. */
export const MINT_EXTENSION = { transferFeeConfig: 1, tokenMetadata: 19 } as const;

/** An extended mint is filled up to the size of a token account; then comes a byte that says what it is, then the extensions. */
const KIND_OFFSET = 165;
const [KIND_MINT, KIND_ACCOUNT] = [1, 2];
const HEADER_SIZE = 4;

/** Whether bytes of a token program's are a mint's: what has no extensions is recognised by its length. */
export function isMint(data: Uint8Array): boolean {
  return data.length === mintLayout.fixedSize || data[KIND_OFFSET] === KIND_MINT;
}

/** The same of a token account. */
export function isTokenAccount(data: Uint8Array): boolean {
  return data.length === tokenAccountLayout.fixedSize || data[KIND_OFFSET] === KIND_ACCOUNT;
}

/**
 * The bytes of one extension of a Token-2022 mint: type u16, length u16 and value, one after the other, until a type of 0 or the end.
 * @returns null when the mint does not have it, or its bytes end before the extension does.
 */
export function findMintExtension(mint: Uint8Array, type: number): Uint8Array | null {
  if (mint[KIND_OFFSET] !== KIND_MINT) return null;
  const view = new DataView(mint.buffer, mint.byteOffset, mint.byteLength);
  let offset = KIND_OFFSET + 1;
  while (offset + HEADER_SIZE <= mint.length) {
    const [found, length] = [view.getUint16(offset, true), view.getUint16(offset + 2, true)];
    const end = offset + HEADER_SIZE + length;
    if (found === 0 || end > mint.length) return null;
    if (found === type) return mint.subarray(offset + HEADER_SIZE, end);
    offset = end;
  }
  return null;
}

const transferFee = struct({ epoch: u64, maximumFee: u64, transferFeeBasisPoints: u16 });

/** The fee a mint keeps from transfers: the older one until the newer one's epoch. */
export const transferFeeConfigLayout = struct({
  transferFeeConfigAuthority: pubkey,
  withdrawWithheldAuthority: pubkey,
  withheldAmount: u64,
  olderTransferFee: transferFee,
  newerTransferFee: transferFee,
});

export type TransferFeeConfig = ValueOf<typeof transferFeeConfigLayout>;
