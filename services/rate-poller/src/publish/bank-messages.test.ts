import { parseI80F48 } from '@lending/domain';
import { describeError } from '@lending/errors';
import { decodeMessage, encodeMessage } from '@lending/events';
import {
  type AccountContent,
  anyAddress,
  type BankFields,
  bankContent,
  CHAIN_SECONDS,
  FEED,
  GROUP,
  pythContent,
  switchboardContent,
} from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, loadOracle, loadRiskPrice, oracleAccountsOf, readPrice, sampleRates } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { NO_NATIVE_RATE } from '#native-rate.ts';
import type { Admit } from '#quarantine/admit-samples.ts';
import type { BankReading } from '#read-banks.ts';
import { toBankMessages } from './bank-messages.ts';
import { toBankSample } from './bank-sample.ts';
import { toOraclePriced } from './oracle-priced.ts';
import { toRateQuarantined } from './rate-quarantined.ts';
import { toRateSampled } from './rate-sampled.ts';

const BANK = anyAddress(1);
const FIXED = { config: { oracleSetup: 8, fixedPrice: parseI80F48('80.5') } };
const SWITCHBOARD = { config: { oracleSetup: 4, oracleMaxAge: 30 } };
const believing: Admit = (sighting) => ({ message: toRateSampled(sighting, 'chain'), doubt: null });
const group = { address: GROUP, admin: BANK, programFee: null, pauseStart: null };

function readingOf(fields: BankFields = {}, feed: AccountContent | null = pythContent()): BankReading {
  const bank = decodeBank({ address: BANK, ...bankContent(fields) }, MARGINFI_PROGRAM);
  const oracleAccounts = oracleAccountsOf(bank).map(() => feed && { address: FEED, slot: 123n, lamports: 1n, ...feed });
  const moment = { slot: 123n, unixTimestamp: CHAIN_SECONDS };
  return {
    bank,
    slot: 123n,
    unixTimestamp: CHAIN_SECONDS,
    rates: sampleRates(bank, group, CHAIN_SECONDS, 300n),
    price: readPrice(bank, oracleAccounts, moment),
    native: NO_NATIVE_RATE,
    riskPrice: loadRiskPrice(bank, oracleAccounts, moment),
    oracle: { loaded: loadOracle(bank, oracleAccounts, moment), accounts: oracleAccounts, moment },
    vaultBase: 300n,
    transferFee: null,
    group: null,
  };
}

const sampled = (reading: BankReading) => {
  const { slot, unixTimestamp } = reading;
  const message = toRateSampled({ slot, unixTimestamp, sample: toBankSample(reading) }, 'chain');
  expect(decodeMessage('rate.sampled.v1', encodeMessage(message))).toEqual(message);
  return message;
};
const priced = (reading: BankReading) => {
  const message = toOraclePriced(reading, 'chain');
  expect(decodeMessage('oracle.priced.v1', encodeMessage(message))).toEqual(message);
  return message;
};

describe('toBankMessages', () => {
  it('leaves out a bank whose messages cannot be made, by name, and not its neighbours', () => {
    const [good, bad] = [readingOf(), readingOf({}, pythContent())];
    if (bad.price.kind !== 'priced') throw new Error(bad.price.reason);
    const broken = {
      ...bad,
      bank: { ...bad.bank, address: anyAddress(2) },
      price: { ...bad.price, publishTime: 2n ** 63n - 1n },
    };
    const rejected: [string, string][] = [];
    const messages = toBankMessages([broken, good], {
      source: 'chain',
      admit: believing,
      onReject: (bank, error) => void rejected.push([bank, describeError(error)]),
    });
    expect(messages.map(({ type, key }) => `${type} ${key}`)).toEqual([
      `rate.sampled.v1 ${BANK}`,
      `oracle.priced.v1 ${BANK}`,
      `bank.measured.v1 ${BANK}`,
    ]);
    expect(rejected).toEqual([[anyAddress(2), expect.stringMatching(/^DECODE__VALUE_OUT_OF_RANGE/)]]);
  });

  it.each([
    { reason: 'rate_out_of_range', types: ['rate.quarantined.v1', 'oracle.priced.v1'] },
    { reason: 'slot_went_back', types: ['rate.quarantined.v1'] },
    { reason: 'clock_jump', types: ['rate.quarantined.v1'] },
  ] as const)('publishes a price beside a sample doubted for $reason only if the moment is believed', (one) => {
    const doubt = { reason: one.reason, detail: 'as read' };
    const admit: Admit = (sighting) => ({ message: toRateQuarantined(sighting, doubt, 'chain'), doubt });
    const onReject = () => expect.unreachable();
    const messages = toBankMessages([readingOf()], { source: 'chain', admit, onReject });
    expect(messages.map(({ type }) => type)).toEqual(one.types);
    expect(messages[0]?.payload).toEqual({ bank: BANK, venue: 'p0', ...doubt });
  });
});

describe('toBankSample', () => {
  it('says every number exactly, at the slot and time of the reading', () => {
    const reading = readingOf();
    const rates = {
      ...reading.rates,
      depositApr: parseI80F48('0.025'),
      borrowApr: parseI80F48('0.0625'),
      utilization: parseI80F48('0.375'),
      totalAssetsBase: 2n ** 64n,
      totalLiabilitiesBase: 400n,
      availableLiquidityBase: 0n,
      assetShareValue: parseI80F48('1') + 1n,
      liabilityShareValue: parseI80F48('1.5'),
    };
    const native = { apr: -10_000_000_000_000_000n, exchangeRate: 1_121_974_480_500_000_000n };
    expect(sampled({ ...reading, rates, native })).toEqual({
      id: `rate.sampled.v1:${BANK}:123`,
      type: 'rate.sampled.v1',
      key: BANK,
      slot: 123n,
      time: '2026-04-24T03:06:40.000Z',
      source: 'chain',
      payload: {
        bank: BANK,
        kind: 'bank',
        venue: 'p0',
        depositApr: expect.stringMatching(/^0\.02(5|49999)/),
        borrowApr: '0.0625',
        nativeApr: '-0.01',
        emissionsDepositApr: null,
        emissionsBorrowApr: null,
        utilization: '0.375',
        totalAssetsBase: '18446744073709551616',
        totalLiabilitiesBase: '400',
        availableLiquidityBase: '0',
        assetShareValue: '1.000000000000003552713678800500929355621337890625',
        liabilityShareValue: '1.5',
        exchangeRate: null,
        nativeExchangeRate: '1.1219744805',
        slotMs: null,
        priceUsd: '150',
      },
    });
  });

  it('keeps what is not known as null', () => {
    const reading = readingOf({}, null);
    const unknown = { utilization: null, depositApr: null, borrowApr: null, availableLiquidityBase: null };
    const rates = { ...reading.rates, ...unknown, totalAssetsBase: null, totalLiabilitiesBase: null };
    expect(sampled({ ...reading, rates }).payload).toMatchObject({
      depositApr: null,
      borrowApr: null,
      utilization: null,
      totalAssetsBase: null,
      totalLiabilitiesBase: null,
      availableLiquidityBase: null,
      assetShareValue: '1',
      nativeApr: null,
      nativeExchangeRate: null,
      priceUsd: null,
    });
  });

  it('has the price of a fresh feed and a fixed one, and none of a stale or missing one', () => {
    expect(sampled(readingOf()).payload.priceUsd).toBe('150');
    expect(sampled(readingOf(FIXED, null)).payload.priceUsd).toBe('80.5');
    expect(sampled(readingOf(SWITCHBOARD, switchboardContent(2n * 10n ** 18n + 1n))).payload.priceUsd).toBe(
      '2.000000000000000001',
    );
    expect(sampled(readingOf({}, pythContent({ publishTime: CHAIN_SECONDS - 61n }))).payload.priceUsd).toBeNull();
    expect(
      sampled(readingOf(SWITCHBOARD, switchboardContent(10n ** 18n, CHAIN_SECONDS - 31n))).payload.priceUsd,
    ).toBeNull();
    expect(sampled(readingOf({}, null)).payload.priceUsd).toBeNull();
  });
});

describe('toOraclePriced', () => {
  it('says what a Pyth feed says', () => {
    const message = priced(readingOf());
    expect(message).toEqual({
      id: `oracle.priced.v1:${BANK}:123`,
      type: 'oracle.priced.v1',
      key: BANK,
      slot: 123n,
      time: '2026-04-24T03:06:40.000Z',
      source: 'chain',
      payload: {
        bank: BANK,
        oracle: FEED,
        setup: 'PythPushOracle',
        priceUsd: '150',
        priceLowUsd: expect.stringMatching(/^147\.8(8|79999)/),
        priceHighUsd: expect.stringMatching(/^152\.1(2|19999)/),
        emaPriceUsd: '149',
        publishTime: '2026-04-24T03:06:40.000Z',
        reason: null,
      },
    });
  });

  it('keeps a stale price with its time', () => {
    const publishTime = CHAIN_SECONDS - 3_600n;
    expect(priced(readingOf({}, pythContent({ publishTime }))).payload).toMatchObject({
      priceUsd: '150',
      publishTime: '2026-04-24T02:06:40.000Z',
      reason: null,
    });
    expect(priced(readingOf(SWITCHBOARD, switchboardContent(10n ** 18n, publishTime))).payload).toMatchObject({
      setup: 'SwitchboardPull',
      oracle: FEED,
      priceUsd: '1',
      emaPriceUsd: '1',
      publishTime: '2026-04-24T02:06:40.000Z',
    });
  });

  it('says a fixed price without a feed and a time', () => {
    expect(priced(readingOf(FIXED, null)).payload).toEqual({
      bank: BANK,
      oracle: null,
      setup: 'Fixed',
      priceUsd: '80.5',
      priceLowUsd: '80.5',
      priceHighUsd: '80.5',
      emaPriceUsd: '80.5',
      publishTime: null,
      reason: null,
    });
  });

  it('says why there is no price', () => {
    const nothing = { priceUsd: null, priceLowUsd: null, priceHighUsd: null, emaPriceUsd: null, publishTime: null };
    expect(priced(readingOf({}, null)).payload).toMatchObject({ ...nothing, oracle: FEED, reason: 'feed_missing' });
    expect(priced(readingOf({ config: { oracleSetup: 1 } }, null)).payload).toMatchObject({
      ...nothing,
      oracle: null,
      setup: 'PythLegacy',
      reason: 'oracle_setup_retired',
    });
  });
});
