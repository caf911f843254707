import { BANK_FLAG, OPERATIONAL_STATES } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { BANK_OPERATIONAL_STATES, bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount } from '#testing/made-bank.ts';
import { decodeBank } from './decode-bank.ts';
import { sampleRates } from './sample-rates.ts';

const OTHER = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const decode = (account = bankAccount()) => decodeBank(account, MARGINFI_PROGRAM);
const failure = (code: string) => expect.objectContaining({ code, message: expect.stringContaining(BANK) });

describe('decodeBank', () => {
  it('refuses an account of another program', () => {
    expect(() => decode({ ...bankAccount(), owner: OTHER })).toThrowError(failure('DECODE__OWNER_MISMATCH'));
  });

  it('refuses an account of another kind', () => {
    const account = bankAccount();
    const data = Uint8Array.from(account.data, (byte, index) => (index === 3 ? byte ^ 1 : byte));
    expect(() => decode({ ...account, data })).toThrowError(failure('DECODE__DISCRIMINATOR_MISMATCH'));
  });

  it('refuses an account that is too short, even an empty one', () => {
    for (const length of [0, 4, 8, 1000, bankLayout.fixedSize - 1]) {
      const account = { ...bankAccount(), data: bankAccount().data.subarray(0, length) };
      expect(() => decode(account)).toThrowError(failure('DECODE__ACCOUNT_MALFORMED'));
      expect(() => decode(account)).toThrowError(`has ${length} bytes, expected at least 1864`);
    }
  });

  it('reads the same from a longer account', () => {
    const account = bankAccount();
    const data = new Uint8Array(bankLayout.fixedSize + 136).fill(7);
    data.set(account.data);
    expect(decode({ ...account, data })).toEqual(decode(account));
  });

  it('has states in the order in which the rest of the service counts them', () => {
    expect(BANK_OPERATIONAL_STATES).toEqual(OPERATIONAL_STATES);
  });

  it('reads the circuit breaker where it is on', () => {
    const fields = {
      config: {
        cbDeviationBpsTiers: [500, 1_000, 2_000],
        cbTierDurationsSeconds: [600, 3_600, 43_200],
        cbEscalationWindowMult: 2,
        cbEmaAlphaBps: 900,
        cbWindowSeconds: 7_200,
        cbWindowMaxUpBps: 1_500,
        cbWindowMaxDownBps: 2_500,
      },
      cbTier: 3,
      cbTier3ConsecutiveTrips: 2,
      cbPreBreakState: 5,
      cbHaltStartedAt: 11n,
      cbHaltEndedAt: 12n,
      cbLastObservedSlot: 13n,
      cbLastOracleSourceTime: 14n,
      cbReferencePrice: 15n,
      cbWindowReferencePrice: 16n,
      cbWindowStartedAt: 17n,
      cbFrozenSecondsPending: 18n,
    };
    expect(decode(bankAccount(fields)).breaker).toBeNull();
    expect(decode(bankAccount({ ...fields, flags: BANK_FLAG.hasCircuitBreaker })).breaker).toEqual({
      terms: {
        tiersBps: [500, 1_000, 2_000],
        tierSeconds: [600, 3_600, 43_200],
        escalationMultiple: 2,
        emaAlphaBps: 900,
        windowSeconds: 7_200,
        windowMaxUpBps: 1_500,
        windowMaxDownBps: 2_500,
      },
      state: {
        tier: 3,
        tier3Trips: 2,
        haltStartedAt: 11n,
        haltEndedAt: 12n,
        lastObservedSlot: 13n,
        lastSourceTime: 14n,
        referencePrice: 15n,
        windowReferencePrice: 16n,
        windowStartedAt: 17n,
        frozenSecondsPending: 18n,
      },
      preBreakState: 5,
    });
  });

  it('makes enum numbers of a newer program unknown', () => {
    const bank = decode(bankAccount({ config: { operationalState: 7, oracleSetup: 29 } }));
    expect(bank.operationalState).toBe('Unknown');
    expect(bank.oracle.setup).toBe('Unknown');
    expect(decode(bankAccount({ config: { operationalState: 5 } })).operationalState).toBe(
      'ReduceOnlyWithBorrowingPower',
    );
  });

  it.each([
    ['mint_decimals', bankAccount({ mintDecimals: 24 })],
    ['asset_share_value', bankAccount({ assetShareValue: -1n })],
    ['total_liability_shares', bankAccount({ totalLiabilityShares: -1n })],
    ['risk_tier', bankAccount({ config: { riskTier: 2 } })],
    ['asset_tag', bankAccount({ config: { assetTag: 7 } })],
    ['asset_weight_init', bankAccount({ config: { assetWeightInit: -1n } })],
  ])('refuses a %s that no bank can have, and names it', (field, account) => {
    expect(() => decode(account)).toThrowError(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE', message: expect.stringContaining(field) }),
    );
  });

  it('reads the largest limit as none, and a zero value limit as off', () => {
    const none = 2n ** 64n - 1n;
    const bank = decode(bankAccount({ config: { depositLimit: none, borrowLimit: 0n, totalAssetValueInitLimit: 0n } }));
    expect(bank).toMatchObject({ depositLimit: null, borrowLimit: 0n, totalAssetValueInitLimitUsd: null });
  });

  it('names the venue account of integration banks only', () => {
    expect(decode(bankAccount({ integrationAcc1: OTHER })).venueAccount).toBeNull();
    const kamino = decode(bankAccount({ integrationAcc1: OTHER, config: { assetTag: 3 } }));
    expect(kamino).toMatchObject({ venue: 'kamino', venueAccount: OTHER });
  });

  it('has a cached multiplier only where one was written', () => {
    expect(decode().oracleCache.multiplier).toBeNull();
    const { data, ...rest } = bankAccount();
    new DataView(data.buffer).setBigUint64(1456, 7n, true);
    expect(decode({ ...rest, data }).oracleCache.multiplier).toBe(7n);
  });

  it('reads what the program last computed of its interest', () => {
    const rates = { baseRate: 1, lendingRate: 2, borrowingRate: 0xffff_ffff };
    const { cache } = bankLayout.decode(bankAccount().data);
    const bank = bankAccount({
      cache: {
        ...cache,
        ...rates,
        interestAccumulatedFor: 4,
        accumulatedSinceLastUpdate: -5n,
        liqCacheFlags: 1,
        liquidationPriceRt: 6n,
        liquidationPriceRtConfidence: 7n,
        liquidationPriceTwap: 8n,
        liquidationPriceTwapConfidence: 9n,
      },
    });
    const accrued = { accruedSeconds: 4n, accruedToDepositors: -5n };
    const locked = { isLocked: true, lockedPrices: [6n, 7n, 8n, 9n] };
    expect(decode(bank).interestCache).toEqual({ ...rates, ...accrued, ...locked });
    expect(decode(bankAccount({ cache: { ...cache, liqCacheFlags: 2 } })).interestCache.isLocked).toBe(false);
  });

  it('reads the seed that 0.1.9 writes down', () => {
    expect(decode(bankAccount({ bankSeed: 12n })).bankSeed).toBe(12n);
  });

  it('reads the premium its debts pay where 0.1.12 put it, and whether they pay it', () => {
    const { data, ...rest } = bankAccount({ flags: (1n << 12n) | (1n << 14n) });
    const view = new DataView(data.buffer);
    view.setUint16(1848, 2, true);
    view.setBigInt64(1856, 1_791_000_000n, true);
    view.setBigInt64(1736, 3n, true);
    view.setBigInt64(1744, 1n, true);
    const premium = { tag: 2, isActive: false, activatedAt: 1_791_000_000n, collected: (1n << 64n) + 3n };
    expect(decode({ ...rest, data }).premium).toEqual(premium);
    expect(decode(bankAccount({ flags: 1n << 13n })).premium).toMatchObject({ tag: 0, isActive: true });
  });

  it('answers any bytes with a bank or with an error of ours, and so do its rates', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 0, maxLength: bankLayout.fixedSize }),
        fc.nat(bankLayout.fixedSize),
        (noise, at) => {
          const { data, ...rest } = bankAccount();
          const spoiled = Uint8Array.from(data);
          spoiled.set(noise.subarray(0, bankLayout.fixedSize - at), at);
          try {
            sampleRates(decode({ ...rest, data: spoiled }), null, 1_777_000_000n, 5n);
          } catch (error) {
            expect(isLendingError(error)).toBe(true);
          }
        },
      ),
    );
  });
});
