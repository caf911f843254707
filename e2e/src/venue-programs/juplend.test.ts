import { createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import { JUPLEND_EARN_ERRORS, JUPLEND_LIBRARY_ERRORS, JUPLEND_LIQUIDITY_ERRORS } from '@lending/programs';
import { VENUE_ADAPTERS } from '@lending/venues';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import { randomExtremes, randomSteps } from './juplend-random-steps.ts';
import { JUPLEND_SCENARIOS } from './juplend-scenarios.ts';
import { runStep, type Step, type StepResult } from './juplend-steps.ts';
import { MINT, POOL, PROTOCOLS, START_TIME, worldAccounts } from './juplend-world.ts';

/** A folder of `<program id>.so`, for JupLend's Earn program and its liquidity layer. */
const { VENUE_ELF_FOLDER: folder } = process.env;
const isMissing = folder === undefined || folder === '';
/** `RANDOM_RUNS=2000 RANDOM_SEED=7` looks further, `RANDOM_REPORT=1` counts what happened. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 60);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

const start = { accounts: worldAccounts(), unixTimestamp: START_TIME };
const elf = new Chain(isMissing ? createModelEngine() : await createLiteSvmEngine({ folder }), start);
const model = new Chain(createModelEngine(), start);
const outcomes = new Map<string, number>();

/** Does a step on both chains and expects the same of them: error, what is returned, and every byte. */
function both(step: Step): StepResult {
  const left = runStep(elf, step, true);
  const right = runStep(model, step, false);
  const told = [JSON.stringify(step, textOfBigint), ...left.logs, '---', ...right.logs].join('\n');
  expect({ error: right.error, returned: right.returned }, told).toEqual({
    error: left.error,
    returned: left.returned,
  });
  expect(differences(), told).toEqual([]);
  const what = step.kind === 'earn' ? step.op : step.kind;
  const outcome = `${what}: ${left.error ?? 'done'}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  return right;
}

function differences(): readonly string[] {
  const addresses = new Set<Address>([...elf.state.accounts.keys(), ...model.state.accounts.keys()]);
  return [...addresses].filter((address) => viewOf(elf, address) !== viewOf(model, address));
}

function viewOf(chain: Chain, address: Address): string {
  const state = chain.account(address);
  if (state === undefined) return 'nothing';
  return `${state.owner} ${state.lamports} ${Buffer.from(state.data).toString('hex')}`;
}

function textOfBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

const ERRORS = { ...JUPLEND_LIBRARY_ERRORS, ...JUPLEND_EARN_ERRORS, ...JUPLEND_LIQUIDITY_ERRORS };
const numberOf = (error: string | null): number | null => {
  const found = error === null ? null : /"Custom":(\d+)/.exec(error);
  return found === null ? null : Number(found[1]);
};

describe('the models of JupLend’s programs, on their own', () => {
  it.each(JUPLEND_SCENARIOS)('$name', ({ steps }) => {
    model.reset(start);
    for (const [step, expected] of steps) {
      const { error, logs } = runStep(model, step, false);
      const told = [JSON.stringify(step, textOfBigint), ...logs].join('\n');
      expect(numberOf(error), told).toBe(typeof expected === 'string' ? ERRORS[expected] : expected);
    }
  });
});

describe.skipIf(isMissing)('JupLend’s programs and their models (needs VENUE_ELF_FOLDER)', () => {
  beforeEach(() => {
    elf.reset(start);
    model.reset(start);
  });

  afterAll(() => {
    if (process.env.RANDOM_REPORT === undefined) return;
    const rows = [...outcomes].sort(([, left], [, right]) => right - left);
    console.log(rows.map(([outcome, count]) => `${count}\t${outcome}`).join('\n'));
  });

  it.each(JUPLEND_SCENARIOS)('agree: $name', ({ steps }) => {
    for (const [step, expected] of steps) {
      const { error } = both(step);
      const told = `${JSON.stringify(step, textOfBigint)} came to ${error}`;
      expect(numberOf(error), told).toBe(typeof expected === 'string' ? ERRORS[expected] : expected);
    }
  });

  it('agree over random sequences', () => {
    fc.assert(
      fc.property(randomSteps, (steps) => {
        elf.reset(start);
        model.reset(start);
        for (const user of PROTOCOLS) both({ kind: 'initClaim', user });
        for (const step of steps) both(step);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });

  it('agree where figures leave their widths', () => {
    fc.assert(
      fc.property(randomExtremes, (steps) => {
        elf.reset(start);
        model.reset(start);
        for (const step of steps) both(step);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: process.env.RANDOM_SHRINK === undefined },
    );
  });
});

describe.skipIf(isMissing)('the reading of a pool that the programs wrote (needs VENUE_ELF_FOLDER)', () => {
  const adapter = VENUE_ADAPTERS.find(({ venue }) => venue === 'juplend');
  const keys = {
    ...{ venue: 'juplend' as const, address: POOL.lending, market: POOL.liquidity, mint: MINT },
    accounts: [
      ...[POOL.lending, POOL.tokenReserve, POOL.rateModel, POOL.supplyPosition],
      ...[POOL.rewards, POOL.fTokenMint, POOL.vault, POOL.liquidity],
    ],
  };
  const read = () => {
    const accounts = keys.accounts.map((address) => {
      const state = elf.account(address);
      return state === undefined ? null : { address, ...state };
    });
    const moment = { slot: elf.unixTimestamp * 2n, unixTimestamp: elf.unixTimestamp, slotMicros: 400_000n };
    if (adapter === undefined) throw new Error('there is no adapter of JupLend');
    return adapter.readReserve(keys, accounts, moment);
  };
  const send = (step: Step) => runStep(elf, step, true).error;
  const priceAfterUpdate = () => {
    expect(send({ kind: 'updateRate' })).toBeNull();
    const data = elf.data(POOL.lending);
    return new DataView(data.buffer, data.byteOffset).getBigUint64(115, true);
  };
  const rewards = { startTime: START_TIME + 1_000n, duration: 20_000n, yearlyReward: 9_000_000_000n };
  const opening: readonly Step[] = [
    { kind: 'set', account: 'rewards', fields: { ...rewards, nextDuration: 9_000n, nextRewardAmount: 1_000_000n } },
    { kind: 'earn', op: 'deposit', user: 'ann', amount: 25_000_000_000n },
    { kind: 'time', seconds: 900n },
    { kind: 'operate', protocol: 'vault', borrow: 7_000_000_000n },
    { kind: 'earn', op: 'redeem', user: 'bob', amount: 3_000_000_000n },
  ];

  beforeEach(() => {
    elf.reset(start);
    for (const step of opening) expect(send(step)).toBeNull();
  });

  it.each([0n, 1n, 3_600n, 19_000n, 86_400n, 31_536_000n])('tells the fToken’s price %d seconds on', (seconds) => {
    elf.passTime(seconds);
    const { exchangeRateE18 } = read();
    expect(exchangeRateE18).toBe(priceAfterUpdate() * 10n ** 6n);
  });

  it('tells the rate at which the price grows', () => {
    elf.passTime(2_000n);
    const { rates } = read();
    const before = priceAfterUpdate();
    elf.passTime(10_000n);
    const grown = ((priceAfterUpdate() - before) * 10n ** 18n * 31_536_000n) / (before * 10_000n);
    const told = (rates.depositApr ?? 0n) + (rates.poolRewardApr ?? 0n);
    expect(rates.poolRewardApr).toBeGreaterThan(10n ** 16n);
    // Prices have twelve decimals, the return of ten thousand seconds some eight digits.
    expect(Number(grown) / Number(told)).toBeCloseTo(1, 4);
  });

  it.each([0n, 4_000n, 30_000n])('tells to the unit what can be withdrawn %d seconds on', (seconds) => {
    elf.passTime(seconds);
    const room = read().limits.withdrawRoomBase;
    expect(room).toBeGreaterThan(0n);
    const { accounts, unixTimestamp } = elf.state;
    const attempt = (amount: bigint) => {
      elf.reset({ accounts, unixTimestamp });
      return numberOf(send({ kind: 'earn', op: 'withdraw', user: 'ann', amount }));
    };
    expect(attempt(room)).toBeNull();
    expect(attempt(room + 2n)).toBe(JUPLEND_LIQUIDITY_ERRORS.WithdrawalLimitReached);
  });

  it('tells sizes that the vault bears out', () => {
    const { sizes } = read();
    const vault = elf.data(POOL.vault);
    expect(sizes.availableBase).toBe(new DataView(vault.buffer, vault.byteOffset).getBigUint64(64, true));
  });
});
