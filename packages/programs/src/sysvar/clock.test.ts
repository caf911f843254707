import { getSysvarClockCodec } from '@solana/sysvars';
import { describe, expect, it } from 'vitest';
import { clockLayout } from './clock.ts';

describe('clockLayout', () => {
  it('reads the clock as the Solana library does', () => {
    const bytes = Uint8Array.from({ length: clockLayout.fixedSize }, (_, index) => (index * 37 + 200) % 256);
    expect(clockLayout.decode(bytes)).toEqual(getSysvarClockCodec().decode(bytes));
  });

  it('writes back the bytes it read', () => {
    const bytes = Uint8Array.from({ length: clockLayout.fixedSize }, (_, index) => 255 - index);
    expect(Uint8Array.from(clockLayout.encode(clockLayout.decode(bytes)))).toEqual(bytes);
  });
});
