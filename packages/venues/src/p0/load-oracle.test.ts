import { I80F48_ONE, parseI80F48 } from '@lending/domain';
import { BANK_ORACLE_SETUPS, type ProgramVersion, TOKEN_2022_PROGRAM } from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { BANK, FEED } from '#testing/made-bank.ts';
import { emptyPullFeed, madePyth, madeSwitchboard } from '#testing/made-feeds.ts';
import {
  bankOfSetup,
  madeKlendReserve,
  madeLending,
  madeMarinade,
  madePool,
  madeScope,
  madeSolendReserve,
  madeSpotMarket,
  madeStakePool,
  madeVault,
  ON_RAMP,
  STAKE,
  VENUE_ACCOUNT,
} from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import { loadOracle, type OracleAccounts } from './load-oracle.ts';
import { oracleAccountsOf } from './oracle-accounts.ts';

const NOW = 1_777_000_000n;
const SLOT = 400_000_000n;
const moment = { slot: SLOT, unixTimestamp: NOW, epoch: 700n };
const EIGHTEEN = 10n ** 18n;
/** Of a liquidity of 4,000.000001 and 3,000 receipts; of 6 decimals. */
const reserve = (slot = SLOT) =>
  madeKlendReserve(slot, {
    available: 1_000_000_001n,
    borrowedSf: 3_100_000_000n << 60n,
    protocolFeesSf: 60_000_000n << 60n,
    referrerFeesSf: 30_000_000n << 60n,
    pendingFeesSf: 10_000_000n << 60n,
    supply: 3_000_000_000n,
  });
const solend = (slot = SLOT) =>
  madeSolendReserve(slot, {
    available: 1_000_000_001n,
    borrowedWads: 3_100_000_000n * EIGHTEEN,
    protocolFeesWads: 100_000_000n * EIGHTEEN,
    supply: 3_000_000_000n,
  });
const spotMarket = (at = NOW) => madeSpotMarket(at, 11_234_567_891n);
const lending = (at = NOW) => madeLending(at, 1_023_456_789_012n);
/** The reserve's ratio worked out by hand: both sides over 10^6 in 48 bits, then one over the other. */
const RESERVE_FACTOR =
  ((((4_000_000_001n << 48n) << 48n) / (1_000_000n << 48n)) << 48n) /
  (((3_000_000_000n << 48n) << 48n) / (1_000_000n << 48n));

const PYTH = [3, 5, 6, 9, 11, 15, 19, 20, 21, 22, 23, 24, 25];
const SWITCHBOARD = [4, 7, 10, 12, 16];
const SCOPE = [18, 27, 28];
/** Half of its term is over. */
const vault = (at?: Address) => madeVault({ startTs: Number(NOW) - 1_000, duration: 2_000 }, at);
const venueOf: Readonly<Record<number, () => ReturnType<typeof reserve>>> = {
  6: reserve,
  7: reserve,
  9: spotMarket,
  10: spotMarket,
  11: solend,
  12: solend,
  13: reserve,
  14: spotMarket,
  15: lending,
  16: lending,
  17: lending,
  20: reserve,
  21: lending,
  23: reserve,
  24: lending,
  27: reserve,
  28: lending,
};
const tokenRateOf: Readonly<Record<number, () => AccountBytes>> = {
  19: madeMarinade,
  20: () => madeMarinade(STAKE),
  21: () => madeMarinade(STAKE),
  22: madeStakePool,
  23: () => madeStakePool(STAKE),
  24: () => madeStakePool(STAKE),
  25: vault,
  26: () => vault(FEED),
};
const pool = madePool({ supply: 7_000_000_000n, stake: 9_500_000_000n });

/** Everything a setup asks for, fresh. */
function freshAccounts(setup: number): OracleAccounts {
  const feed = PYTH.includes(setup)
    ? [madePyth(NOW)]
    : SWITCHBOARD.includes(setup)
      ? [madeSwitchboard(NOW)]
      : SCOPE.includes(setup)
        ? [madeScope(NOW)]
        : [];
  const [venue, tokenRate] = [venueOf[setup]?.(), tokenRateOf[setup]?.()];
  if (setup === 5) return [...feed, pool.mint, pool.stake, pool.onRamp];
  return [...feed, ...(venue === undefined ? [] : [venue]), ...(tokenRate === undefined ? [] : [tokenRate])];
}
const load = (setup: number, accounts = freshAccounts(setup), at = moment) =>
  loadOracle(
    bankOfSetup(setup, { config: { fixedPrice: parseI80F48(tokenRateOf[setup] ? '0.9' : '1.5') } }),
    accounts,
    at,
  );
const error = (setup: number, accounts: OracleAccounts, at = moment) => {
  const loaded = load(setup, accounts, at);
  return loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
};

describe('loadOracle of every setup', () => {
  it('asks for the accounts that are listed for it', () => {
    for (let setup = 0; setup < BANK_ORACLE_SETUPS.length; setup += 1) {
      const listed = oracleAccountsOf(bankOfSetup(setup));
      expect(
        freshAccounts(setup).map((account) => account?.address),
        `${setup}`,
      ).toEqual(listed);
    }
    expect(oracleAccountsOf(bankOfSetup(5))).toEqual([FEED, VENUE_ACCOUNT, STAKE, ON_RAMP]);
    expect(oracleAccountsOf(bankOfSetup(5), { version: '0.1.8' })).toEqual([FEED, VENUE_ACCOUNT, STAKE]);
  });

  it('knows no setup that the program of the time does not', () => {
    const known = (version: ProgramVersion) =>
      BANK_ORACLE_SETUPS.flatMap((_, setup) => {
        const loaded = loadOracle(bankOfSetup(setup), freshAccounts(setup), moment, { version });
        const isKnown = loaded.kind === 'loaded' || loaded.reason !== 'oracle_setup_unknown';
        expect(oracleAccountsOf(bankOfSetup(setup), { version }).length > 0 && !isKnown).toBe(false);
        return isKnown ? [setup] : [];
      }).at(-1);
    expect([known('0.1.10'), known('0.1.11'), known('0.1.12')]).toEqual([17, 26, 28]);
  });

  const PYTH_RAW = { price: 15_000_000_000n, emaPrice: 14_900_000_000n, conf: 100_000_000n, emaConf: 50_000_000n };
  const cut = (multiply: (value: bigint) => bigint) =>
    Object.fromEntries(Object.entries(PYTH_RAW).map(([name, value]) => [name, multiply(value)]));
  const factor = (value: bigint) => (value * RESERVE_FACTOR) >> 48n;
  const LENDING_FACTOR = (1_023_456_789_012n << 48n) / 10n ** 12n;
  const MSOL_RATE =
    ((2_298_268_116_607n + 54_120_945_998n + 3_000_000_000n - 30_878_958_632n) << 48n) / 1_653_825_758_746n;
  const HALF_OF_TERM = parseI80F48('0.9') + (((1n << 48n) - parseI80F48('0.9')) >> 1n);
  const msol = (value: bigint) => (value * MSOL_RATE) >> 48n;
  const lst = (value: bigint) => (value * ((1_292_015_000_000n << 48n) / 10n ** 12n)) >> 48n;
  it.each([
    [3, PYTH_RAW],
    [5, cut((value) => (value * 8_500_000_000n) / 7_000_000_000n)],
    [6, cut(factor)],
    [9, cut((value) => (value * 11_234_567_891n) / 10n ** 10n)],
    [11, cut(factor)],
    [15, cut((value) => (value * 1_023_456_789_012n) / 10n ** 12n)],
    [4, { value: 2n * EIGHTEEN }],
    [7, { value: factor(2n * EIGHTEEN) }],
    [10, { value: (2n * EIGHTEEN * 11_234_567_891n) / 10n ** 10n }],
    [12, { value: factor(2n * EIGHTEEN) }],
    [16, { value: (2n * EIGHTEEN * 1_023_456_789_012n) / 10n ** 12n }],
    [8, { price: parseI80F48('1.5') }],
    [13, { price: (parseI80F48('1.5') * RESERVE_FACTOR) >> 48n }],
    [14, { price: (parseI80F48('1.5') * ((11_234_567_891n << 48n) / 10n ** 10n)) >> 48n }],
    [17, { price: (parseI80F48('1.5') * 1_023_456_789_012n) / 10n ** 12n }],
    [18, { value: 2_500_000_000n, exponent: -9 }],
    [19, cut(msol)],
    [20, cut((value) => factor(msol(value)))],
    [21, cut((value) => (msol(value) * LENDING_FACTOR) >> 48n)],
    [22, cut(lst)],
    [23, cut((value) => factor(lst(value)))],
    [24, cut((value) => (lst(value) * LENDING_FACTOR) >> 48n)],
    [25, cut((value) => (value * HALF_OF_TERM) >> 48n)],
    [26, { price: HALF_OF_TERM }],
    [27, { price: (parseI80F48('2.5') * RESERVE_FACTOR) >> 48n, publishTime: NOW }],
    [28, { price: (parseI80F48('2.5') * LENDING_FACTOR) >> 48n, publishTime: NOW }],
  ])('gives setup %i what one unit of its balances is worth, in the integers of its feed', (setup, feed) => {
    const loaded = load(setup);
    expect(loaded).toMatchObject({ kind: 'loaded', feed, staleError: null, isFeedStale: false, isVenueStale: false });
  });

  it('keeps the raw feed and the multiplier beside it', () => {
    expect(load(6)).toMatchObject({ rawFeed: PYTH_RAW, multiplier: RESERVE_FACTOR });
    expect(load(14)).toMatchObject({ rawFeed: { price: parseI80F48('1.5') } });
    expect(load(5)).toMatchObject({ rawFeed: PYTH_RAW, multiplier: (8_500_000_000n << 48n) / 7_000_000_000n });
    expect(load(4)).toMatchObject({ multiplier: I80F48_ONE });
    // What a token is worth belongs to its price; only what a receipt is worth stands beside it.
    expect(load(20)).toMatchObject({ rawFeed: cut(msol), multiplier: RESERVE_FACTOR });
    expect(load(24)).toMatchObject({ rawFeed: cut(lst), multiplier: LENDING_FACTOR });
    expect(load(28)).toMatchObject({ rawFeed: { value: 2_500_000_000n }, multiplier: LENDING_FACTOR });
    for (const setup of [18, 19, 22, 25, 26]) {
      const loaded = load(setup);
      expect(loaded).toMatchObject({ multiplier: I80F48_ONE });
      if (loaded.kind === 'loaded') expect(loaded.rawFeed).toBe(loaded.feed);
    }
  });

  it('checks the feed’s key, the venue and the token’s rate in this order, and the feed last', () => {
    const [pyth, venue, rate] = freshAccounts(23) as [AccountBytes, AccountBytes, AccountBytes];
    const other = (account: AccountBytes) => ({ ...account, address: BANK });
    expect(error(23, [other(pyth), other(venue), other(rate)])).toBe('WrongOracleAccountKeys');
    expect(error(23, [madePyth(NOW, {}, 'Partial'), other(venue), other(rate)])).toBe('KaminoReserveValidationFailed');
    expect(error(23, [madePyth(NOW, {}, 'Partial'), venue, other(rate)])).toBe('StakePoolValidationFailed');
    expect(error(23, [madePyth(NOW, {}, 'Partial'), venue, rate])).toBe('PythPushInsufficientVerificationLevel');
    const noReceipts = madeKlendReserve(SLOT, { available: 5n, supply: 0n });
    expect(error(23, [pyth, noReceipts, other(rate)])).toBe('MathError');
    expect(error(27, [madeScope(NOW + 1n), noReceipts])).toBe('MathError');
    const late = { ...moment, epoch: 702n };
    expect(load(23, [madePyth(NOW - 61n), venue, rate], late)).toMatchObject({
      ...{ staleError: 'StakePoolStale', isTokenRateStale: true, isFeedStale: true, isVenueStale: false },
    });
  });

  it('names the setups that no price can be read with', () => {
    expect([0, 1, 2, 29].map((setup) => load(setup, []))).toMatchObject([
      { kind: 'refused', reason: 'oracle_setup_none', programError: 'OracleNotSetup' },
      { kind: 'refused', reason: 'oracle_setup_retired', programError: null },
      { kind: 'refused', reason: 'oracle_setup_retired', programError: null },
      { kind: 'refused', reason: 'oracle_setup_unknown', programError: null },
    ]);
  });

  it.each(BANK_ORACLE_SETUPS.map((_, setup) => setup).slice(3))('counts the accounts of setup %i', (setup) => {
    const accounts = freshAccounts(setup);
    expect(error(setup, [...accounts, madePyth(NOW)])).toBe('WrongNumberOfOracleAccounts');
    if (accounts.length > 0) expect(error(setup, accounts.slice(1))).toBe('WrongNumberOfOracleAccounts');
  });

  it.each([...PYTH, ...SWITCHBOARD, ...SCOPE])('takes no other feed for setup %i', (setup) => {
    const [feed = null, ...rest] = freshAccounts(setup);
    expect(error(setup, [feed && { ...feed, address: BANK }, ...rest])).toBe('WrongOracleAccountKeys');
  });
});

describe('loadOracle of a venue', () => {
  const VENUES = [
    [6, 'KaminoReserveValidationFailed', 'ReserveStale'],
    [7, 'KaminoReserveValidationFailed', 'ReserveStale'],
    [13, 'KaminoReserveValidationFailed', 'ReserveStale'],
    [9, 'DriftSpotMarketValidationFailed', 'DriftSpotMarketStale'],
    [10, 'DriftSpotMarketValidationFailed', 'DriftSpotMarketStale'],
    [14, 'DriftSpotMarketValidationFailed', 'DriftSpotMarketStale'],
    [11, 'SolendReserveValidationFailed', 'SolendReserveStale'],
    [12, 'SolendReserveValidationFailed', 'SolendReserveStale'],
    [15, 'JuplendLendingValidationFailed', 'JuplendLendingStale'],
    [16, 'JuplendLendingValidationFailed', 'JuplendLendingStale'],
    [17, 'JuplendLendingValidationFailed', 'JuplendLendingStale'],
  ] as const;

  it.each(VENUES)('of setup %i checks key, owner and discriminator: %s', (setup, invalid) => {
    const accounts = freshAccounts(setup);
    const venue = accounts.at(-1) as ReturnType<typeof reserve>;
    const withVenue = (changed: typeof venue | null) => [...accounts.slice(0, -1), changed];
    expect(error(setup, withVenue(null))).toBe(invalid);
    expect(error(setup, withVenue({ ...venue, address: BANK }))).toBe(invalid);
    expect(error(setup, withVenue({ ...venue, owner: TOKEN_2022_PROGRAM }))).toBe(invalid);
    expect(
      error(setup, withVenue({ ...venue, data: venue.data.map((byte, at) => (at === 0 ? byte ^ 2 : byte)) })),
    ).toBe(invalid);
    expect(error(setup, withVenue({ ...venue, data: new Uint8Array() }))).toBe(invalid);
    expect(load(setup, withVenue({ ...venue, data: venue.data.subarray(0, -1) }))).toMatchObject({
      reason: 'venue_account_malformed',
      programError: null,
    });
  });

  it.each(VENUES)(
    'of setup %i must be of this very slot or second, %s, and is read all the same',
    (setup, _, stale) => {
      const bySlot = setup !== 9 && setup !== 10 && setup < 14;
      const next = bySlot ? { ...moment, slot: SLOT + 1n } : { ...moment, unixTimestamp: NOW + 1n };
      const before = bySlot ? { ...moment, slot: SLOT - 1n } : { ...moment, unixTimestamp: NOW - 1n };
      const accounts = freshAccounts(setup);
      expect(load(setup, accounts, next)).toMatchObject({
        kind: 'loaded',
        staleError: stale,
        isVenueStale: true,
        isFeedStale: false,
      });
      expect(error(setup, accounts, before)).toBeNull();
    },
  );

  it('looks at the key of the feed first, except with Solend and Pyth', () => {
    const other = { ...madePyth(NOW), address: BANK };
    expect(error(6, [other, null])).toBe('WrongOracleAccountKeys');
    expect(error(11, [other, null])).toBe('SolendReserveValidationFailed');
    expect(error(12, [{ ...madeSwitchboard(NOW), address: BANK }, null])).toBe('WrongOracleAccountKeys');
  });

  it('has no rate without receipts, but a fixed price stands', () => {
    const empty = madeKlendReserve(SLOT, { available: 5n, supply: 0n });
    expect(load(6, [madePyth(NOW), empty])).toMatchObject({
      reason: 'venue_without_receipts',
      programError: 'MathError',
    });
    expect(error(12, [madeSwitchboard(NOW), madeSolendReserve(SLOT, { supply: 0n })])).toBe('MathError');
    expect(load(13, [empty])).toMatchObject({ feed: { price: parseI80F48('1.5') }, multiplier: I80F48_ONE });
  });

  it('divides by powers of ten that the program has', () => {
    expect(error(6, [madePyth(NOW), madeKlendReserve(SLOT, { available: 5n, supply: 3n, decimals: 24n })])).toBe(
      'InternalLogicError',
    );
    expect(error(6, [madePyth(NOW), madeKlendReserve(SLOT, { available: 5n, supply: 3n, decimals: 256n })])).toBeNull();
  });

  it('fails where an integer of the feed no longer fits, or a ratio meets a negative price', () => {
    const huge = madeKlendReserve(SLOT, { available: 2n ** 62n, supply: 1n });
    expect(error(6, [madePyth(NOW), huge])).toBe('MathError');
    expect(error(9, [madePyth(NOW, { price: -1n }), spotMarket()])).toBe('MathError');
    expect(error(6, [madePyth(NOW, { price: -1n }), reserve()])).toBeNull();
    expect(error(10, [madeSwitchboard(NOW, { value: -1n }), spotMarket()])).toBe('MathError');
  });

  it('drops what stands above 79 bits of a rate, as the program does', () => {
    const [wrapped, price] = [(1n << 80n) + 10n ** 10n, parseI80F48('1.5')];
    expect(load(14, [madeSpotMarket(NOW, wrapped)])).toMatchObject({ feed: { price }, multiplier: I80F48_ONE });
    // What multiplies a feed does not pass through fixed point: that is too much, and found where the feed is multiplied.
    expect(error(9, [madePyth(NOW, {}, 'Partial'), madeSpotMarket(NOW, wrapped)])).toBe(
      'PythPushInsufficientVerificationLevel',
    );
    expect(error(9, [madePyth(NOW), madeSpotMarket(NOW, wrapped)])).toBe('MathError');
    // 2^63 tokens over one 2^-48th of a receipt.
    const rich = madeKlendReserve(SLOT, { available: 2n ** 63n, supply: 281n, decimals: 14n });
    const ratio = ((((2n ** 63n) << 48n) / 10n ** 14n) << 48n) / ((281n << 48n) / 10n ** 14n);
    expect(load(13, [rich])).toMatchObject({ multiplier: BigInt.asIntN(128, ratio) });
  });

  it('divides JupLend’s integers before it multiplies, where a token has a rate of its own', () => {
    const [ten, rate] = [madePyth(NOW, { price: 10n }), madeLending(NOW, 1_100_000_000_000n)];
    const par = madeMarinade(STAKE, { 376: 5n, 226: 0n, 568: 0n, 496: 0n, 528: 0n, 504: 5n });
    expect(load(15, [ten, rate])).toMatchObject({ feed: { price: 11n } });
    expect(load(21, [ten, rate, par])).toMatchObject({ rawFeed: { price: 10n }, feed: { price: 10n } });
  });

  it('refuses a negative fixed price after the venue account, before its supply', () => {
    const bank = bankOfSetup(13, { config: { fixedPrice: -1n } });
    const refusal = (accounts: OracleAccounts) => loadOracle(bank, accounts, moment);
    expect(refusal([null])).toMatchObject({ programError: 'KaminoReserveValidationFailed' });
    const noTable = madeKlendReserve(SLOT, { available: 5n, supply: 3n, decimals: 24n });
    expect(refusal([noTable])).toMatchObject({ programError: 'FixedOraclePriceNegative' });
    expect(loadOracle(bankOfSetup(8, { config: { fixedPrice: -1n } }), [], moment)).toMatchObject({
      programError: 'FixedOraclePriceNegative',
    });
  });

  it('rounds each of the three venues as the program does', () => {
    // A third, in 48 bits, of an integer: the factor loses, the ratio does not.
    const third = madeKlendReserve(SLOT, { available: 1n, supply: 3n, decimals: 0n });
    expect(load(6, [madePyth(NOW, { price: 3n }), third])).toMatchObject({ feed: { price: 0n } });
    expect(load(9, [madePyth(NOW, { price: 3n }), madeSpotMarket(NOW, 3_333_333_334n)])).toMatchObject({
      feed: { price: 1n },
    });
    // Both sides are over 10^decimals first: what is lost there is lost.
    const tiny = madeKlendReserve(SLOT, { available: 1n, supply: 3n, decimals: 9n });
    expect(load(7, [madeSwitchboard(NOW), tiny])).toMatchObject({ multiplier: (281_474n << 48n) / 844_424n });
    expect((281_474n << 48n) / 844_424n).not.toBe((1n << 48n) / 3n);
    // A fixed price behind JupLend is multiplied first, behind Drift last.
    const [price, rate] = [parseI80F48('3'), 333_333_333_333n];
    const fixed = (setup: number, venue: ReturnType<typeof reserve>) =>
      loadOracle(bankOfSetup(setup, { config: { fixedPrice: price } }), [venue], moment);
    const [multiplied, divided] = [(price * rate) / 10n ** 12n, (price * ((rate << 48n) / 10n ** 12n)) >> 48n];
    expect(multiplied).not.toBe(divided);
    expect(fixed(17, madeLending(NOW, rate))).toMatchObject({ feed: { price: multiplied } });
    expect(fixed(14, madeSpotMarket(NOW, 3_333_333_333n))).toMatchObject({
      feed: { price: (price * ((3_333_333_333n << 48n) / 10n ** 10n)) >> 48n },
    });
  });
});

describe('loadOracle of a feed', () => {
  it('calls a price stale from the second after its age', () => {
    expect(error(3, [madePyth(NOW - 60n)])).toBeNull();
    expect(error(3, [madePyth(NOW - 61n)])).toBe('PythPushStalePrice');
    expect(error(4, [madeSwitchboard(NOW - 60n)])).toBeNull();
    expect(error(4, [madeSwitchboard(NOW - 61n)])).toBe('SwitchboardStalePrice');
  });

  it('takes an age of zero as it stands, and up to 0.1.11 on a plain Pyth bank as sixty seconds', () => {
    const at = (version: ProgramVersion, setup: number, accounts: OracleAccounts) => {
      const loaded = loadOracle(bankOfSetup(setup, { config: { oracleMaxAge: 0 } }), accounts, moment, { version });
      return loaded.kind === 'loaded' ? loaded.staleError : loaded.programError;
    };
    const plain = (version: ProgramVersion) => [0n, 1n, 60n, 61n].map((age) => at(version, 3, [madePyth(NOW - age)]));
    const STALE = 'PythPushStalePrice';
    for (const version of ['0.1.10', '0.1.11'] as const) expect(plain(version)).toEqual([null, null, null, STALE]);
    expect(plain('0.1.12')).toEqual([null, STALE, STALE, STALE]);
    for (const version of ['0.1.11', '0.1.12'] as const) {
      expect(at(version, 6, [madePyth(NOW - 1n), reserve()])).toBe(STALE);
      expect(at(version, 4, [madeSwitchboard(NOW - 1n)])).toBe('SwitchboardStalePrice');
    }
  });

  it('finds in a Pyth feed, in this order, another kind, few signatures and age', () => {
    const other = { ...madePyth(NOW - 99n, {}, 'Partial'), data: emptyPullFeed };
    expect(error(3, [other])).toBe('PythPushInvalidAccount');
    expect(error(3, [null])).toBe('PythPushInvalidAccount');
    expect(error(3, [madePyth(NOW - 99n, {}, 'Partial')])).toBe('PythPushInsufficientVerificationLevel');
    expect(error(3, [{ ...madePyth(NOW - 99n), owner: BANK }])).toBe('PythPushStalePrice');
    expect(error(3, [{ ...madePyth(NOW), data: madePyth(NOW).data.subarray(0, 100) }])).toBe('BorshIoError');
  });

  it('finds in a Switchboard feed, in this order, another owner, another kind and age', () => {
    const old = madeSwitchboard(NOW - 99n);
    expect(error(4, [{ ...old, owner: BANK, data: new Uint8Array() }])).toBe('SwitchboardWrongAccountOwner');
    expect(error(4, [null])).toBe('SwitchboardWrongAccountOwner');
    expect(error(4, [{ ...old, data: old.data.map((byte, at) => (at === 0 ? byte ^ 1 : byte)) }])).toBe(
      'SwitchboardInvalidAccount',
    );
    expect(load(4, [{ ...old, data: old.data.subarray(0, -1) }])).toMatchObject({
      reason: 'feed_malformed',
      programError: null,
    });
    expect(error(4, [old])).toBe('SwitchboardStalePrice');
  });
});

describe('loadOracle of a staked bank', () => {
  const USES_ON_RAMP = 1n << 10n;
  const DISABLED = 1n << 9n;
  const LAMPORTS_PER_BYTE = 6_960n;
  const RENT = (128n + 200n) * LAMPORTS_PER_BYTE;
  const rentMoment = { ...moment, rentLamportsPerByte: LAMPORTS_PER_BYTE };
  const rich = madePool({
    supply: 7_000_000_000n,
    stake: 9_500_000_000n,
    stakeLamports: RENT + 9_600_000_000n,
    onRampLamports: RENT + 400_000_000n,
  });
  const staked = (flags: bigint, accounts: OracleAccounts, at: typeof moment = rentMoment, version?: '0.1.8') =>
    loadOracle(bankOfSetup(5, { flags }), accounts, at, version === undefined ? {} : { version });
  const all = (changed: Partial<typeof rich> = {}): OracleAccounts => {
    const { mint, stake, onRamp } = { ...rich, ...changed };
    return [madePyth(NOW), mint, stake, onRamp];
  };
  const refusal = (flags: bigint, accounts: OracleAccounts) => {
    const loaded = staked(flags, accounts);
    return loaded.kind === 'refused' ? [loaded.reason, loaded.programError] : [];
  };

  it('counts the delegated stake less one SOL by default, with any fourth account', () => {
    const price = (15_000_000_000n * 8_500_000_000n) / 7_000_000_000n;
    expect(staked(0n, all())).toMatchObject({ feed: { price } });
    expect(staked(0n, all({ onRamp: { ...rich.onRamp, address: BANK } }))).toMatchObject({ feed: { price } });
  });

  it('counts the lamports of pool and on-ramp above rent once the bank says so', () => {
    const price = (15_000_000_000n * 10_000_000_000n) / 7_000_000_000n;
    expect(staked(USES_ON_RAMP, all())).toMatchObject({ feed: { price } });
    expect(staked(USES_ON_RAMP | DISABLED, all())).toMatchObject({ feed: { price } });
    const poor = { ...rich.onRamp, lamports: RENT - 1n };
    expect(staked(USES_ON_RAMP, all({ onRamp: poor }))).toMatchObject({
      feed: { price: (15_000_000_000n * 9_600_000_000n) / 7_000_000_000n },
    });
  });

  it('needs the real on-ramp then, and what rent costs', () => {
    expect(refusal(USES_ON_RAMP, all({ onRamp: { ...rich.onRamp, address: BANK } }))).toEqual([
      'staked_pool_mismatch',
      'WrongOracleAccountKeys',
    ]);
    expect(staked(USES_ON_RAMP, all(), moment)).toMatchObject({ reason: 'rent_unknown', programError: null });
  });

  it('has no price while it is switched off', () => {
    expect(refusal(DISABLED, all())).toEqual(['staked_oracle_disabled', 'StakeOraclesDisabled']);
  });

  it('checks the pool before the feed', () => {
    const feedless = all().with(0, null);
    expect(refusal(0n, all({ mint: { ...rich.mint, address: BANK } }))).toEqual([
      'staked_pool_mismatch',
      'WrongOracleAccountKeys',
    ]);
    expect(refusal(0n, all({ stake: { ...rich.stake, address: BANK } }))).toEqual([
      'staked_pool_mismatch',
      'WrongOracleAccountKeys',
    ]);
    expect(refusal(0n, all({ mint: { ...rich.mint, owner: TOKEN_2022_PROGRAM } }))).toEqual([
      'staked_pool_malformed',
      null,
    ]);
    expect(refusal(0n, feedless.with(1, madePool({ supply: 0n }).mint))).toEqual([
      'staked_pool_empty',
      'ZeroSupplyInStakePool',
    ]);
    expect(refusal(0n, feedless.with(2, madePool({ stakeTag: 1 }).stake))).toEqual([
      'staked_pool_malformed',
      'StakePoolValidationFailed',
    ]);
    expect(refusal(0n, feedless.with(2, madePool({ stake: 999_999_999n }).stake))).toEqual([
      'staked_pool_empty',
      'MathError',
    ]);
    expect(refusal(0n, feedless)).toEqual(['feed_missing', 'PythPushInvalidAccount']);
  });

  it('tells a stake in another state from bytes that are none', () => {
    const errorOf = (data: Uint8Array) => refusal(0n, all({ stake: { ...rich.stake, data } }))[1];
    const inState = (tag: number, size: number) => Uint8Array.of(tag, ...new Uint8Array(size - 1));
    for (const state of [inState(0, 4), inState(1, 124), inState(3, 4)])
      expect(errorOf(state)).toBe('StakePoolValidationFailed');
    for (const bytes of [inState(0, 3), inState(1, 123), inState(2, 100), inState(4, 200)])
      expect(errorOf(bytes)).toBe('BorshIoError');
  });

  it('holds no more lamports than a u64', () => {
    const stake = { ...rich.stake, lamports: 2n ** 64n - 1n };
    const onRamp = { ...rich.onRamp, lamports: 2n ** 64n - 1n };
    expect(
      staked(USES_ON_RAMP, [
        madePyth(NOW, { price: 7n, conf: 0n, emaPrice: 7n, emaConf: 0n }),
        rich.mint,
        stake,
        onRamp,
      ]),
    ).toMatchObject({
      feed: { price: (7n * (2n ** 64n - 1n)) / 7_000_000_000n },
    });
  });

  it('takes a negative price, which its siblings do not', () => {
    const accounts = all().with(0, madePyth(NOW, { price: -10n }));
    expect(staked(0n, accounts)).toMatchObject({ feed: { price: -12n } });
  });

  it('takes three accounts up to 0.1.8, whatever the flags, and leaves the intervals alone', () => {
    const three = all().slice(0, 3);
    const price = (15_000_000_000n * 8_500_000_000n) / 7_000_000_000n;
    expect(staked(USES_ON_RAMP, three, moment, '0.1.8')).toMatchObject({ feed: { price, conf: 100_000_000n } });
    expect(staked(0n, all(), moment, '0.1.8')).toMatchObject({ programError: 'WrongNumberOfOracleAccounts' });
    expect(staked(0n, three)).toMatchObject({ programError: 'WrongNumberOfOracleAccounts' });
  });

  it('finds the on-ramp of a validator where the bank has not written it down', () => {
    const NO_KEY = address('11111111111111111111111111111111');
    const oracleKeys = [FEED, VENUE_ACCOUNT, STAKE, NO_KEY, NO_KEY];
    const bank = bankOfSetup(5, { config: { oracleKeys }, integrationAcc1: BANK });
    expect(oracleAccountsOf(bank)[3]).not.toBe(STAKE);
    expect(oracleAccountsOf(bankOfSetup(5, { config: { oracleKeys } }))[3]).toBe(STAKE);
    expect(
      loadOracle(bankOfSetup(5, { flags: USES_ON_RAMP, config: { oracleKeys } }), all(), rentMoment),
    ).toMatchObject({
      programError: 'StakePoolValidationFailed',
    });
  });
});
