import { MARGINFI_PROGRAM } from '@lending/programs';
import { getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { madeAddress } from '../testing/made-trace.ts';
import { decodeRebalanceOrder } from './decode-rebalance-order.ts';
import { rebalanceOrderFilters } from './discovery.ts';

const [address, account, mint] = [madeAddress(9), madeAddress(2), madeAddress(3)];
const banks = [madeAddress(4), madeAddress(5), madeAddress(6)];

/** Bytes by the offsets of the reference, apart from `rebalanceOrderLayout`. */
function orderBytes(): Uint8Array {
  const data = new Uint8Array(416);
  const view = new DataView(data.buffer);
  data.set([0x33, 0x05, 0xba, 0xfb, 0x90, 0x77, 0x4b, 0xc5]);
  const keys = { 8: account, 40: madeAddress(7), 72: mint, 104: banks[0], 136: banks[1], 168: banks[2] };
  for (const [at, key] of Object.entries(keys)) data.set(getAddressEncoder().encode(key ?? mint), Number(at));
  view.setBigUint64(360, 2n ** 44n, true);
  view.setBigUint64(376, 86_400n, true);
  view.setBigUint64(384, 5_000_000n, true);
  view.setBigUint64(392, 1_791_000_000n, true);
  view.setUint8(401, 2);
  view.setBigUint64(408, 10_000n, true);
  return data;
}

const decode = (data = orderBytes()) =>
  decodeRebalanceOrder({ address, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);

describe('decodeRebalanceOrder', () => {
  it('tells whose order it is, among which banks, and on what terms', () => {
    expect(decode()).toEqual({
      address,
      account,
      mint,
      banks: banks.slice(0, 2),
      minImprovement: 2n ** 44n,
      cooldownSeconds: 86_400n,
      amountBase: 5_000_000n,
      keeperTipLamports: 10_000n,
      lastExecutedAt: 1_791_000_000n,
    });
  });

  it('has null for no limit and for an order that was never executed', () => {
    expect(decode(orderBytes().fill(0, 384, 400))).toMatchObject({ amountBase: null, lastExecutedAt: null });
  });

  it('refuses what is no such order', () => {
    const code = 'DECODE__DISCRIMINATOR_MISMATCH';
    expect(() => decode(orderBytes().fill(0, 0, 8))).toThrowError(expect.objectContaining({ code }));
  });
});

describe('rebalanceOrderFilters', () => {
  const finds = (...asked: Parameters<typeof rebalanceOrderFilters>) =>
    rebalanceOrderFilters(...asked).every(({ offset, bytes }) =>
      bytes.every((byte, at) => orderBytes()[offset + at] === byte),
    );

  it('finds all rebalance orders, or those of one account', () => {
    expect(finds()).toBe(true);
    expect(finds(account)).toBe(true);
    expect(finds(address)).toBe(false);
  });
});
