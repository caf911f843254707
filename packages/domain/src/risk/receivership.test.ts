import { describe, expect, it } from 'vitest';
import { I80F48_ONE, multiplyI80F48, parseI80F48 } from '../i80f48.ts';
import {
  findReceivershipRefusal,
  type ReceivershipTerms,
  type ReceivershipTotals,
  receivershipPremium,
} from './receivership.ts';

const usd = parseI80F48;
const TAGGED_AT = 1_791_000_000n;
const SOLVENT = { assets: usd('100'), liabilities: usd('85') };

/** The premium so many seconds after the tag. */
function premiumAfter(seconds: bigint, changes: Partial<ReceivershipTerms> = {}) {
  const now = TAGGED_AT + seconds;
  return receivershipPremium({
    maxFee: 0n,
    taggedAt: TAGGED_AT,
    now,
    isRaisedByEmode: false,
    equity: SOLVENT,
    ...changes,
  });
}

describe('receivershipPremium', () => {
  /** The reference's golden examples 14 and 15. */
  it('grows from the first hour after the tag to all of the debt after a week, to the last bit', () => {
    expect([3_600n, 3_601n, 86_400n, 259_200n, 604_800n].map((seconds) => premiumAfter(seconds))).toEqual([
      14_073_748_835_533n,
      14_074_193_614_687n,
      50_901_462_854_262n,
      127_759_300_806_393n,
      281_474_976_710_656n,
    ]);
    expect(premiumAfter(9_999_999n)).toBe(I80F48_ONE);
  });

  it.each([
    ['0.25', 130_169n],
    ['0.4', 225_095n],
    ['0.5', 288_379n],
  ])('reaches %s in second %i', (part, seconds) => {
    expect(premiumAfter(seconds - 1n)).toBeLessThan(usd(part));
    expect(premiumAfter(seconds)).toBeGreaterThanOrEqual(usd(part));
  });

  it.each<[string, Partial<ReceivershipTerms>]>([
    ['without a tag', { taggedAt: 0n }],
    ['before the time of the tag', { now: TAGGED_AT - 1n }],
    ['where emode raises all collateral', { isRaisedByEmode: true }],
    ['where more is owed than there is', { equity: { assets: usd('85'), liabilities: usd('85') + 1n } }],
  ])('stays as the fee state has it %s', (_, changes) => {
    expect(premiumAfter(604_800n, changes)).toBe(usd('0.05'));
    expect(premiumAfter(604_800n, { maxFee: usd('0.08'), ...changes })).toBe(usd('0.08'));
  });

  it('grows for an account that can just pay, and never above a fee that is larger', () => {
    expect(premiumAfter(604_800n, { equity: { assets: usd('85'), liabilities: usd('85') } })).toBe(I80F48_ONE);
    expect(premiumAfter(604_800n, { maxFee: 2n * I80F48_ONE })).toBe(2n * I80F48_ONE);
  });
});

/** So much SOL, which counts 0.8 at maintenance, against so much USDC owed. */
function totalsOf(assets: bigint, liabilities: bigint): ReceivershipTotals {
  const maintenance = { assets: multiplyI80F48(assets, usd('0.8')), liabilities };
  return { maintenance, equity: { assets, liabilities } };
}

describe('findReceivershipRefusal', () => {
  const before = totalsOf(usd('100'), usd('85'));
  const judge = (repaid: string, seized: string, premium = I80F48_ONE) =>
    findReceivershipRefusal(before, totalsOf(usd('100') - usd(seized), usd('85') - usd(repaid)), premium);

  /** The reference's golden example 16: liquidations A, B and C of the patch notes. */
  it.each([
    ['10', '10.5', '-3.4', '0.5', null],
    ['10', '14', '-6.2', '4', null],
    ['20', '40', '-17', '20', 'WorseHealthPostLiquidation'],
  ])('says of %s repaid for %s what the patch notes say', (repaid, seized, health, taken, refusal) => {
    const { maintenance, equity } = totalsOf(usd('100') - usd(seized), usd('85') - usd(repaid));
    expect(Number(maintenance.assets - maintenance.liabilities) / 2 ** 48).toBeCloseTo(Number(health), 12);
    expect(before.equity.assets - equity.assets - usd(repaid)).toBe(usd(taken));
    expect(judge(repaid, seized)).toBe(refusal);
  });

  it('lets through what leaves as much as is owed, and nothing beyond', () => {
    expect(judge('15', '30')).toBeNull();
    const oneMore = totalsOf(usd('70') - 1n, usd('70'));
    expect(findReceivershipRefusal(before, oneMore, 2n * I80F48_ONE)).toBe('WorseHealthPostLiquidation');
  });

  it('lets the loss of one that owes too much already grow by the premium', () => {
    const ruined = totalsOf(usd('80'), usd('85'));
    expect(findReceivershipRefusal(ruined, totalsOf(usd('69.5'), usd('75')), usd('0.05'))).toBeNull();
  });

  it('lets health fall by what was taken above what was repaid, and not by more', () => {
    const falls = (more: bigint) => {
      const { maintenance, equity } = totalsOf(usd('86'), usd('75'));
      const fall = usd('4') + more;
      const health = before.maintenance.assets - before.maintenance.liabilities - fall;
      return { maintenance: { ...maintenance, assets: maintenance.liabilities + health }, equity };
    };
    expect(findReceivershipRefusal(before, falls(0n), I80F48_ONE)).toBeNull();
    expect(findReceivershipRefusal(before, falls(1n), I80F48_ONE)).toBe('WorseHealthPostLiquidation');
  });

  it('holds what was taken to the premium, to the last bit', () => {
    const premium = usd('0.4');
    const most = multiplyI80F48(usd('10'), I80F48_ONE + premium);
    const left = (seized: bigint) => totalsOf(usd('100') - seized, usd('75'));
    expect(findReceivershipRefusal(before, left(most), premium)).toBeNull();
    expect(findReceivershipRefusal(before, left(most + 1n), premium)).toBe('LiquidationPremiumTooHigh');
  });
});
