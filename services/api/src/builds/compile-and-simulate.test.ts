import { createLimitMemory, MAX_COMPUTE_UNITS, type SimulationOutcome, type Simulator } from '@lending/transactions';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { type CompileInput, compileAndSimulate } from './compile-and-simulate.ts';

const PAYER = address('AE1hoHXqzvgC4Uxm7HoSMXi6i9sTTGGcCqxmfavwZe4N');
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');

function input(instruction: Instruction, price = 7n): CompileInput {
  return {
    packed: {
      drafts: [{ type: 'DEPOSIT', label: 'Deposit', instructions: [instruction] }],
      submit: 'sequential',
      actionIndex: 0,
      tipLamports: 0n,
      isPulsed: false,
    },
    payer: PAYER,
    version: 0,
    microLamportsPerUnit: price,
    lookupTables: {},
    watch: [PAYER],
  };
}

function instruction(tag: number, length = 1): Instruction {
  const account = { address: PAYER, role: AccountRole.WRITABLE_SIGNER };
  const accounts = Array.from({ length }, () => account);
  return { programAddress: PROGRAM, accounts, data: Uint8Array.of(tag, 0, 0, 0, 0, 0, 0, 0) };
}

/** A node that takes so many units, and refuses transactions that may not use them. */
function nodeTaking(units: () => number, logs: readonly string[] = []) {
  const asked: { readonly limit: number; readonly fee: bigint; readonly watch: readonly Address[] }[] = [];
  const simulator: Simulator = {
    async simulate(transactions, watch) {
      const [{ computeUnitLimit: limit, priorityFeeLamports: fee }] = transactions as [never];
      asked.push({ limit, fee, watch });
      const needed = units();
      const taken = { unitsConsumed: Math.min(needed, limit), feeLamports: null, logs };
      const failed: SimulationOutcome = {
        kind: 'failed',
        slot: 1n,
        index: 0,
        transactions: [taken],
        error: [0, 'ComputationalBudgetExceeded'],
        reason: 'ComputationalBudgetExceeded',
        logs: [],
      };
      const passed: SimulationOutcome = { kind: 'passed', slot: 1n, transactions: [taken], after: new Map() };
      return { ...(needed > limit ? failed : passed), by: 'node' };
    },
  };
  return { simulator, asked };
}

describe('compileAndSimulate', () => {
  it('tries a shape it does not know with all units, then simulates the very limit it answers with', async () => {
    const { simulator, asked } = nodeTaking(() => 30_000);
    const limits = createLimitMemory();
    const first = await compileAndSimulate(input(instruction(1)), { simulator, limits });
    expect(first.waves).toBe(2);
    expect(asked.map(({ limit }) => limit)).toEqual([MAX_COMPUTE_UNITS, first.transactions[0]?.computeUnitLimit]);
    expect(first.transactions[0]?.computeUnitLimit).toBeLessThan(60_000);
    // The trial bids next to nothing: a wallet need not own what 1.4 million units cost.
    expect(asked[0]?.fee).toBeLessThanOrEqual(2n);
    const second = await compileAndSimulate(input(instruction(1)), { simulator, limits });
    expect([second.waves, asked.length]).toEqual([1, 3]);
    expect(second.transactions[0]?.wire).toEqual(first.transactions[0]?.wire);
  });

  it('learns again where what it knew is too little', async () => {
    let units = 20_000;
    const { simulator, asked } = nodeTaking(() => units);
    const limits = createLimitMemory();
    await compileAndSimulate(input(instruction(2)), { simulator, limits });
    units = 200_000;
    const { outcome, waves, transactions } = await compileAndSimulate(input(instruction(2)), { simulator, limits });
    expect([outcome.kind, waves]).toEqual(['passed', 3]);
    expect(transactions[0]?.computeUnitLimit).toBeGreaterThan(units);
    expect(asked.at(-2)?.limit).toBe(MAX_COMPUTE_UNITS);
  });

  it('learns again where the chain moved on between the trial and the limit that it taught', async () => {
    let simulations = 0;
    const { simulator, asked } = nodeTaking(() => (++simulations === 1 ? 20_000 : 100_000));
    const limits = createLimitMemory();
    const { outcome, waves, transactions } = await compileAndSimulate(input(instruction(2)), { simulator, limits });
    expect([outcome.kind, waves]).toEqual(['passed', 4]);
    expect(asked.map(({ limit }) => limit)).toEqual([MAX_COMPUTE_UNITS, 39_000, MAX_COMPUTE_UNITS, 135_000]);
    expect(transactions[0]?.computeUnitLimit).toBe(135_000);
  });

  it.each([
    ['does not know', 4, false],
    ['knows', 5, true],
  ])(
    'ends within five simulations where every limit is exceeded that it learns of a shape it %s',
    async (_, most, isKnown) => {
      let units = 10_000;
      const { simulator, asked } = nodeTaking(() => (units *= 2));
      const limits = createLimitMemory();
      if (isKnown) limits.learn({ instructions: [instruction(2)] }, { unitsConsumed: 1_000, logs: [] });
      const { outcome, waves } = await compileAndSimulate(input(instruction(2)), { simulator, limits });
      expect([outcome.kind, waves, asked.length]).toEqual(['failed', most, most]);
    },
  );

  it('simulates once more where what it knew leaves next to no room', async () => {
    let units = 100_000;
    const { simulator } = nodeTaking(() => units);
    const limits = createLimitMemory();
    await compileAndSimulate(input(instruction(2)), { simulator, limits });
    units = 120_000;
    const { waves, transactions } = await compileAndSimulate(input(instruction(2)), { simulator, limits });
    expect([waves, transactions[0]?.computeUnitLimit]).toEqual([2, 159_000]);
  });

  it('tells a failure that units have nothing to do with after one simulation where the shape is known', async () => {
    const { simulator } = nodeTaking(() => 10_000);
    const limits = createLimitMemory();
    await compileAndSimulate(input(instruction(3)), { simulator, limits });
    const failing: Simulator = {
      simulate: async () => ({
        kind: 'failed',
        slot: 2n,
        index: 0,
        transactions: [{ unitsConsumed: 9_000, feeLamports: null, logs: [] }],
        error: [0, { Custom: 6009 }],
        reason: 'Custom 6009',
        logs: [],
        by: 'node',
      }),
    };
    const { outcome, waves } = await compileAndSimulate(input(instruction(3)), { simulator: failing, limits });
    expect([outcome.kind, waves]).toEqual(['failed', 1]);
    const unknown = createLimitMemory();
    await compileAndSimulate(input(instruction(3)), { simulator: failing, limits: unknown });
    expect(unknown.limitOf({ instructions: [instruction(3)] })).toBeNull();
  });

  describe('with a shape that is new, of instructions that are not', () => {
    const logs = (units: number) => [
      `Program ${PROGRAM} invoke [1]`,
      `Program ${PROGRAM} consumed ${units} of 1 compute units`,
    ];
    const learnt = async () => {
      const limits = createLimitMemory();
      const { simulator } = nodeTaking(() => 30_000, logs(30_000));
      await compileAndSimulate(input(instruction(4, 3)), { simulator, limits });
      return limits;
    };

    it('takes one simulation where the guess is good', async () => {
      const { simulator, asked } = nodeTaking(() => 31_000);
      const { waves, transactions } = await compileAndSimulate(input(instruction(4, 2)), {
        simulator,
        limits: await learnt(),
      });
      expect([waves, asked.length]).toEqual([1, 1]);
      expect(transactions[0]?.computeUnitLimit).toBe(52_000);
    });

    it.each([
      ['leaves next to no room', 34_000],
      ['is far too much', 5_000],
    ])('simulates what it learnt where the guess %s', async (_, units) => {
      const { simulator, asked } = nodeTaking(() => units);
      const limits = await learnt();
      const { waves, transactions } = await compileAndSimulate(input(instruction(4, 2)), { simulator, limits });
      expect([waves, asked.length]).toEqual([2, 2]);
      expect(transactions[0]?.computeUnitLimit).toBe(limits.limitOf({ instructions: [instruction(4, 2)] }));
    });

    it('tries it with all units where they ran out', async () => {
      const { simulator, asked } = nodeTaking(() => 60_000);
      const { outcome, waves } = await compileAndSimulate(input(instruction(4, 2)), {
        simulator,
        limits: await learnt(),
      });
      expect([outcome.kind, waves]).toEqual(['passed', 3]);
      expect(asked[1]?.limit).toBe(MAX_COMPUTE_UNITS);
    });
  });
});
