import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { tokenAccountSize } from './token-account-size.ts';

/** A mint with empty extensions of these types. */
function mintWith(...types: readonly number[]): Uint8Array {
  const headers = types.flatMap((type) => [type, 0, 0, 0]);
  return Uint8Array.of(...new Uint8Array(165), 1, ...headers);
}

describe('the size of an associated token account', () => {
  it('is that of a token account on the old program, whatever the mint', () => {
    expect(tokenAccountSize(TOKEN_PROGRAM, mintWith(1))).toBe(165);
  });

  it.each([
    ['nothing', [], 170],
    ['metadata', [18, 19], 170],
    ['a transfer fee', [18, 1, 19], 182],
    ['a hook', [14], 175],
    ['a fee, a hook and a pause', [26, 1, 14], 191],
  ] as const)('has on Token-2022 what a mint with %s makes it carry', (_, types, size) => {
    expect(tokenAccountSize(TOKEN_2022_PROGRAM, mintWith(...types))).toBe(size);
  });
});
