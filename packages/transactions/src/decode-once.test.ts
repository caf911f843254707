import { expect, it, vi } from 'vitest';
import { decodeOnce } from './decode-once.ts';

it('decodes the same bytes once, and others of the same content anew', () => {
  const decode = vi.fn((data: ArrayLike<number>) => ({ first: data[0] }));
  const read = decodeOnce({ decode });
  const data = Uint8Array.of(7);
  expect(read(data)).toBe(read(data));
  expect(decode).toHaveBeenCalledTimes(1);
  expect(read(Uint8Array.of(7))).toEqual({ first: 7 });
  expect(decode).toHaveBeenCalledTimes(2);
});
