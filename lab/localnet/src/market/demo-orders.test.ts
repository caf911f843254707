import { getAddressBytes, MARGINFI_PROGRAM, NEWEST_VERSION, orderLayout, type ProgramVersion } from '@lending/programs';
import { decodeMarginfiAccount } from '@lending/venues';
import { expect, it } from 'vitest';
import { demoOrders } from './demo-orders.ts';

it('places two orders over balances of one account, joined by their tags', () => {
  const made = demoOrders({ unixTimestamp: 1_795_255_000n, programVersion: NEWEST_VERSION });
  const [[wallet], [address, state], ...orders] = made as [(typeof made)[0], (typeof made)[0], ...typeof made];
  const account = decodeMarginfiAccount({ address, owner: state.owner, data: state.data }, MARGINFI_PROGRAM);
  expect(account).toMatchObject({ authority: wallet, activeOrders: 2, lastTagUsed: 3 });
  expect(account.derivation).toMatchObject({ index: 0 });
  const banks = account.balances.map(({ bank }) => getAddressBytes(bank));
  expect(banks).toEqual(banks.toSorted((one, other) => Buffer.compare(other, one)));
  const sideOf = new Map(account.balances.map(({ tag, assetShares }) => [tag, assetShares > 0n ? 'lent' : 'owed']));
  expect(orders).toHaveLength(2);
  for (const [, { owner, data }] of orders) {
    expect(owner).toBe(MARGINFI_PROGRAM);
    expect(data).toHaveLength(orderLayout.fixedSize);
    const order = orderLayout.decode(data);
    expect(order.marginfiAccount).toBe(address);
    expect(order.tags.map((tag) => sideOf.get(tag))).toEqual(['lent', 'owed']);
  }
  const [stopLoss, both] = orders.map(([, { data }]) => orderLayout.decode(data));
  expect(stopLoss).toMatchObject({ trigger: 0, takeProfit: 0n });
  expect(both?.trigger).toBe(2);
  expect(both?.takeProfit).toBeGreaterThan(both?.stopLoss ?? 0n);
});

it('has its trader owe a month of premium on what it borrowed of USDT, where the program charges any', () => {
  const owed = (programVersion: ProgramVersion) => {
    const [, [address, state]] = demoOrders({ unixTimestamp: 1_795_255_000n, programVersion }) as [
      never,
      (typeof made)[0],
    ];
    const account = decodeMarginfiAccount({ address, owner: state.owner, data: state.data }, MARGINFI_PROGRAM);
    return account.balances.flatMap(({ premium, liabilityShares }) =>
      premium.rate === 0 ? [] : [{ premium, liabilityShares }],
    );
  };
  const made = demoOrders({ unixTimestamp: 1_795_255_000n, programVersion: NEWEST_VERSION });
  const [debt, ...others] = owed(NEWEST_VERSION);
  expect(others).toEqual([]);
  // 2,000 USDT at 1 % for thirty days.
  expect(debt).toMatchObject({ premium: { rate: 4_294_967 }, liabilityShares: 2_000_000_000n << 48n });
  expect(Number((debt?.premium.outstanding ?? 0n) >> 48n)).toBeCloseTo((2_000e6 * 0.01 * 30) / 365, -4);
  expect(owed('0.1.11')).toEqual([]);
});
