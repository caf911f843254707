import {
  accrueBank,
  type Breaker,
  formatI80F48,
  integerToI80F48,
  parseI80F48,
  type RiskPrice,
  sharesAt,
} from '@lending/domain';
import { decodeMessage, encodeMessage } from '@lending/events';
import { anyAddress, type BankFields, bankContent, CHAIN_SECONDS, GROUP, groupContent } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, decodeGroup } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { type BankMeasureReading, toBankMeasured } from './bank-measured.ts';

const BANK = anyAddress(1);
const BAND = { spot: parseI80F48('150'), low: parseI80F48('149.5'), high: parseI80F48('150.5') };
const PRICED: RiskPrice = { kind: 'loaded', spot: BAND, ema: 'OracleMaxConfidenceExceeded', hasBorrowingPower: true };

function readingOf(fields: BankFields = {}, reading: Partial<BankMeasureReading> = {}): BankMeasureReading {
  return {
    bank: decodeBank({ address: BANK, ...bankContent(fields) }, MARGINFI_PROGRAM),
    slot: 123n,
    unixTimestamp: CHAIN_SECONDS,
    riskPrice: PRICED,
    vaultBase: 300n,
    transferFee: null,
    group: decodeGroup({ address: GROUP, ...groupContent() }, MARGINFI_PROGRAM),
    ...reading,
  };
}

function payloadOf(reading: BankMeasureReading) {
  const message = toBankMeasured(reading, 'chain');
  expect(decodeMessage('bank.measured.v1', encodeMessage(message))).toEqual(message);
  expect(message).toMatchObject({ key: BANK, slot: 123n });
  return message.payload;
}

describe('toBankMeasured', () => {
  it('has the books as an accrual to the moment leaves them', () => {
    const stored = readingOf({ lastUpdate: CHAIN_SECONDS - 86_400n });
    const fee = { rate: parseI80F48('0.1'), fixedApr: 0n };
    const reading = { ...stored, bank: { ...stored.bank, fees: { ...stored.bank.fees, group: fee } } };
    const { bank, group } = reading;
    const fees = { ...bank.fees, program: group?.programFee ?? null };
    const after = accrueBank(bank.shares, bank.curve, fees, CHAIN_SECONDS);
    if (after === null) throw new Error('the bank cannot be accrued');
    const { ledger } = payloadOf(reading);
    expect(parseI80F48(ledger.assetShareValue)).toBe(after.assetShareValue);
    expect(parseI80F48(ledger.liabilityShareValue)).toBe(after.liabilityShareValue);
    expect(after.groupFees).toBeGreaterThan(0n);
    expect(parseI80F48(ledger.groupFees)).toBe(bank.feesOutstanding.group + after.groupFees);
    expect(parseI80F48(ledger.totalAssetShares)).toBe(integerToI80F48(1000n));
    expect(after.liabilityShareValue).toBeGreaterThan(bank.shares.liabilityShareValue);
    expect(ledger.lastUpdate).toBe(CHAIN_SECONDS.toString());
  });

  it('has the share values that the account stores, and how they grow', () => {
    const lastUpdate = CHAIN_SECONDS - 86_400n;
    const reading = readingOf({ lastUpdate });
    const { ledger } = payloadOf(reading);
    const { stored } = ledger;
    if (stored === null) throw new Error('nothing is said of what is stored');
    expect(parseI80F48(stored.liabilityShareValue)).toBe(reading.bank.shares.liabilityShareValue);
    const pace = {
      accruesFrom: BigInt(stored.accruesFrom),
      depositApr: parseI80F48(stored.depositApr),
      borrowApr: parseI80F48(stored.borrowApr),
    };
    expect(pace.accruesFrom).toBe(lastUpdate);
    const then = sharesAt(reading.bank.shares, pace, CHAIN_SECONDS);
    expect(formatI80F48(then.assetShareValue)).toBe(ledger.assetShareValue);
    expect(formatI80F48(then.liabilityShareValue)).toBe(ledger.liabilityShareValue);
    expect(then.liabilityShareValue).toBeGreaterThan(reading.bank.shares.liabilityShareValue);
    expect(payloadOf(readingOf({ lastUpdate }, { group: null })).ledger.stored).toBeNull();
  });

  it('leaves the books as they are stored where the group’s fees are not known', () => {
    const reading = readingOf({ lastUpdate: CHAIN_SECONDS - 86_400n }, { group: null });
    const payload = payloadOf(reading);
    expect(payload.group).toBe(null);
    expect(payload.ledger.lastUpdate).toBe((CHAIN_SECONDS - 86_400n).toString());
    expect(parseI80F48(payload.ledger.liabilityShareValue)).toBe(reading.bank.shares.liabilityShareValue);
  });

  it('has what of the circuit breaker decides what passes', () => {
    expect(payloadOf(readingOf()).ledger.breaker).toBeNull();
    const { bank } = readingOf();
    const breaker: Breaker = {
      terms: {
        ...{ tiersBps: [500, 1_000, 2_000], tierSeconds: [600, 3_600, 43_200], escalationMultiple: 2 },
        ...{ emaAlphaBps: 900, windowSeconds: 0, windowMaxUpBps: 0, windowMaxDownBps: 2_500 },
      },
      state: {
        ...{ tier: 2, tier3Trips: 0, haltStartedAt: 5n, haltEndedAt: 1_777_000_000n, lastObservedSlot: 1n },
        ...{ lastSourceTime: 1n, windowStartedAt: 1n, frozenSecondsPending: 0n },
        ...{ referencePrice: parseI80F48('150'), windowReferencePrice: parseI80F48('149.5') },
      },
      preBreakState: 1,
    };
    expect(payloadOf(readingOf({}, { bank: { ...bank, breaker } })).ledger.breaker).toEqual({
      tiersBps: [500, 1_000, 2_000],
      windowMaxUpBps: 0,
      windowMaxDownBps: 2_500,
      tier: 2,
      haltEndedAt: '1777000000',
      referencePrice: '150',
      windowReferencePrice: '149.5',
      preBreakState: 1,
    });
  });

  it('says prices with their edges, and errors in their place', () => {
    expect(payloadOf(readingOf()).price).toEqual({
      spot: { spot: '150', low: '149.5', high: '150.5' },
      ema: { error: 'OracleMaxConfidenceExceeded' },
      hasBorrowingPower: true,
    });
    const failed = readingOf({}, { riskPrice: { kind: 'failed', error: 'PythPushStalePrice' } });
    expect(payloadOf(failed).price).toEqual({ error: 'PythPushStalePrice' });
  });

  it('says what can leave, what the mint keeps, and whether the program is paused', () => {
    const transferFee = { basisPoints: 100, maximumFeeBase: 5_000n };
    const payload = payloadOf(readingOf({}, { transferFee }));
    expect(payload).toMatchObject({
      vaultBase: '300',
      transferFee: { basisPoints: 100, maximumFeeBase: '5000' },
      group: { isPaused: false },
    });
    const group = readingOf().group;
    const paused = payloadOf(readingOf({}, { group: group && { ...group, pauseStart: CHAIN_SECONDS - 1n } }));
    expect(paused.group?.isPaused).toBe(true);
    expect(payloadOf(readingOf({}, { vaultBase: null })).vaultBase).toBe(null);
  });

  it('says what premium its debts pay, and for which collateral', () => {
    const fields = { premiumTag: 4, premiumActivatedAt: 1_791_000_000n, flags: 1n << 13n };
    const collectedPremiumOutstanding = parseI80F48('12.5');
    const { ledger } = payloadOf(readingOf({ ...fields, collectedPremiumOutstanding }));
    expect(ledger.premium).toEqual({ tag: 4, isActive: true, activatedAt: '1791000000', collected: '12.5' });
    const { group } = readingOf();
    const premiumPairs = [{ collateralTag: 1, liabilityTag: 4, rate: 42_949_672 }];
    const sameAssetLeverage = { init: parseI80F48('10'), maint: parseI80F48('20.5') };
    const published = payloadOf(readingOf({}, { group: group && { ...group, premiumPairs, sameAssetLeverage } })).group;
    expect(published).toMatchObject({ premiumPairs, sameAssetLeverage: { init: '10', maint: '20.5' } });
  });

  it('writes limits of none as the program does, and states this build has not heard of as none of them', () => {
    const off = { depositLimit: 2n ** 64n - 1n, operationalState: 77 };
    expect(payloadOf(readingOf({ config: off })).ledger).toMatchObject({
      depositLimit: '18446744073709551615',
      operationalState: 255,
    });
    expect(payloadOf(readingOf({ config: { operationalState: 2 } })).ledger.operationalState).toBe(2);
  });
});
