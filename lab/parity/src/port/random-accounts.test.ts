import {
  attemptRepay,
  type CapacityState,
  computeRequirement,
  type ProgramErrorName,
  premiumOwed,
  premiumRatesAfter,
  type RiskBalance,
  type RiskBank,
  receivershipPremium,
  splitRepayment,
} from '@lending/domain';
import { BANK_ORACLE_SETUPS, MARGINFI_ERRORS, type MarginfiErrorName } from '@lending/programs';
import { type P0Bank, sameAssetOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import * as port from './independent-port.ts';

/** `RANDOM_RUNS=100000 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 4_000);
const SEED = BigInt(process.env.RANDOM_SEED ?? 20_261_128);

const ONE = 1n << 48n;
const SETUPS = [3, 4, 5, 6, 7, 8, 19, 20, 22, 25];
/** Two keys, so that mints and feeds meet. */
const KEYS = [
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
] as Address[];
const STALE = 'PythPushStalePrice' satisfies MarginfiErrorName;
const TOO_WIDE = 'OracleMaxConfidenceExceeded' satisfies MarginfiErrorName;

/** The same account as the port and as the domain take it. */
interface Drawn {
  readonly account: port.Account;
  readonly pairs: port.Pair[];
  readonly balances: readonly RiskBalance[];
}

describe('random accounts against a port of the formulas that was written from the program alone', () => {
  it('gives the same totals or refusal at each requirement, and the same premium rates', () => {
    const roll = createDice(SEED);
    const seen = { refused: 0, valued: 0, rates: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const { account, pairs, balances } = draw(roll);
      const judged = port.judge(account);
      for (const requirement of ['initial', 'maintenance', 'equity'] as const) {
        const theirs = judged[requirement];
        expect(oursAt(balances, requirement), `run ${run}, ${requirement}`).toEqual(theirs);
        seen['error' in theirs ? 'refused' : 'valued'] += 1;
      }
      for (const requirement of ['initial', 'maintenance'] as const) {
        const ours = premiumRatesAfter(balances, requirement, pairs);
        for (const { index, rate } of port.snapshots(account, requirement, pairs)) {
          expect(ours[index], `run ${run}, ${requirement}, balance ${index}`).toBe(rate);
          seen.rates += Number(rate !== null && rate > 0);
        }
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 10);
  });
});

describe('random repayments against the same port', () => {
  it('settle as much premium and principal, leave as many shares, and are refused with the same error', () => {
    const roll = createDice(SEED + 1n);
    const seen = { paid: 0, premiumOnly: 0, tooMuch: 0, tooLittleLeft: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const { theirs, state, now } = drawDebt(roll);
      const claimed = port.claim(theirs, now).premiumOutstanding;
      const ours = premiumOf(state);
      expect(ours, `run ${run}, premium`).toBe(claimed);
      const amount = drawAmount(roll, theirs, claimed);
      const outcome = attemptRepay(state, amount);
      const paid = orFault(() => port.repay(theirs, amount, now));
      if (typeof paid === 'number') {
        const error = outcome.kind === 'refused' ? MARGINFI_ERRORS[outcome.error as MarginfiErrorName] : null;
        expect(error, `run ${run}, ${amount}`).toBe(paid);
        seen[paid === MARGINFI_ERRORS.OperationRepayOnly ? 'tooMuch' : 'tooLittleLeft'] += 1;
        continue;
      }
      const { premium, principal } = splitRepayment(ours, amount * ONE);
      expect([premium, principal], `run ${run}, ${amount}`).toEqual([paid.settled, paid.principal]);
      if (theirs.liabilityShares > 0n && paid.balance.liabilityShares === 0n) {
        // Passes in this second alone, so the domain refuses it: a debt grows until the transaction lands.
        expect(outcome).toEqual({ kind: 'refused', error: 'IllegalBalanceState' });
        continue;
      }
      if (outcome.kind === 'refused') throw new Error(`run ${run}, ${amount}: ${outcome.error}`);
      expect(outcome.balance?.liabilityShares, `run ${run}, ${amount}`).toBe(paid.balance.liabilityShares);
      seen[principal === 0n ? 'premiumOnly' : 'paid'] += 1;
    }
    for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(RUNS / 20);
  });

  it('of everything pull as many tokens, and leave as much to insurance', () => {
    const roll = createDice(SEED + 2n);
    const seen = { refused: 0, paid: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const { theirs, state, now } = drawDebt(roll, roll(2) === 0 ? BigInt(roll(2 ** 31 - 1)) * 12n : 0n);
      const outcome = attemptRepay(state, 'all');
      const paid = orFault(() => port.repayAll(theirs, now));
      seen[typeof paid === 'number' ? 'refused' : 'paid'] += 1;
      if (typeof paid === 'number') {
        const error = outcome.kind === 'refused' ? MARGINFI_ERRORS[outcome.error as MarginfiErrorName] : null;
        expect(error, `run ${run}`).toBe(paid);
        continue;
      }
      if (outcome.kind === 'refused') throw new Error(`run ${run}: ${outcome.error}`);
      const { collectedInsuranceFeesOutstanding: insurance, totalAssetShares, totalLiabilityShares } = outcome.bank;
      expect([outcome.vaultFlowBase, insurance, premiumOf(state)], `run ${run}`).toEqual([
        paid.pulled,
        paid.insurance,
        paid.settled,
      ]);
      expect([totalAssetShares, totalLiabilityShares, outcome.balance], `run ${run}`).toEqual([0n, 0n, null]);
    }
    for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(RUNS / 20);
  });
});

describe('random tags against the same port', () => {
  it('give the same premium of a receivership', () => {
    const roll = createDice(SEED + 3n);
    for (let run = 0; run < RUNS; run += 1) {
      const maxFee = (BigInt(roll(1_200_000)) * ONE) / 1_000_000n;
      const taggedAt = roll(10) === 0 ? 0 : 1_800_000_000;
      const now = 1_800_000_000 - 1_000 + roll(700_000);
      const [isRaisedByEmode, isRuined] = [roll(10) === 0, roll(10) === 0];
      const ours = receivershipPremium({
        ...{ maxFee, taggedAt: BigInt(taggedAt), now: BigInt(now), isRaisedByEmode },
        equity: { assets: ONE, liabilities: isRuined ? ONE + 1n : ONE },
      });
      expect(ours, `run ${run}`).toBe(port.receivershipPremium(maxFee, taggedAt, now, isRaisedByEmode || isRuined));
    }
  });
});

/** The result, or the number of the program's error. */
function orFault<Result>(run: () => Result): Result | number {
  try {
    return run();
  } catch (fault) {
    if (fault instanceof port.Fault) return fault.code;
    throw fault;
  }
}

/** A debt in a bank of P0's own, alone in its books, and the owner who is about to repay it. */
function drawDebt(roll: Dice, assetShares = 0n) {
  const now = 1_800_000_000 + roll(1_000_000);
  const drawn = drawBalance(roll, { now, isOneAsset: false, index: 0 });
  const bank = {
    ...drawn.bank,
    assetTag: roll(3),
    liabilityShareValue: roll(4) === 0 ? ONE : drawn.bank.liabilityShareValue,
  };
  const shares = drawn.assetShares + drawn.liabilityShares;
  const liabilityShares = roll(3) === 0 ? shares % (1_000n * ONE) : shares;
  const premiumOutstanding = roll(4) === 0 ? BigInt(roll(1_000_000)) << 28n : drawn.premiumOutstanding;
  const theirs: port.Balance = { ...drawn, bank, assetShares, liabilityShares, premiumOutstanding };
  return { theirs, now, state: repaying(theirs, now) };
}

/** Some part of what is owed, or an amount close to all of it. */
function drawAmount(roll: Dice, { liabilityShares, bank }: port.Balance, premium: bigint): bigint {
  const owed = ((liabilityShares * bank.liabilityShareValue) / ONE + premium) / ONE;
  const near = owed + BigInt(roll(6) - 3);
  const amount =
    [near, (owed * BigInt(roll(1_000))) / 1_000n, (premium * BigInt(roll(1_000))) / ONE / 1_000n][roll(3)] ?? near;
  return amount > 0n ? amount : 0n;
}

const NO_WINDOW = { maxOutflow: 0n, windowDuration: 0n, windowStart: 0n, prevWindowOutflow: 0n, curWindowOutflow: 0n };

function repaying(theirs: port.Balance, now: number): CapacityState {
  const held = toRiskBalance(theirs, { init: 0n, maint: 0n }, now);
  const { assetShareValue, liabilityShareValue } = held.bank.shares;
  const rateLimiter = { hourly: NO_WINDOW, daily: NO_WINDOW };
  return {
    account: { balances: [{ ...held, assetTag: theirs.bank.assetTag }], flags: 0n },
    bank: {
      risk: held.bank,
      price: held.price,
      ledger: {
        mintDecimals: theirs.bank.mintDecimals,
        ...{ assetShareValue, liabilityShareValue },
        totalAssetShares: theirs.assetShares,
        totalLiabilityShares: theirs.liabilityShares,
        collectedInsuranceFeesOutstanding: 0n,
        collectedGroupFeesOutstanding: 0n,
        collectedProgramFeesOutstanding: 0n,
        ...{ lendingPositionCount: 0, borrowingPositionCount: 1, flags: 0n, rateLimiter },
        config: {
          ...{ depositLimit: 0n, borrowLimit: 0n, operationalState: 1, assetTag: theirs.bank.assetTag },
          interestRateConfig: { protocolOriginationFee: 0n },
        },
      },
      ...{ vaultBase: 0n, transferFee: null, units: null },
    },
    group: { isPaused: false, rateLimiter, programFeeRate: 0n, premiumPairs: [] },
    unixTimestamp: BigInt(now),
  };
}

function premiumOf(state: CapacityState): bigint {
  return state.account.balances[0]?.premium ?? 0n;
}

function oursAt(balances: readonly RiskBalance[], requirement: port.Requirement): port.Totals | port.Failure {
  const outcome = computeRequirement(balances, requirement);
  if (outcome.kind === 'valued') return { assets: outcome.assets, liabilities: outcome.liabilities };
  return { error: MARGINFI_ERRORS[outcome.error as MarginfiErrorName & ProgramErrorName], index: outcome.index };
}

type Dice = (sides: number) => number;

/** A linear congruential generator: a seed gives the same accounts again. */
function createDice(seed: bigint): Dice {
  let state = seed;
  return (sides) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n);
    return Number((state >> 33n) % BigInt(sides));
  };
}

function draw(roll: Dice): Drawn {
  const now = 1_800_000_000 + roll(1_000_000);
  const [sameAssetInitial, sameAssetMaintenance] = [roll(0x8000_0000) * roll(2), roll(0x7fff_ffff) * 2];
  const leverage = { init: port.fromBasis(sameAssetInitial), maint: port.fromBasis(sameAssetMaintenance) };
  // A third of the accounts hold one asset, in which same-asset emode applies.
  const isOneAsset = roll(3) === 0;
  const theirs = Array.from({ length: 1 + roll(8) }, (_, index) => drawBalance(roll, { now, isOneAsset, index }));
  return {
    account: { balances: theirs, now, sameAssetInitial, sameAssetMaintenance },
    pairs: drawPairs(roll),
    balances: theirs.map((balance) => toRiskBalance(balance, leverage, now)),
  };
}

function drawPairs(roll: Dice): port.Pair[] {
  const pairs = new Map<string, port.Pair>();
  for (let count = roll(4) === 0 ? 0 : 1 + roll(6); count > 0; count -= 1) {
    const pair = { collateralTag: roll(4), liabilityTag: roll(4), rate: roll(429_496_730) };
    pairs.set(`${pair.collateralTag}:${pair.liabilityTag}`, pair);
  }
  return [...pairs.values()];
}

function drawBalance(
  roll: Dice,
  { now, isOneAsset, index }: { readonly now: number; readonly isOneAsset: boolean; readonly index: number },
): port.Balance {
  const part = (most: number) => (BigInt(roll(1_000_000)) * ONE * BigInt(Math.round(most * 1_000))) / 1_000_000_000n;
  const price = () => {
    const spot = part(200) + 1n;
    return { price: spot, confidence: (spot * BigInt(roll(50))) / 1_000n };
  };
  const isDebt = roll(2) === 0;
  const shares =
    roll(15) === 0 ? BigInt(roll(1 << 30)) : BigInt(1 + roll(1_000_000_000)) * ONE * BigInt(1 + roll(1_000));
  const [assetInit, liabilityMaint] = [part(1), ONE + part(0.5)];
  const shareValue = ONE + part(2);
  const isWide = roll(25) === 0;
  const bank: port.Bank = {
    address: `bank ${index}`,
    mint: keyAt(isOneAsset ? 0 : roll(2)),
    mintDecimals: [5, 6, 8, 9][roll(4)] ?? 6,
    assetTag: [0, 1, 2, 3, 4, 6][roll(6)] ?? 0,
    isolated: roll(12) === 0,
    state: (['other', 'other', 'other', 'ReduceOnly', 'Paused'] as const)[roll(5)] ?? 'other',
    emergency: roll(12) === 0,
    assetWeight: { initial: assetInit, maintenance: roll(12) === 0 ? 0n : assetInit + part(0.4) },
    liabilityWeight: { initial: liabilityMaint + part(0.5), maintenance: liabilityMaint },
    assetShareValue: shareValue,
    liabilityShareValue: shareValue,
    totalAssetShares: BigInt(roll(1_000_000_000)) * ONE * 1_000n,
    usdLimit: BigInt(roll(3) === 0 ? roll(1_000_000) : 0),
    emodeTag: roll(4),
    emodeEntries: Array.from({ length: roll(4) }, (_, tag) => ({
      tag: tag + 1,
      initial: part(1.1),
      maintenance: part(1.2),
    })),
    oracleSetup: (isOneAsset ? [3, 6, 3, 6, 4][roll(5)] : SETUPS[roll(SETUPS.length)]) ?? 3,
    oracleKey: keyAt(isOneAsset ? 1 : roll(2)),
    fixedPrice: roll(6) === 0 ? ONE : 0n,
    sameAssetEligible: roll(5) > 0,
    premiumActive: roll(3) > 0,
    premiumActivatedAt: roll(2) * (now - roll(1_000_000)),
    premiumTag: roll(4),
    oracle:
      roll(12) === 0
        ? MARGINFI_ERRORS[STALE]
        : isWide
          ? { spot: MARGINFI_ERRORS[TOO_WIDE], average: MARGINFI_ERRORS[TOO_WIDE] }
          : { spot: price(), average: price() },
  };
  return {
    bank,
    assetShares: isDebt ? 0n : shares,
    liabilityShares: isDebt ? shares : 0n,
    premiumOutstanding: BigInt(roll(1_000_000_000)) * ONE * BigInt(roll(2)),
    premiumRate: roll(429_496_730) * roll(2),
    lastUpdate: roll(10) === 0 ? 0 : now - roll(40_000_000),
  };
}

function keyAt(index: number): Address {
  const key = KEYS[index];
  if (key === undefined) throw new TypeError(`There is no key ${index}`);
  return key;
}

function toRiskBalance(balance: port.Balance, leverage: { init: bigint; maint: bigint }, now: number): RiskBalance {
  const { assetShares, liabilityShares, premiumRate: rate, premiumOutstanding: outstanding, lastUpdate } = balance;
  const bank = toRiskBank(balance.bank, leverage);
  const premium = { rate, outstanding, claimedAt: BigInt(lastUpdate) };
  return {
    bank,
    price: toRiskPrice(balance.bank),
    assetShares,
    liabilityShares,
    premium: premiumOwed(bank, { liabilityShares, premium }, BigInt(now)),
  };
}

function toRiskPrice({ oracle, emergency }: port.Bank): RiskBalance['price'] {
  if (typeof oracle === 'number') return { kind: 'failed', error: STALE };
  const band = (price: port.Price) =>
    typeof price === 'number'
      ? TOO_WIDE
      : { spot: price.price, low: price.price - price.confidence, high: price.price + price.confidence };
  return { kind: 'loaded', spot: band(oracle.spot), ema: band(oracle.average), hasBorrowingPower: !emergency };
}

function toRiskBank(bank: port.Bank, leverage: { init: bigint; maint: bigint }): RiskBank {
  const setup = BANK_ORACLE_SETUPS[bank.oracleSetup];
  const oracle = { setup, keys: [bank.oracleKey], fixedPrice: bank.fixedPrice } as unknown as P0Bank['oracle'];
  const flags = bank.sameAssetEligible ? 1n << 12n : 0n;
  const sameAsset = sameAssetOf({ mint: bank.mint as Address, flags, oracle });
  return {
    address: bank.address,
    assetTag: bank.assetTag,
    decimals: bank.mintDecimals,
    operationalState: bank.state === 'other' ? 'Operational' : bank.state,
    breaker: null,
    riskTier: bank.isolated ? 'Isolated' : 'Collateral',
    weights: {
      assetInit: bank.assetWeight.initial,
      assetMaint: bank.assetWeight.maintenance,
      liabilityInit: bank.liabilityWeight.initial,
      liabilityMaint: bank.liabilityWeight.maintenance,
    },
    totalAssetValueInitLimitUsd: bank.usdLimit === 0n ? null : bank.usdLimit,
    emode: {
      tag: bank.emodeTag,
      entries: bank.emodeEntries.map(({ tag, initial, maintenance }) => ({
        collateralTag: tag,
        assetWeightInit: initial,
        assetWeightMaint: maintenance,
      })),
    },
    premium: {
      tag: bank.premiumTag,
      isActive: bank.premiumActive,
      activatedAt: BigInt(bank.premiumActivatedAt),
    },
    sameAsset: sameAsset && { ...sameAsset, leverage },
    shares: {
      assetShareValue: bank.assetShareValue,
      liabilityShareValue: bank.liabilityShareValue,
      totalAssetShares: bank.totalAssetShares,
      totalLiabilityShares: 0n,
      lastUpdate: 0n,
    },
  };
}
