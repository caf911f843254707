import { parseI80F48 } from '@lending/domain';
import { SANCTUM_MULTI_STAKE_POOL_PROGRAM, SANCTUM_STAKE_POOL_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { BANK, FEED, GROUP } from '#testing/made-bank.ts';
import { madePyth } from '#testing/made-feeds.ts';
import { bankOfSetup, madeMarinade, madeStakePool, madeVault, VENUE_ACCOUNT } from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import type { Moment } from '../moment.ts';
import { loadOracle } from '../p0/load-oracle.ts';
import { toRiskPriceOnceRefreshed } from '../p0/load-risk-price.ts';
import { readPrice } from '../p0/read-price.ts';

const NOW = 1_777_000_000n;
const moment: Moment = { slot: 1n, unixTimestamp: NOW, epoch: 700n };
const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);

/** What a Pyth price of 1 makes of a rate: the rate itself, with fourteen decimals. */
const ONE = { price: 10n ** 14n, conf: 0n, emaPrice: 10n ** 14n, emaConf: 0n, exponent: -14 };
const PYTH = madePyth(NOW, ONE);
const load = (setup: number, account: AccountBytes | null, at: Moment = moment) =>
  loadOracle(bankOfSetup(setup, { config: { fixedPrice: parseI80F48('0.9') } }), [PYTH, account], at);
const error = (...given: Parameters<typeof load>) => {
  const loaded = load(...given);
  return loaded.kind === 'refused' ? loaded.programError : loaded.staleError;
};
const rateOf = (...given: Parameters<typeof load>) => {
  const loaded = load(...given);
  return loaded.kind === 'loaded' && loaded.feed.kind === 'pyth' ? loaded.feed.price : null;
};
const spoilt = (account: AccountBytes) => ({
  ...account,
  data: account.data.map((byte, at) => (at === 0 ? ~byte : byte)),
});

describe.each([
  [19, 'MarinadeStateValidationFailed', madeMarinade(), null],
  [22, 'StakePoolValidationFailed', madeStakePool(), 'StakePoolValidationFailed'],
  [25, 'ExponentVaultValidationFailed', madeVault({ startTs: Number(NOW), duration: 10 }), null],
] as const)('the account of the rate of setup %i', (setup, invalid, account, short) => {
  it(`is checked for key, owner and kind: ${invalid}`, () => {
    expect(error(setup, account)).toBeNull();
    expect(error(setup, null)).toBe(invalid);
    expect(error(setup, { ...account, address: BANK })).toBe(invalid);
    expect(error(setup, { ...account, owner: GROUP })).toBe(invalid);
    expect(error(setup, spoilt(account))).toBe(invalid);
    expect(error(setup, { ...account, data: new Uint8Array() })).toBe(invalid);
  });

  it('must have every byte that is read', () => {
    const size = setup === 19 ? 576 : setup === 22 ? 282 : 457;
    expect(error(setup, { ...account, data: account.data.subarray(0, size) })).toBeNull();
    expect(load(setup, { ...account, data: account.data.subarray(0, size - 1) })).toMatchObject({
      ...{ kind: 'refused', reason: 'rate_account_malformed', programError: short },
    });
  });
});

describe('the rate of mSOL', () => {
  it('is what Marinade holds less what it owes, for one mSOL, and not the price it keeps', () => {
    const total = 2_298_268_116_607n + 54_120_945_998n + 3_000_000_000n - 30_878_958_632n;
    expect(rateOf(19, madeMarinade())).toBe((10n ** 14n * ((total << 48n) / 1_653_825_758_746n)) >> 48n);
    expect(rateOf(19, madeMarinade(VENUE_ACCOUNT, { 512: 1n }))).toBe(rateOf(19, madeMarinade()));
  });

  it('lies between 0 and 3', () => {
    const withSupply = (supply: bigint) => error(19, madeMarinade(VENUE_ACCOUNT, { 504: supply }));
    expect(withSupply(0n)).toBe('MarinadeStateValidationFailed');
    const alone = { 226: 0n, 568: 0n, 496: 0n, 528: 0n, 504: 100n };
    expect(error(19, madeMarinade(VENUE_ACCOUNT, { ...alone, 376: 299n }))).toBeNull();
    expect(error(19, madeMarinade(VENUE_ACCOUNT, { ...alone, 376: 300n }))).toBe('MarinadeStateValidationFailed');
    expect(error(19, madeMarinade(VENUE_ACCOUNT, { ...alone, 376: 5n, 528: 6n }))).toBe(
      'MarinadeStateValidationFailed',
    );
    expect(error(19, madeMarinade(VENUE_ACCOUNT, { 376: 2n ** 64n - 1n }))).toBe('MathError');
  });
});

describe('the rate of a stake pool', () => {
  it('is its lamports for one token, of all three programs', () => {
    const rate = (10n ** 14n * ((1_292_015_000_000n << 48n) / 10n ** 12n)) >> 48n;
    for (const owner of [SANCTUM_STAKE_POOL_PROGRAM, SANCTUM_MULTI_STAKE_POOL_PROGRAM])
      expect(rateOf(22, { ...madeStakePool(), owner })).toBe(rate);
    expect(rateOf(22, madeStakePool())).toBe(rate);
  });

  it('may be an epoch behind and no more, and needs the epoch to be judged', () => {
    const at = (epoch: bigint) => error(22, madeStakePool(), { ...moment, epoch });
    expect([699n, 700n, 701n, 702n].map(at)).toEqual([null, null, null, 'StakePoolStale']);
    expect(load(22, madeStakePool(), { slot: 1n, unixTimestamp: NOW })).toMatchObject({
      ...{ kind: 'refused', reason: 'epoch_unknown', programError: null },
    });
  });

  it('is stale in what is shown, and no refresh of a venue forgives it', () => {
    const bank = bankOfSetup(22);
    const late = { ...moment, epoch: 702n };
    const accounts = [PYTH, madeStakePool()];
    expect(readPrice(bank, accounts, late)).toMatchObject({ kind: 'priced', isStale: true, isVenueStale: false });
    const loaded = loadOracle(bank, accounts, late);
    if (loaded.kind !== 'loaded') throw new TypeError(loaded.reason);
    expect(toRiskPriceOnceRefreshed(bank, { ...loaded, isVenueStale: true })).toEqual({
      ...{ kind: 'failed', error: 'StakePoolStale' },
    });
  });

  it('lies between 0 and 3, and a pool without tokens has none', () => {
    const of = (lamports: bigint, supply: bigint, epoch = 700n) =>
      error(22, madeStakePool(VENUE_ACCOUNT, { 258: lamports, 266: supply, 274: epoch }));
    expect(of(5n, 0n, 1n)).toBe('ZeroSupplyInStakePool');
    expect(of(0n, 100n)).toBe('StakePoolValidationFailed');
    expect(of(300n, 100n)).toBe('StakePoolValidationFailed');
    expect(of(299n, 100n)).toBeNull();
    // The age is looked at before the rate.
    expect(of(300n, 100n, 1n)).toBe('StakePoolStale');
  });
});

describe('the rate of a principal token', () => {
  const TERM = { startTs: Number(NOW) - 1_000, duration: 2_000 };
  const fixed = (account: AccountBytes, startPrice = '0.9', unixTimestamp = NOW) => {
    const bank = bankOfSetup(26, { config: { fixedPrice: parseI80F48(startPrice) } });
    const loaded = loadOracle(bank, [{ ...account, address: FEED }], { ...moment, unixTimestamp });
    return loaded.kind === 'loaded' && loaded.feed.kind === 'fixed' ? loaded.feed.price : loaded;
  };
  const backedBy = (syForPt: bigint) => madeVault(TERM, VENUE_ACCOUNT, { 441: syForPt });

  /** The reference's golden example 23. */
  it('rises from the start price to 1, and never above its backing', () => {
    // 0.98 and 0.94 of an asset behind each token.
    const half = parseI80F48('0.9') + (((1n << 48n) - parseI80F48('0.9')) >> 1n);
    expect(Number(half) / 2 ** 48).toBeCloseTo(0.95, 14);
    expect(fixed(backedBy(490_000_000_000n))).toBe(half);
    expect(fixed(backedBy(470_000_000_000n))).toBe(2n * ((47n << 48n) / 100n));
  });

  it('is the start price before the term and 1 after it', () => {
    const vault = madeVault(TERM);
    expect([-1_001n, -1_000n].map((after) => fixed(vault, '0.9', NOW + after))).toEqual(
      [0, 1].map(() => parseI80F48('0.9')),
    );
    expect([1_000n, 9_999n].map((after) => fixed(vault, '0.9', NOW + after))).toEqual([1n << 48n, 1n << 48n]);
  });

  it('multiplies a feed, too', () => {
    expect(rateOf(25, madeVault(TERM))).toBe(
      (10n ** 14n * (parseI80F48('0.9') + (((1n << 48n) - parseI80F48('0.9')) >> 1n))) >> 48n,
    );
  });

  it('has none in an emergency, whatever word of the 256 bits says so', () => {
    const refused = { kind: 'refused', reason: 'vault_in_emergency', programError: 'ExponentVaultValidationFailed' };
    expect(load(25, madeVault(TERM, VENUE_ACCOUNT, { 369: 2n * 10n ** 12n + 1n }))).toMatchObject(refused);
    expect(load(25, madeVault(TERM, VENUE_ACCOUNT, { 393: 1n }))).toMatchObject(refused);
    expect(load(25, madeVault(TERM, VENUE_ACCOUNT, { 369: 0n }))).toMatchObject({ kind: 'loaded' });
  });

  it('has none for a term that has no length or ends in more than five years', () => {
    const ending = (duration: number) => error(25, madeVault({ startTs: Number(NOW), duration }));
    const invalid = 'ExponentVaultValidationFailed';
    expect([0, 157_680_000, 157_680_001].map(ending)).toEqual([invalid, null, invalid]);
  });

  it('has none without tokens or without a rate of the underlying that fits 64 bits', () => {
    const invalid = 'ExponentVaultValidationFailed';
    expect(error(25, madeVault(TERM, VENUE_ACCOUNT, { 449: 0n }))).toBe(invalid);
    expect(error(25, madeVault(TERM, VENUE_ACCOUNT, { 337: 0n, 369: 0n }))).toBe(invalid);
    expect(error(25, madeVault(TERM, VENUE_ACCOUNT, { 345: 1n }))).toBe(invalid);
    expect(fixed(madeVault(TERM), '1.1')).toMatchObject({ programError: 'MathError' });
  });
});

describe.skipIf(isMissing)('real accounts of rates (FIXTURES_DIR)', () => {
  it('finds the dumps', () => {
    expect([dumps('marinade'), dumps('stake-pool')].map(({ length }) => length)).toEqual([1, 3]);
  });

  it.each(dumps('marinade'))('price mSOL as Marinade does: $name', ({ account, expected: { decoded } }) => {
    const rate = rateOf(19, { ...account, address: VENUE_ACCOUNT });
    const kept = (BigInt(decoded.msolPrice) * 10n ** 14n) / 2n ** 32n;
    // The kept price is of Marinade's last instruction: the same but for rounding and rent.
    expect(Math.abs(Number(rate) / Number(kept) - 1)).toBeLessThan(1e-5);
  });

  it.each(dumps('stake-pool'))('price the token of $name as recorded', ({ account, expected: { essentials } }) => {
    const at = { ...moment, epoch: BigInt(essentials.lastUpdateEpoch) + 1n };
    const rate = rateOf(22, { ...account, address: VENUE_ACCOUNT }, at);
    expect(Number(rate) / 1e14).toBeCloseTo(essentials.lamportsPerPoolToken, 12);
  });
});
