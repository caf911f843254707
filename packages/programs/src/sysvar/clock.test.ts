import { getSysvarClockCodec } from '@solana/sysvars';
import { describe, expect, it } from 'vitest';
import { CLOCK_SIZE, getClockCodec } from './clock.ts';

describe('getClockCodec', () => {
  it('reads the clock as the Solana library does', () => {
    const bytes = Uint8Array.from({ length: CLOCK_SIZE }, (_, index) => (index * 37 + 200) % 256);
    expect(getClockCodec().decode(bytes)).toEqual(getSysvarClockCodec().decode(bytes));
  });

  it('writes back the bytes it read', () => {
    const bytes = Uint8Array.from({ length: CLOCK_SIZE }, (_, index) => 255 - index);
    expect(Uint8Array.from(getClockCodec().encode(getClockCodec().decode(bytes)))).toEqual(bytes);
  });
});
