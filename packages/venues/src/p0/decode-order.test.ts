import { formatI80F48, integerToI80F48 } from '@lending/domain';
import { MARGINFI_PROGRAM, orderLayout } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { madeAddress } from '../testing/made-trace.ts';
import { decodeOrder } from './decode-order.ts';
import { orderFilters } from './discovery.ts';

const address = madeAddress(9);
const account = madeAddress(2);

function orderBytes(fields: { readonly trigger: number; readonly maxSlippage?: number }) {
  const empty = new Uint8Array(orderLayout.fixedSize);
  empty.set(orderLayout.discriminator);
  const data = orderLayout.encode({
    ...orderLayout.decode(empty),
    marginfiAccount: account,
    stopLoss: integerToI80F48(90n),
    takeProfit: integerToI80F48(150n),
    tags: [7, 8],
    ...fields,
  });
  return { address, owner: MARGINFI_PROGRAM, data: Uint8Array.from(data) };
}

const decode = (fields: Parameters<typeof orderBytes>[0]) => decodeOrder(orderBytes(fields), MARGINFI_PROGRAM);

describe('decodeOrder', () => {
  it('tells whose order it is and what it waits for', () => {
    expect(decode({ trigger: 2, maxSlippage: 0 })).toEqual({
      address,
      account,
      trigger: 'both',
      stopLoss: integerToI80F48(90n),
      takeProfit: integerToI80F48(150n),
      maxSlippage: 0n,
      tags: [7, 8],
    });
  });

  it('leaves out the side its trigger does not have', () => {
    expect(decode({ trigger: 0 })).toMatchObject({ trigger: 'stop_loss', takeProfit: null });
    expect(decode({ trigger: 1 })).toMatchObject({ trigger: 'take_profit', stopLoss: null });
    expect(decode({ trigger: 3 })).toMatchObject({ trigger: 'unknown', stopLoss: null, takeProfit: null });
  });

  it('tells slippage as a fraction of one', () => {
    expect(formatI80F48(decode({ trigger: 0, maxSlippage: 0xffff_ffff }).maxSlippage)).toBe('1');
    expect(decode({ trigger: 0, maxSlippage: 0x8000_0000 }).maxSlippage).toBe(2n ** 47n + 2n ** 15n);
  });

  it('refuses what is no order, or of another program', () => {
    const order = orderBytes({ trigger: 0 });
    expect(() => decodeOrder({ ...order, data: order.data.slice(0, 100) }, MARGINFI_PROGRAM)).toThrowError(
      expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' }),
    );
    expect(() => decodeOrder(order, account)).toThrowError(expect.objectContaining({ code: 'DECODE__OWNER_MISMATCH' }));
    expect(() => decodeOrder({ ...order, data: order.data.fill(0, 0, 8) }, MARGINFI_PROGRAM)).toThrowError(
      expect.objectContaining({ code: 'DECODE__DISCRIMINATOR_MISMATCH' }),
    );
  });
});

describe('orderFilters', () => {
  const { data } = orderBytes({ trigger: 0 });
  const finds = (...asked: Parameters<typeof orderFilters>) =>
    orderFilters(...asked).every(({ offset, bytes }) => bytes.every((byte, at) => data[offset + at] === byte));

  it('finds all orders, or those of one account', () => {
    expect(finds()).toBe(true);
    expect(finds(account)).toBe(true);
    expect(finds(address)).toBe(false);
  });
});
