import type { ActionState } from '@lending/transactions';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AuditSnapshot } from '#reads/audit-set.ts';
import { differingRow } from '../testing/audit-row.ts';
import { SOL_BANK, USDC_BANK } from '../testing/bank-row.ts';
import { findTrustRefusal, type TrustQuestion, trustWarnings } from './bank-trust.ts';

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
