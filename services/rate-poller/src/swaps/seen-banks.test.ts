import type { Message } from '@lending/events';
import { anyAddress } from '@lending/fakes';
import type { PricedReading, ReserveReading } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { madeSeenBank } from '#testing/made-swaps.ts';
import { madeReading } from '#testing/made-venue.ts';
import { type BankSight, createSeenBanks } from './seen-banks.ts';

const BANK = anyAddress(1);
/** One that its administrators left open. */
const OPEN = { operationalState: 'Operational', flags: 0n, depositLimit: null, borrowLimit: null } as const;
const PRICE = { kind: 'priced', priceUsd: '1.5', isStale: false } as PricedReading;

function madeSight(
  changes: Partial<BankSight> & { readonly bankChanges?: Partial<BankSight['bank']> } = {},
): BankSight {
  const { bankChanges = {}, ...sight } = changes;
  const { bank } = madeSeenBank(BANK, anyAddress(2));
  return {
    bank: { ...bank, ...OPEN, ...bankChanges },
    price: PRICE,
    vaultBase: 7n,
    reserve: null,
    group: null,
    ...sight,
  };
}

const measured = (slot: bigint, time = '2026-11-22T00:00:00.000Z') =>
  ({ type: 'bank.measured.v1', key: BANK, slot, time }) as unknown as Message;

function see(sight: BankSight) {
  const seen = createSeenBanks();
  seen.see([sight], [measured(5n)]);
  return [...seen.banks][0];
}

describe('createSeenBanks', () => {
  it('takes over what was read and measured, and its moment', () => {
    const seen = createSeenBanks();
    expect(seen.moment).toBeNull();
    seen.see([madeSight()], [measured(5n)]);
    const unixTimestamp = BigInt(Date.parse('2026-11-22T00:00:00Z') / 1_000);
    expect([...seen.banks]).toMatchObject([
      { priceUsd: '1.5', availableBase: 7n, takesDeposits: true, lendsOut: true, unixTimestamp },
    ]);
    expect(seen.moment).toEqual({ slot: 5n, unixTimestamp });
    expect(seen.size).toBe(1);
  });

  it('takes nothing of a bank that was doubted, nor of a moment that was', () => {
    const seen = createSeenBanks();
    seen.see([madeSight()], [{ ...measured(5n), type: 'rate.quarantined.v1' }]);
    expect([seen.size, seen.moment]).toEqual([0, null]);
  });

  it('keeps the newest moment when rounds end in another order', () => {
    const seen = createSeenBanks();
    seen.see([madeSight()], [measured(5n)]);
    seen.see([madeSight()], [measured(4n)]);
    expect(seen.moment?.slot).toBe(5n);
  });

  it('has no price of a feed that is stale or silent', () => {
    expect(see(madeSight({ price: { ...PRICE, isStale: true } }))?.priceUsd).toBeNull();
    const price = { kind: 'unavailable', reason: 'feed_missing', programError: null } as const;
    expect(see(madeSight({ price }))?.priceUsd).toBeNull();
  });

  it.each([
    ['is reduce-only', { operationalState: 'ReduceOnly' }, [false, false]],
    ['is being wound down', { flags: 0xffffn }, [false, false]],
    ['takes no deposits', { depositLimit: 0n }, [false, true]],
    ['lends nothing', { borrowLimit: 0n }, [true, false]],
    ['is full', { depositLimit: 1n, borrowLimit: 1n }, [true, true]],
  ] as const)('knows by configuration what a bank allows that %s', (_what, bankChanges, [takesDeposits, lendsOut]) => {
    expect(see(madeSight({ bankChanges }))).toMatchObject({ takesDeposits, lendsOut });
  });

  const reserve = madeReading(anyAddress(3), { status: 'active' });
  it.each<[string, ReserveReading | null, boolean]>([
    ['takes deposits', reserve, true],
    ['is restricted', { ...reserve, status: 'restricted' }, true],
    ['was not read', null, false],
    ['is closed', { ...reserve, status: 'closed' }, false],
    ['wants another signature', { ...reserve, statusReasons: ['deposits_permissioned'] }, false],
    ['has deposits paused', { ...reserve, statusReasons: ['deposits_paused'] }, false],
    ['has a limit of zero', { ...reserve, limits: { ...reserve.limits, depositLimitBase: 0n } }, false],
  ])('asks the reserve behind a bank, which %s', (_what, behind, takesDeposits) => {
    expect(see(madeSight({ bankChanges: { venue: 'kamino' }, reserve: behind }))).toMatchObject({ takesDeposits });
  });
});
