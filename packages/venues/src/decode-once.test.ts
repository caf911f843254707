import { expect, it, vi } from 'vitest';
import { decodeOnce } from './decode-once.ts';

it('decodes the same account once, and another of the same content again', () => {
  const decode = vi.fn(({ data }: { readonly data: Uint8Array }) => ({ first: data[0] }));
  const read = decodeOnce(decode);
  const account = { data: Uint8Array.of(7) };
  expect(read(account)).toBe(read(account));
  expect(decode).toHaveBeenCalledTimes(1);
  expect(read({ ...account })).toEqual({ first: 7 });
  expect(decode).toHaveBeenCalledTimes(2);
});
