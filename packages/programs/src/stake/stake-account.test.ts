import { getStakeStateAccountDecoder } from '@solana-program/stake';
import { describe, expect, it } from 'vitest';
import { DELEGATED_STAKE_TAG, stakeAccountLayout } from './stake-account.ts';

const bytes = Uint8Array.from({ length: stakeAccountLayout.fixedSize }, (_, index) => (index * 37 + 200) % 256);
bytes.set([DELEGATED_STAKE_TAG, 0, 0, 0]);

describe('stakeAccountLayout', () => {
  it('reads a delegated account as the stake program’s own client does', () => {
    const { meta, delegation, creditsObserved, stakeFlags } = stakeAccountLayout.decode(bytes);
    const { _reserved, ...delegated } = delegation;
    const { state } = getStakeStateAccountDecoder().decode(bytes);
    expect(state).toMatchObject({ __kind: 'Stake' });
    expect(state.__kind === 'Stake' && state.fields).toMatchObject([
      meta,
      { delegation: delegated, creditsObserved },
      { bits: stakeFlags },
    ]);
  });

  it('writes back the bytes it read', () => {
    const encoded = stakeAccountLayout.encode(stakeAccountLayout.decode(bytes));
    expect(Uint8Array.from(encoded)).toEqual(bytes);
  });

  it('refuses an account that is not delegated', () => {
    expect(() => stakeAccountLayout.decode(Uint8Array.from([1, ...bytes.subarray(1)]))).toThrow();
  });
});
