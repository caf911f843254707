import type { Health } from '@lending/domain';
import type { ActionState } from '@lending/transactions';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AuditSnapshot } from '#reads/audit-set.ts';
import { differingRow, SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { NO_POLICY } from '../testing/fake-builds.ts';
import { applyPolicy } from './apply-policy.ts';
import { findTrustRefusal, type TrustQuestion, trustWarnings } from './bank-trust.ts';

const atLeast = (minHealthRatioAfter: number) => ({ ...NO_POLICY, minHealthRatioAfter });

function healthOf(assets: bigint, liabilities: bigint, isValued = true) {
  const ratio = !isValued || liabilities === 0n ? null : { numerator: assets, denominator: liabilities };
  const health = { maintenance: isValued ? { assets, liabilities } : null, ratio } as Health;
  return { health, factor: { numerator: 1n, denominator: 1n }, staleBanks: [] };
}

describe('applyPolicy', () => {
  it('passes exactly at the line, whatever floats make of it', () => {
    expect(() => applyPolicy(atLeast(1.1), healthOf(11n, 10n), 'svc_borrow')).not.toThrow();
    expect(() => applyPolicy(atLeast(1.1), healthOf(10_999_999_999_999_999_999n, 10n ** 19n), 'svc_borrow')).toThrow(
      expect.objectContaining({
        code: 'ACTION__POLICY_INVALID',
        context: expect.objectContaining({ min_health_ratio_after: 1.1, policy: 'min_health_ratio_after' }),
      }),
    );
  });

  it('passes an account without debt, and whoever has no policy', () => {
    expect(() => applyPolicy(atLeast(100), healthOf(0n, 0n), 'svc_deposit')).not.toThrow();
    expect(() => applyPolicy(NO_POLICY, healthOf(1n, 10n), 'svc_borrow')).not.toThrow();
  });

  it('refuses an account that cannot be valued', () => {
    expect(() => applyPolicy(atLeast(1), healthOf(1n, 1n, false), 'svc_borrow')).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ health_ratio_after: null }) }),
    );
  });
});

const [SOL, USDC] = [address(SOL_BANK), address(USDC_BANK)];
const SHARES = 1n << 60n;
const SOL_DIFFERS = auditsOf(SOL_BANK);

function auditsOf(...banks: readonly string[]): AuditSnapshot {
  return new Map(
    banks.map((bank) => {
      const row = differingRow({ bank });
      return [bank, { bank, figures: [row], unverified: [row] }];
    }),
  );
}

/** An account with SOL deposited, and USDC owed where it is to owe. */
function stateOf(owes: boolean): TrustQuestion['state'] {
  const balances = [
    { bank: SOL, assetShares: SHARES, liabilityShares: 0n },
    ...(owes ? [{ bank: USDC, assetShares: 0n, liabilityShares: SHARES }] : []),
  ];
  const held = new Map(balances.map(({ bank }) => [bank, {}]));
  return { account: { state: { balances } }, held } as unknown as ActionState;
}

function question(changes: Partial<TrustQuestion> & { readonly owes?: boolean } = {}): TrustQuestion {
  const { owes = true, ...rest } = changes;
  return {
    kind: 'borrow',
    state: stateOf(owes),
    acted: [SOL],
    audits: SOL_DIFFERS,
    overruledUntil: () => null,
    ...rest,
  };
}

const codeOf = (changes: Parameters<typeof question>[0]) => findTrustRefusal(question(changes))?.code ?? null;

describe('findTrustRefusal', () => {
  it.each([
    ['borrow', true, 'ACTION__BANK_UNVERIFIED'],
    ['borrow', false, 'ACTION__BANK_UNVERIFIED'],
    ['loop', false, 'ACTION__BANK_UNVERIFIED'],
    ['withdraw', true, 'ACTION__BANK_UNVERIFIED'],
    ['withdraw', false, null],
    ['deposit', true, null],
    ['repay', true, null],
    ['close_position', true, null],
    ['create_account', false, null],
  ] as const)('of a %s by an account that owes: %s is %s', (kind, owes, code) => {
    expect(codeOf({ kind, owes })).toBe(code);
  });

  it('counts both banks of a loop, and no bank that is only held', () => {
    expect(codeOf({ kind: 'loop', acted: [USDC, SOL] })).toBe('ACTION__BANK_UNVERIFIED');
    expect(codeOf({ acted: [USDC] })).toBeNull();
  });

  it('gives way to an operator, bank by bank', () => {
    const overruledUntil = (bank: string) => (bank === SOL_BANK ? 1 : null);
    expect(codeOf({ overruledUntil })).toBeNull();
    const both = { kind: 'loop', acted: [SOL, USDC], audits: auditsOf(SOL_BANK, USDC_BANK), overruledUntil } as const;
    expect(findTrustRefusal(question(both))?.context).toMatchObject({
      bank: USDC_BANK,
      residuals: [{ bank: USDC_BANK }],
    });
  });

  it('names the figures with both sides and the bound', () => {
    expect(findTrustRefusal(question())?.context).toEqual({
      bank: SOL_BANK,
      residuals: [
        {
          bank: SOL_BANK,
          figure: 'rates',
          field: 'borrowing_rate',
          ours: '61000',
          theirs: '61432',
          bound: '0',
          slot: 400_000_900,
        },
      ],
    });
  });
});

describe('trustWarnings', () => {
  const banksOf = (changes: Parameters<typeof question>[0]) =>
    trustWarnings(question(changes)).map(({ code, bank }) => [code, bank]);

  it('names banks that are acted on or held, each once, and no other', () => {
    const audits = auditsOf(USDC_BANK, SOL_BANK, 'another');
    expect(banksOf({ audits })).toEqual([
      ['BANK_UNVERIFIED', SOL],
      ['BANK_UNVERIFIED', USDC],
    ]);
    expect(banksOf({ audits: new Map() })).toEqual([]);
  });

  it('says until when an operator has it built for', () => {
    const [warning] = trustWarnings(question({ overruledUntil: () => Date.parse('2027-01-31T12:00:00Z') }));
    expect(warning?.message).toContain('until 2027-01-31T12:00:00.000Z');
    expect(trustWarnings(question())[0]?.message).not.toContain('until');
  });
});
