import { describeError, LendingError } from '@lending/errors';
import { decodeMessage, encodeMessage, type Message } from '@lending/events';
import { anyAddress, bankContent, CHAIN_SECONDS, MINT } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank, loadOracle } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { NO_NATIVE_RATE } from '#native-rate.ts';
import type { Admit } from '#quarantine/admit-samples.ts';
import type { Doubt } from '#quarantine/judge-sample.ts';
import type { UnreadReserves } from '#quarantine/unread-reserves.ts';
import type { VenueReading } from '#read-reserves.ts';
import { MADE_MARKET, MADE_RECEIPT, type MadeReserve, madeReading } from '#testing/made-venue.ts';
import { toRateQuarantined } from './rate-quarantined.ts';
import { toRateSampled } from './rate-sampled.ts';
import { toVenueMessages } from './venue-messages.ts';

const [RESERVE, BANK] = [anyAddress(1), anyAddress(2)];

function readingOf(fields: Partial<MadeReserve> = {}, slot = 123n): VenueReading {
  const reserve = madeReading(RESERVE, fields);
  const content = bankContent({ integrationAcc1: RESERVE, config: { assetTag: 3, oracleSetup: 6 } });
  const bank = decodeBank({ address: BANK, ...content }, MARGINFI_PROGRAM);
  const price = { kind: 'unavailable', reason: 'feed_missing', programError: null } as const;
  const moment = { slot, unixTimestamp: CHAIN_SECONDS };
  const risk = {
    riskPrice: { kind: 'failed', error: 'ReserveStale' },
    vaultBase: 5n,
    transferFee: null,
    group: null,
    oracle: { loaded: loadOracle(bank, [], moment), accounts: [], moment },
  } as const;
  const banks = [{ bank, price, reserve, native: NO_NATIVE_RATE, ...risk }];
  return { slot, unixTimestamp: CHAIN_SECONDS, reserve, unread: null, native: NO_NATIVE_RATE, banks };
}

/** The same when the reserve could not be read. */
function unreadReading(slot = 123n): VenueReading {
  const { banks, ...reading } = readingOf({}, slot);
  const unread = { address: RESERVE, venue: 'kamino', error: new LendingError('DECODE__ACCOUNT_MALFORMED') } as const;
  return { ...reading, reserve: null, unread, banks: banks.map((bank) => ({ ...bank, reserve: null })) };
}

/** Makes messages round by round; what is doubted is decided by address. */
function createDesk(doubts: Readonly<Record<string, Doubt>> = {}) {
  const rejected: [string, string][] = [];
  const admit: Admit = (sighting, inherited = null) => {
    const doubt = doubts[sighting.sample.bank] ?? inherited;
    const message = doubt === null ? toRateSampled(sighting, 'chain') : toRateQuarantined(sighting, doubt, 'chain');
    return { message, doubt };
  };
  const settled: string[] = [];
  const unreadReserves: UnreadReserves = {
    setAside({ address, venue }, moment) {
      const doubt = { reason: 'reserve_unreadable', detail: 'too short' } as const;
      return { message: toRateQuarantined({ ...moment, sample: { bank: address, venue } }, doubt, 'chain'), doubt };
    },
    settle: (address) => void settled.push(address),
  };
  const published = new Map();
  const onReject = (address: string, error: unknown) => void rejected.push([address, describeError(error)]);
  const say = (...readings: VenueReading[]): readonly Message[] => {
    const messages = toVenueMessages(readings, { source: 'chain', admit, onReject, published, unreadReserves });
    for (const message of messages) expect(decodeMessage(message.type, encodeMessage(message))).toEqual(message);
    return messages;
  };
  const types = (...readings: VenueReading[]) =>
    say(...readings).map(({ type, key }) => `${type} ${key === BANK ? 'bank' : 'reserve'}`);
  return { rejected, settled, say, types };
}

describe('toVenueMessages', () => {
  it('samples the reserve, says what it is, and samples and prices the banks on it', () => {
    const { say } = createDesk();
    const messages = say(readingOf());
    expect(messages.map(({ type, key }) => [type, key])).toEqual([
      ['rate.sampled.v1', RESERVE],
      ['reserve.updated.v1', RESERVE],
      ['rate.sampled.v1', BANK],
      ['oracle.priced.v1', BANK],
      ['bank.measured.v1', BANK],
    ]);
    expect(new Set(messages.map(({ slot, time }) => `${slot} ${time}`))).toEqual(
      new Set(['123 2026-04-24T03:06:40.000Z']),
    );
  });

  it('says all that a reserve is', () => {
    const { say } = createDesk();
    const fields = { priceE18: 2n * 10n ** 18n, pricedAt: CHAIN_SECONDS, status: 'restricted' } as const;
    expect(say(readingOf(fields))[1]?.payload).toEqual({
      reserve: RESERVE,
      venue: 'kamino',
      market: MADE_MARKET,
      marketName: 'Made market',
      mint: MINT,
      decimals: 6,
      receiptMint: MADE_RECEIPT,
      symbol: 'MADE',
      status: 'restricted',
      statusReasons: ['made_so'],
      depositLimit: '10000000',
      depositRoom: '5',
      borrowLimit: null,
      borrowRoom: null,
      withdrawRoom: '900000',
      priceUsd: '2',
      priceTime: '2026-04-24T03:06:40.000Z',
      incentives: [{ side: 'deposit', mint: MINT, amountPerYearBase: '12', decimals: 9 }],
    });
  });

  it('says what a reserve is again only when that has changed', () => {
    const { types } = createDesk();
    const all = [
      'rate.sampled.v1 reserve',
      'reserve.updated.v1 reserve',
      'rate.sampled.v1 bank',
      'oracle.priced.v1 bank',
      'bank.measured.v1 bank',
    ];
    expect(types(readingOf())).toEqual(all);
    const samples = all.filter((_, index) => index !== 1);
    expect(types(readingOf({ depositApr: 1n }, 124n))).toEqual(samples);
    expect(types(readingOf({ depositLimitBase: null }, 125n))).toEqual(all);
    expect(types(readingOf({ depositLimitBase: null }, 126n))).toEqual(samples);
  });

  it('says nothing else of a reserve it doubts, and doubts the banks on it, whose prices stand', () => {
    const doubt = { reason: 'size_out_of_range', detail: 'as read' } as const;
    const { say } = createDesk({ [RESERVE]: doubt });
    const messages = say(readingOf());
    expect(messages.map(({ type }) => type)).toEqual([
      'rate.quarantined.v1',
      'rate.quarantined.v1',
      'oracle.priced.v1',
    ]);
    expect(messages[1]?.payload).toEqual({ bank: BANK, venue: 'kamino', ...doubt });
  });

  it('sets aside a reserve that cannot be read, and the banks on it with its reason, whose prices stand', () => {
    const { say, settled } = createDesk();
    const messages = say(unreadReading());
    expect(messages.map(({ type, key }) => [type, key])).toEqual([
      ['rate.quarantined.v1', RESERVE],
      ['rate.quarantined.v1', BANK],
      ['oracle.priced.v1', BANK],
    ]);
    expect(messages.slice(0, 2).map(({ payload }) => payload)).toEqual(
      [RESERVE, BANK].map((bank) => ({ bank, venue: 'kamino', reason: 'reserve_unreadable', detail: 'too short' })),
    );
    expect(settled).toEqual([]);
    say(readingOf({}, 124n));
    expect(settled).toEqual([RESERVE]);
  });

  it('says of a bank whose reserve is not known, or is gone, its price and measure and nothing else', () => {
    const { types } = createDesk();
    const { banks, ...reading } = readingOf();
    const orphans = banks.map((bank) => ({ ...bank, reserve: null }));
    expect(types({ ...reading, reserve: null, banks: orphans })).toEqual([
      'oracle.priced.v1 bank',
      'bank.measured.v1 bank',
    ]);
  });

  it('says nothing of such a bank in a moment it doubts', () => {
    const { types } = createDesk({ [BANK]: { reason: 'slot_went_back', detail: 'as read' } });
    const { banks, ...reading } = readingOf();
    const orphans = banks.map((bank) => ({ ...bank, reserve: null }));
    expect(types({ ...reading, reserve: null, banks: orphans })).toEqual(['rate.quarantined.v1 bank']);
  });

  it('believes a reserve whose bank it doubts', () => {
    const { types } = createDesk({ [BANK]: { reason: 'share_value_fell', detail: 'as read' } });
    expect(types(readingOf())).toEqual([
      'rate.sampled.v1 reserve',
      'reserve.updated.v1 reserve',
      'rate.quarantined.v1 bank',
      'oracle.priced.v1 bank',
    ]);
  });

  it('says nothing of a moment it doubts', () => {
    const { types } = createDesk({ [RESERVE]: { reason: 'clock_jump', detail: 'as read' } });
    expect(types(readingOf())).toEqual(['rate.quarantined.v1 reserve', 'rate.quarantined.v1 bank']);
  });

  it('doubts the banks of another part of the same reserve, too', () => {
    const { types } = createDesk({ [RESERVE]: { reason: 'rate_out_of_range', detail: 'as read' } });
    expect(types(readingOf(), { ...readingOf(), reserve: null })).toEqual([
      'rate.quarantined.v1 reserve',
      'rate.quarantined.v1 bank',
      'oracle.priced.v1 bank',
      'rate.quarantined.v1 bank',
      'oracle.priced.v1 bank',
    ]);
  });

  it('leaves out what cannot be said, by name, and not its neighbours', () => {
    const { types, rejected } = createDesk();
    const pricedAt = 2n ** 63n - 1n;
    expect(types(readingOf({ priceE18: 10n ** 18n, pricedAt }))).toEqual([
      'rate.sampled.v1 bank',
      'oracle.priced.v1 bank',
      'bank.measured.v1 bank',
    ]);
    expect(rejected).toEqual([[RESERVE, expect.stringMatching(/^DECODE__VALUE_OUT_OF_RANGE/)]]);
  });
});
