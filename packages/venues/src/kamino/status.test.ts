import { describe, expect, it } from 'vitest';
import { statusOf } from './status.ts';
import { madeMarket, madeReserve } from './testing/made-reserve.ts';

describe('statusOf', () => {
  it('allows everything in an ordinary reserve, and in a hidden one', () => {
    for (const status of [0, 2]) {
      const reserve = madeReserve({ config: { status } });
      expect(statusOf(reserve, madeMarket())).toEqual({
        status: 'active',
        reasons: [],
        mayDeposit: true,
        mayBorrow: true,
        mayWithdraw: true,
      });
    }
  });

  it.each([
    ['suspended', 'version_deprecated', { version: 2n }, {}],
    ['suspended', 'market_emergency', {}, { emergencyMode: 1 }],
    ['suspended', 'reserve_emergency', { config: { emergencyMode: 1 } }, {}],
    ['unknown', 'status_unknown', { config: { status: 3 } }, {}],
    ['closed', 'obsolete', { config: { status: 1 } }, {}],
    ['closed', 'deposit_limit_zero', { config: { depositLimit: 0n } }, {}],
    ['restricted', 'borrow_limit_zero', { config: { borrowLimit: 0n } }, {}],
    ['restricted', 'borrows_disabled', {}, { borrowDisabled: 1 }],
    ['restricted', 'deposits_permissioned', { permissionedOps: 1n }, {}],
    ['restricted', 'borrows_permissioned', {}, { permissionedOps: 2n }],
  ])('says %s for %s', (status, reason, fields, market) => {
    expect(statusOf(madeReserve(fields), madeMarket(market))).toMatchObject({ status, reasons: [reason] });
  });

  it('lets the gravest reason decide and names all', () => {
    const reserve = madeReserve({ permissionedOps: 3n, config: { status: 1, borrowLimit: 0n } });
    expect(statusOf(reserve, madeMarket())).toEqual({
      status: 'closed',
      reasons: ['obsolete', 'borrow_limit_zero', 'deposits_permissioned', 'borrows_permissioned'],
      mayDeposit: false,
      mayBorrow: false,
      mayWithdraw: true,
    });
  });
});
