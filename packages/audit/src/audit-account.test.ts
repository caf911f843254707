import { I80F48_ONE } from '@lending/domain';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { auditAccount } from './audit-account.ts';
import type { AuditedAccount } from './audited-account.ts';
import { fromShownPrice } from './cached-prices.ts';
import { differs } from './comparison.ts';
import { accountOf, BANK, bankOf, DEBT_BANK, NO_GROUP } from './testing/made-states.ts';

const ONE = I80F48_ONE;
const NOW = 2_000n;
const prices = (...shown: number[]) => [...shown, ...Array(16 - shown.length).fill(0)];
const usd = (amount: bigint) => amount * ONE;
const both = (bank: ReturnType<typeof bankOf>) => ({ before: bank, after: bank });
const BANKS = new Map<Address, AuditedAccount['banks'] extends ReadonlyMap<Address, infer S> ? S : never>([
  [BANK, both(bankOf())],
  [DEBT_BANK, both(bankOf({}, DEBT_BANK))],
]);
const held = (assets: bigint, debts: bigint) => [
  { bank: BANK, assets: assets * 1_000_000n },
  { bank: DEBT_BANK, debts: debts * 1_000_000n },
];
/** Of 1,000 lent and 100 owed, at a dollar each: weights are a half and three quarters, and two and one and a half. */
const TOTALS = {
  assetValue: usd(500n),
  liabilityValue: usd(200n),
  assetValueMaint: usd(750n),
  liabilityValueMaint: usd(150n),
  assetValueEquity: usd(1_000n),
  liabilityValueEquity: usd(100n),
};
const pulsed = (cache: Partial<typeof TOTALS> = {}) => ({
  lastUpdate: 1_500n,
  healthCache: { ...TOTALS, ...cache, timestamp: NOW, prices: prices(1, 1) },
});
const borrowed = (cache: object = {}) => ({
  lastUpdate: NOW,
  healthCache: { assetValue: usd(500n), liabilityValue: usd(200n), timestamp: NOW, prices: prices(1, 1), ...cache },
});

function audit(change: Partial<AuditedAccount> & Pick<AuditedAccount, 'after'>) {
  return auditAccount({
    before: accountOf(held(1_000n, 100n)),
    banks: BANKS,
    prices: new Map(),
    arePricesOfCheck: false,
    group: NO_GROUP,
    version: '0.1.12',
    ...change,
  });
}

describe('auditAccount', () => {
  it('compares all totals of a pulse, each with the banks of its side', () => {
    const found = audit({ after: accountOf(held(1_000n, 100n), pulsed()) });
    expect(Object.fromEntries(found.map(({ field, ours }) => [field.slice(12), ours]))).toEqual(TOTALS);
    expect(found.filter(differs)).toEqual([]);
    expect(found[0]).toMatchObject({ field: 'healthCache.assetValue', banks: [BANK], bound: 0n });
    expect(found[1]).toMatchObject({ field: 'healthCache.liabilityValue', banks: [DEBT_BANK], bound: 0n });
  });

  it.each(Object.keys(TOTALS) as (keyof typeof TOTALS)[])('sees a unit of difference in %s', (field) => {
    const after = accountOf(held(1_000n, 100n), pulsed({ [field]: TOTALS[field] + 1n }));
    expect(audit({ after }).filter(differs)).toMatchObject([
      { field: `healthCache.${field}`, theirs: TOTALS[field] + 1n },
    ]);
  });

  it('compares an account that is seen for the first time where nothing came after the pulse', () => {
    expect(audit({ before: null, after: accountOf(held(1_000n, 100n), pulsed()) })).toHaveLength(6);
    const used = { ...pulsed(), lastUpdate: NOW };
    expect(audit({ before: null, after: accountOf(held(1_000n, 100n), used) })).toEqual([]);
  });

  it('compares the initial totals of a borrow and of a withdrawal', () => {
    for (const before of [held(1_000n, 50n), held(1_100n, 100n)].map((list) => accountOf(list))) {
      const found = audit({ before, after: accountOf(held(1_000n, 100n), borrowed()) });
      expect(found.map(({ field, ours, theirs }) => [field, ours - theirs])).toEqual([
        ['healthCache.assetValue', 0n],
        ['healthCache.liabilityValue', 0n],
      ]);
    }
  });

  it('says nothing where no check came, or it was of other balances', () => {
    const after = accountOf(held(1_000n, 100n), borrowed());
    // A deposit, a repayment, two balances at once, a cache that is as it was.
    for (const list of [held(900n, 100n), held(1_000n, 110n), held(1_100n, 90n)]) {
      expect(audit({ before: accountOf(list), after })).toEqual([]);
    }
    expect(audit({ before: after, after })).toEqual([]);
    // Zeros of a flash loan, and a price of a balance that was closed since.
    const loan = accountOf(held(1_000n, 100n), borrowed({ assetValue: 0n, liabilityValue: 0n, prices: prices() }));
    expect(audit({ after: loan })).toEqual([]);
    expect(audit({ after: accountOf(held(1_000n, 100n), borrowed({ prices: prices(1, 1, 1) })) })).toEqual([]);
  });

  it('lets an account that borrowed or withdrew be better than its cache, since its owner may have paid in after', () => {
    const before = accountOf(held(2_000n, 100n));
    const at = (cache: object) => audit({ before, after: accountOf(held(1_000n, 100n), borrowed(cache)) });
    expect(at({ assetValue: usd(499n) }).map(({ field }) => field)).toEqual(['healthCache.liabilityValue']);
    expect(at({ liabilityValue: usd(201n) }).map(({ field }) => field)).toEqual(['healthCache.assetValue']);
    expect(at({ assetValue: usd(501n) }).filter(differs)).toHaveLength(1);
    expect(at({ liabilityValue: usd(199n) }).filter(differs)).toHaveLength(1);
  });

  it('takes a check that leaves all shares as they were for a pulse only where the account was not used', () => {
    // Withdrawn and paid back in one transaction: the cache is of the time between.
    const between = { assetValue: usd(400n), liabilityValue: usd(200n) };
    const cycled = accountOf(held(1_000n, 100n), borrowed(between));
    expect(audit({ after: cycled })).toEqual([]);
    expect(audit({ before: null, after: cycled })).toEqual([]);
  });

  it('says nothing where the settings of a bank changed in the slot, or what all lend to one that limits that', () => {
    const after = accountOf(held(1_000n, 100n), pulsed());
    const within = (was: ReturnType<typeof bankOf>, is: ReturnType<typeof bankOf>) =>
      audit({ after, banks: new Map([...BANKS, [BANK, { before: was, after: is }]]) });
    expect(within(bankOf(), bankOf({ config: { assetWeightInit: ONE / 4n } }))).toEqual([]);
    expect(within(bankOf(), bankOf({ config: { fixedPrice: 2n * ONE } }))).toEqual([]);
    const limited = { config: { totalAssetValueInitLimit: 1_000n } };
    expect(within(bankOf(limited), bankOf({ ...limited, totalAssetShares: 1n }))).toEqual([]);
    expect(within(bankOf(limited), bankOf(limited))).not.toEqual([]);
  });

  it('says nothing where a bank was brought up to date in the second of the check by another', () => {
    const [was, is] = [bankOf(), bankOf({ lastUpdate: NOW, assetShareValue: ONE + 1n })];
    const banks = new Map([...BANKS, [BANK, { before: was, after: is }]]);
    const after = accountOf(held(1_000n, 100n), pulsed());
    expect(audit({ after, banks })).toEqual([]);
    const later = bankOf({ lastUpdate: NOW + 1n });
    expect(audit({ after, banks: new Map([...BANKS, [BANK, both(later)]]) })).toEqual([]);
    expect(audit({ after, banks: new Map([[BANK, both(bankOf())]]) })).toEqual([]);
  });

  it('counts collateral without a price as the check did', () => {
    const cache = { assetValue: 0n, liabilityValue: usd(200n), internalErr: 6049, prices: prices(0, 1) };
    const after = accountOf(held(1_000n, 100n), borrowed(cache));
    const found = audit({ before: accountOf(held(1_000n, 50n)), after });
    expect(found).toMatchObject([{ field: 'healthCache.liabilityValue', ours: usd(200n), theirs: usd(200n) }]);
  });

  it('takes the price of the moment from an oracle whose average the account shows', () => {
    const pyth = (at: Address) => both(bankOf({ config: { oracleSetup: 3 } }, at));
    const banks = new Map([BANK, DEBT_BANK].map((at) => [at, pyth(at)]));
    const after = accountOf(held(1_000n, 100n), pulsed());
    const maintenance = (average: bigint) => {
      const band = (raw: bigint) => ({ spot: raw, low: raw, high: raw });
      const price = { kind: 'loaded', spot: band(ONE), ema: band(average), hasBorrowingPower: true } as const;
      const found = audit({ after, banks, prices: new Map([BANK, DEBT_BANK].map((at) => [at, price])) });
      return found.filter(({ field }) => field.endsWith('Maint'));
    };
    expect(maintenance(ONE)).toMatchObject([
      { ours: usd(750n), theirs: usd(750n), bound: usd(750n) / 1_000n },
      { ours: usd(150n), theirs: usd(150n), bound: usd(150n) / 1_000n },
    ]);
    expect(maintenance(ONE + 1n)).toEqual([]);
  });
});

describe('fromShownPrice', () => {
  it('gives back every number below 32 USD, and above the nearest that a double holds', () => {
    for (const raw of [1n, ONE, 32n * ONE - 1n]) {
      expect(fromShownPrice(Number(raw) / 2 ** 48)).toEqual({ raw, error: 0n });
    }
    const raw = 60_000n * ONE + 12_345n;
    const shown = fromShownPrice(Number(raw) / 2 ** 48);
    expect(shown?.error).toBe(1n << 10n);
    const off = (shown?.raw ?? 0n) - raw;
    expect(off <= 1_024n && off >= -1_024n && off !== 0n).toBe(true);
    expect(fromShownPrice(-1)).toBeNull();
    expect(fromShownPrice(Number.NaN)).toBeNull();
  });
});
