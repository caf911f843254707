import { mintLayout, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, transferFeeConfigLayout } from '@lending/programs';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { readTransferFee } from './read-transfer-fee.ts';

const KEY = address('11111111111111111111111111111111');
const older = { epoch: 100n, maximumFee: 5_000n, transferFeeBasisPoints: 50 };
const newer = { epoch: 200n, maximumFee: 9_000n, transferFeeBasisPoints: 80 };

/** A Token-2022 mint with another extension before the fee. */
function mintWith(fees: { older: typeof older; newer: typeof newer } | null, owner = TOKEN_2022_PROGRAM) {
  const none = { isSome: false, value: KEY };
  const base = mintLayout.encode({
    mintAuthority: none,
    supply: 1n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: none,
  });
  const value = transferFeeConfigLayout.encode({
    transferFeeConfigAuthority: KEY,
    withdrawWithheldAuthority: KEY,
    withheldAmount: 7n,
    olderTransferFee: fees?.older ?? older,
    newerTransferFee: fees?.newer ?? newer,
  });
  const closeAuthority = [3, 0, 32, 0, ...new Uint8Array(32)];
  const fee = fees === null ? [] : [1, 0, value.length, 0, ...value];
  const data = Uint8Array.from([...base, ...new Uint8Array(165 - base.length), 1, ...closeAuthority, ...fee]);
  return { address: KEY, owner, data };
}

describe('readTransferFee', () => {
  it('takes the older fee until the newer one’s epoch', () => {
    const mint = mintWith({ older, newer });
    expect(readTransferFee(mint, 199n)).toEqual({ basisPoints: 50, maximumFeeBase: 5_000n });
    expect(readTransferFee(mint, 200n)).toEqual({ basisPoints: 80, maximumFeeBase: 9_000n });
  });

  it('finds none where the mint keeps nothing', () => {
    expect(readTransferFee(mintWith(null), 200n)).toBe(null);
    expect(readTransferFee(mintWith({ older, newer: { ...newer, transferFeeBasisPoints: 0 } }), 200n)).toBe(null);
    expect(readTransferFee(mintWith({ older, newer }, TOKEN_PROGRAM), 200n)).toBe(null);
    expect(readTransferFee(null, 200n)).toBe(null);
  });

  it('finds none in a mint whose bytes end before the extension does', () => {
    const { data, ...mint } = mintWith({ older, newer });
    for (let length = 0; length < data.length; length += 1)
      expect(readTransferFee({ ...mint, data: data.subarray(0, length) }, 200n)).toBe(null);
  });
});
