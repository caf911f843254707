import { mintLayout, NO_KEY, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { rentExempt } from '../rent.ts';

/** An account of a program, longer than its content where that ends before it. */
export function ownedBy(owner: Address, encoded: ArrayLike<number>, size = encoded.length): AccountState {
  const data = new Uint8Array(size);
  data.set(encoded);
  return { lamports: rentExempt(size), owner, data, executable: false };
}

/** What a layout reads where nothing was written yet. */
export function emptyOf<T>(
  {
    discriminator,
    decode,
    fixedSize,
  }: {
    readonly discriminator: Uint8Array;
    readonly fixedSize: number;
    readonly decode: (data: Uint8Array) => T;
  },
  size = fixedSize,
): T {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return decode(data);
}

/** A mint of receipts, which the venue's authority alone makes and burns. */
export function receiptMint(
  mintAuthority: Address,
  { supply, decimals, tokenProgram = TOKEN_PROGRAM }: ReceiptMint,
): AccountState {
  const freezeAuthority = { isSome: false, value: NO_KEY };
  const authority = { isSome: true, value: mintAuthority };
  const encoded = mintLayout.encode({
    mintAuthority: authority,
    supply,
    decimals,
    isInitialized: true,
    freezeAuthority,
  });
  return ownedBy(tokenProgram, encoded);
}

interface ReceiptMint {
  readonly supply: bigint;
  readonly decimals: number;
  readonly tokenProgram?: Address;
}
