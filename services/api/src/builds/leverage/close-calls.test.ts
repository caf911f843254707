import { LendingError } from '@lending/errors';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createClosePosition } from '#tools/close-position.ts';
import { ACCOUNT, SOL_MINT } from '../../testing/account-rows.ts';
import { SOL_BANK, USDC_BANK, USDC_MINT } from '../../testing/bank-row.ts';
import { leverageRequest, NO_POLICY } from '../../testing/fake-builds.ts';
import type { LeverageRequest } from '../build-request.ts';
import { type DebtToClose, withCalls } from './close-calls.ts';

const REQUEST = leverageRequest({
  ...{
    kind: 'close_position',
    authority: address(ACCOUNT),
    depositBank: null,
    borrowBank: null,
    createsAccount: false,
  },
  ...{ amount: 'all', leverage: null, surplus: 'redeposit', priorityFee: 5_000n, version: 1 },
  policy: { minHealthRatioAfter: 1.25, maxSlippageBps: 30, maxPriceImpactPct: null },
});
const SAME = { priority_fee: 5_000, transaction_version: 1 };
const LIMITS = { max_slippage_bps: 30 };
const CLOSE = { authority: ACCOUNT, account: ACCOUNT, deposit_bank: SOL_BANK, borrow_bank: USDC_BANK };
const ABOVE = new LendingError('ACTION__REPAY_EXCEEDED', {
  context: { cap_usd: 250_000, max_repay_raw: '250000000000', repay_raw: '600000000001' },
});

function callsOf(request: Partial<LeverageRequest>): readonly { readonly args: Record<string, unknown> }[] {
  const debt: DebtToClose = {
    request: { ...REQUEST, ...request },
    account: address(ACCOUNT),
    deposit: { address: address(SOL_BANK), mint: address(SOL_MINT) },
    borrow: { address: address(USDC_BANK), mint: address(USDC_MINT), decimals: 6 },
  };
  return withCalls(ABOVE, debt)?.context.calls as ReturnType<typeof callsOf>;
}

describe('calls that repay a debt in parts', () => {
  it('are arguments of the tool, with what the caller asked for besides, and symbols beside them', () => {
    const calls = callsOf({});
    expect(calls).toEqual([
      ...[1, 2].map(() => ({
        tool: 'svc_close_position',
        args: { ...CLOSE, amount: '200000', policy: LIMITS, ...SAME },
        deposit_symbol: 'SOL',
        borrow_symbol: 'USDC',
      })),
      {
        tool: 'svc_close_position',
        args: {
          ...{ ...CLOSE, repay_all: true, surplus: 'redeposit', ...SAME },
          // The health that the caller wants is that of the end.
          policy: { min_health_ratio_after: 1.25, ...LIMITS },
        },
        deposit_symbol: 'SOL',
        borrow_symbol: 'USDC',
      },
    ]);
    const { input } = createClosePosition({} as never);
    for (const { args } of calls) expect(() => input.parse(args)).not.toThrow();
  });

  it('repay an amount to the unit, and say nothing that is a default', () => {
    const calls = callsOf({
      amount: '600000.000001',
      surplus: 'wallet',
      policy: NO_POLICY,
      priorityFee: 'low',
      version: 0,
    });
    expect(calls.map(({ args }) => args)).toEqual([
      { ...CLOSE, amount: '200000' },
      { ...CLOSE, amount: '200000' },
      { ...CLOSE, amount: '200000.000001' },
    ]);
  });

  it('are named of no other refusal', () => {
    const other = new LendingError('ACTION__REPAY_EXCEEDED', { context: { max_repay_raw: '5' } });
    expect(withCalls(other, {} as never)).toBe(other);
    expect(withCalls(null, {} as never)).toBeNull();
  });
});
