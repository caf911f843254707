import fc from 'fast-check';
import type { RateLimitWindow } from '../../accounting/bank-ledger.ts';
import { I80F48_ONE, I80F48_ZERO } from '../../i80f48.ts';
import { U64_MAX } from '../../integers.ts';
import type { PriceBand, RiskPrice } from '../../risk/risk-balance.ts';
import type { CapacityState, HeldBalance } from '../capacity-state.ts';
import { holding, type MadeBank, makeState } from './make-state.ts';

const NOW = 1_777_000_000n;

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });
/** The first value nine times in ten. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}
const percent = (min: bigint, max: bigint) => between(min, max).map((value) => (I80F48_ONE * value) / 100n);

/** From a tenth of a cent to 100,000 USD, evenly over the orders of magnitude; the confidence up to 5 %. */
const band: fc.Arbitrary<PriceBand> = fc
  .tuple(fc.integer({ min: 0, max: 8 }), between(100n, 999n), between(0n, 50n))
  .map(([magnitude, digits, permille]) => {
    const spot = (I80F48_ONE * digits * 10n ** BigInt(magnitude)) / 100_000n;
    const interval = (spot * permille) / 1000n;
    return { spot, low: spot - interval, high: spot + interval };
  });
const loaded: fc.Arbitrary<RiskPrice> = band.map((one) => ({
  kind: 'loaded',
  spot: one,
  ema: one,
  hasBorrowingPower: true,
}));
const TOO_WIDE: RiskPrice = {
  kind: 'loaded',
  spot: 'OracleMaxConfidenceExceeded',
  ema: 'OracleMaxConfidenceExceeded',
  hasBorrowingPower: true,
};
const price: fc.Arbitrary<RiskPrice> = fc.oneof(
  { weight: 30, arbitrary: loaded },
  { weight: 1, arbitrary: fc.constant<RiskPrice>({ kind: 'failed', error: 'PythPushStalePrice' }) },
  { weight: 1, arbitrary: fc.constant(TOO_WIDE) },
);

function window(duration: bigint, scale: bigint): fc.Arbitrary<RateLimitWindow> {
  const off = { maxOutflow: 0n, windowDuration: 0n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };
  const on = fc.record({
    maxOutflow: between(1n, scale),
    windowDuration: fc.constant(duration),
    windowStart: between(NOW - 3n * duration, NOW),
    prevWindowOutflow: between(-scale, scale),
    curWindowOutflow: between(-scale, scale),
  });
  return fc.oneof({ weight: 12, arbitrary: fc.constant(off) }, { weight: 1, arbitrary: on });
}
const limiter = (scale: bigint) => fc.record({ hourly: window(3600n, scale), daily: window(86_400n, scale) });

const emodeEntry = fc.record({
  collateralTag: fc.integer({ min: 1, max: 2 }),
  assetWeightInit: percent(50n, 105n),
  assetWeightMaint: percent(105n, 110n),
});

/** Deposits of all of a bank's lenders up to `scale` base units. */
function bank(address: string, scale: bigint): fc.Arbitrary<MadeBank> {
  return fc
    .record({
      mintDecimals: fc.integer({ min: 0, max: 9 }),
      assetShareValue: between(I80F48_ONE, I80F48_ONE * 3n),
      liabilityShareValue: between(I80F48_ONE, I80F48_ONE * 3n),
      deposits: between(0n, scale * I80F48_ONE),
      debtPercent: between(0n, 100n),
      depositRoom: fc.option(between(0n, scale), { nil: null }),
      borrowRoom: fc.option(between(0n, scale), { nil: null }),
      fee: fc.oneof(fc.constant(I80F48_ZERO), between(1n, I80F48_ONE / 50n)),
      state: mostly(1, 2, 5, 0),
      assetTag: mostly(0, 1, 2, 3, 4),
      flags: mostly(0n, 1n << 5n, 3n << 5n),
      rateLimiter: limiter(scale),
      assetInit: percent(0n, 95n),
      liabilityInit: percent(100n, 150n),
      initLimit: fc.option(between(1n, 1_000_000n), { nil: null, freq: 4 }),
      isIsolated: mostly(false, true),
      emodeTag: fc.integer({ min: 0, max: 2 }),
      entries: fc.array(emodeEntry, { maxLength: 2 }),
      price,
    })
    .map((made) => {
      const totalLiabilityShares =
        (made.deposits * made.assetShareValue * made.debtPercent) / (made.liabilityShareValue * 100n);
      const deposited = (made.deposits * made.assetShareValue) >> 96n;
      const owed = (totalLiabilityShares * made.liabilityShareValue) >> 96n;
      return {
        address,
        price: made.price,
        ledger: {
          mintDecimals: made.mintDecimals,
          assetShareValue: made.assetShareValue,
          liabilityShareValue: made.liabilityShareValue,
          totalAssetShares: made.deposits,
          totalLiabilityShares,
          flags: made.flags,
          rateLimiter: made.rateLimiter,
          config: {
            operationalState: made.state,
            assetTag: made.assetTag,
            depositLimit: made.depositRoom === null ? U64_MAX : deposited + made.depositRoom,
            borrowLimit: made.borrowRoom === null ? U64_MAX : owed + made.borrowRoom,
            interestRateConfig: { protocolOriginationFee: made.fee },
          },
        },
        risk: {
          riskTier: made.isIsolated ? 'Isolated' : 'Collateral',
          weights: {
            assetInit: made.assetInit,
            assetMaint: made.assetInit,
            liabilityInit: made.liabilityInit,
            liabilityMaint: made.liabilityInit,
          },
          totalAssetValueInitLimitUsd: made.initLimit,
          emode: { tag: made.emodeTag, entries: uniqueTags(made.entries) },
        },
      } satisfies MadeBank;
    });
}

function uniqueTags<Entry extends { readonly collateralTag: number }>(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(
    (entry, index) => entries.findIndex((other) => other.collateralTag === entry.collateralTag) === index,
  );
}

interface MadeHolding {
  readonly side: 'asset' | 'liability' | 'empty';
  readonly permille: bigint;
}

/** Part of all deposits or debts of the bank; a little less than a share now and then. */
function held(made: MadeBank, { side, permille }: MadeHolding): HeldBalance {
  const { totalAssetShares = 0n, totalLiabilityShares = 0n } = made.ledger ?? {};
  if (side === 'empty') return holding(made, { assetShares: permille % 7n === 0n ? permille : 0n });
  if (side === 'asset') return holding(made, { assetShares: (totalAssetShares * permille) / 1000n });
  // A small part, or next to no account would be healthy: prices differ by eight orders of magnitude.
  return holding(made, { liabilityShares: (totalLiabilityShares * permille) / 100_000n });
}

const makeHolding = (sides: readonly MadeHolding['side'][]) =>
  fc.record({ side: fc.constantFrom(...sides), permille: between(1n, 1000n) });

const ANY_OWN = fc.option(makeHolding(['asset', 'liability', 'empty']), { nil: null, freq: 2 });
const OWN = { any: ANY_OWN, deposit: fc.oneof({ weight: 9, arbitrary: makeHolding(['asset']) }, ANY_OWN) } as const;

/**
 * An owner at a bank: up to four balances elsewhere, mostly collateral, and in the bank itself nothing in particular or a deposit.
 * Amounts go up to `scale` base units in each bank.
 */
export function arbitraryState(scale: bigint, own: keyof typeof OWN): fc.Arbitrary<CapacityState> {
  const others = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  return others
    .chain((addresses) =>
      fc.record({
        others: fc.tuple(
          ...addresses.map((address) =>
            fc.tuple(bank(address, scale), makeHolding(['asset', 'asset', 'asset', 'liability', 'empty'])),
          ),
        ),
        target: bank('target', scale),
        own: OWN[own],
        vaultBase: fc.oneof(fc.constant(U64_MAX), between(0n, scale)),
        flags: mostly(0n, 2n, 1n, 64n),
        feeBasisPoints: fc.constantFrom(0, 0, 0, 30, 500),
        groupLimiter: limiter(1_000_000n),
      }),
    )
    .map((made) => {
      const balances = made.others.map(([made_, kind]) => held(made_, kind));
      const own = made.own === null ? [] : [held(made.target, made.own)];
      return makeState(made.target, [...own, ...balances], {
        flags: made.flags,
        vaultBase: made.vaultBase,
        transferFee:
          made.feeBasisPoints === 0 ? null : { basisPoints: made.feeBasisPoints, maximumFeeBase: scale / 3n },
        group: { rateLimiter: made.groupLimiter },
        unixTimestamp: NOW,
      });
    });
}
