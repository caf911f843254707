import {
  COMPUTE_BUDGET_PROGRAM,
  encodeEvent,
  juplendWithdraw,
  KLEND_PROGRAM,
  klendRefreshReservesBatch,
  lendingAccountDeposit,
  lendingPoolBankAccrueInterestEvent,
  refreshSolendReserve,
  SECP256K1_PROGRAM,
  SOLEND_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createLimitMemory, MAX_COMPUTE_UNITS } from './limit-memory.ts';
import { addressOf, instructionOf, PROGRAM, range } from './testing-instructions.ts';
import { createUnitGuesses } from './unit-guesses.ts';
import { unitsByInstruction } from './units-by-instruction.ts';

const took = (unitsConsumed: number) => ({ unitsConsumed, logs: [] });

function draftOf(accounts: number, tag = 1, amount = 0) {
  const data = Uint8Array.of(tag, 2, 3, 4, 5, 6, 7, 8, amount);
  return { instructions: [{ ...instructionOf({ accounts: Array.from({ length: accounts }, (_, i) => i) }), data }] };
}

describe('createLimitMemory', () => {
  it('knows nothing of what was never simulated', () => {
    expect(createLimitMemory().limitOf(draftOf(3))).toBeNull();
  });

  it('asks for a fifth and 15,000 more than the most it saw, in thousands', () => {
    const memory = createLimitMemory();
    memory.learn(draftOf(3), took(100_000));
    expect(memory.limitOf(draftOf(3))).toBe(135_000);
    memory.learn(draftOf(3), took(50_000));
    expect(memory.limitOf(draftOf(3))).toBe(135_000);
    memory.learn(draftOf(3), took(100_001));
    expect(memory.limitOf(draftOf(3))).toBe(136_000);
  });

  it('never asks for less than was seen, nor for more than there is', () => {
    const memory = createLimitMemory();
    memory.learn(draftOf(3), took(1_390_000));
    expect(memory.limitOf(draftOf(3))).toBe(MAX_COMPUTE_UNITS);
  });

  it('tells shapes apart by program, instruction and number of accounts, not by amounts', () => {
    const memory = createLimitMemory();
    memory.learn(draftOf(3), took(100_000));
    expect(memory.limitOf(draftOf(4))).toBeNull();
    expect(memory.limitOf(draftOf(3, 2))).toBeNull();
    expect(memory.limitOf(draftOf(3, 1, 99))).toBe(135_000);
    const [instruction] = draftOf(3).instructions;
    const elsewhere = { instructions: [{ ...instructionOf({}), ...instruction, programAddress: addressOf(1) }] };
    expect(memory.limitOf(elsewhere)).toBeNull();
  });

  it.each([
    ['system', SYSTEM_PROGRAM, 4],
    ['token', TOKEN_PROGRAM, 1],
  ])("does not take the %s program's amounts for another instruction", (_, programAddress, tagBytes) => {
    const memory = createLimitMemory();
    const data = new Uint8Array(12).fill(2, 0, tagBytes);
    memory.learn({ instructions: [{ programAddress, data }] }, took(1_000));
    const other = data.slice().fill(9, tagBytes);
    expect(memory.limitOf({ instructions: [{ programAddress, data: other }] })).toBe(17_000);
  });

  describe('where a bank accrues interest', () => {
    const BANKS = [addressOf(50), addressOf(51)] as const;
    const deposits = (...banks: readonly Address[]) => ({
      instructions: banks.map((bank) => ({
        programAddress: PROGRAM,
        accounts: [0, 1, 2, bank].map((account) => ({
          address: typeof account === 'string' ? account : addressOf(account),
          role: AccountRole.WRITABLE,
        })),
        data: lendingAccountDeposit.discriminator,
      })),
    });
    const log = (units: number, ...accrued: readonly Address[]) => [
      `Program ${PROGRAM} invoke [1]`,
      ...accrued.map((bank) => {
        const event = encodeEvent(lendingPoolBankAccrueInterestEvent, {
          header: { signer: null, marginfiGroup: PROGRAM },
          ...{ bank, mint: PROGRAM, delta: 2n, feesCollected: 0.5, insuranceCollected: 0 },
        });
        return `Program data: ${Buffer.from(event).toString('base64')}`;
      }),
      `Program ${PROGRAM} consumed ${units} of ${MAX_COMPUTE_UNITS} compute units`,
      `Program ${PROGRAM} success`,
    ];
    const simulated = (units: number, ...accrued: readonly Address[]) => ({
      unitsConsumed: units,
      logs: log(units, ...accrued),
    });

    it('leaves room for an accrual that the simulation did not show, once for a bank', () => {
      const memory = createLimitMemory();
      memory.learn(deposits(BANKS[0]), simulated(15_000));
      expect(memory.limitOf(deposits(BANKS[0]))).toBe(81_000);
      memory.learn(deposits(BANKS[0], BANKS[1], BANKS[0]), simulated(45_000, BANKS[1]));
      expect(memory.limitOf(deposits(BANKS[0], BANKS[1], BANKS[0]))).toBe(117_000);
    });

    it('takes what an accrual was seen to take, and at least what another bank’s may', () => {
      const memory = createLimitMemory();
      const draft = deposits(BANKS[0]);
      memory.learn(draft, simulated(38_000, BANKS[0]));
      const seen = memory.limitOf(draft) ?? 0;
      expect(seen).toBe(61_000);
      memory.learn(draft, simulated(15_000));
      expect([memory.limitOf(draft), memory.isGoodFor(draft, seen)]).toEqual([seen, true]);
      memory.learn(draft, simulated(25_000));
      expect([memory.limitOf(draft), memory.isGoodFor(draft, seen)]).toEqual([65_000, false]);
    });

    it('keeps its limit where an accrual was run of which nothing went to fees', () => {
      const memory = createLimitMemory();
      const draft = deposits(BANKS[0]);
      memory.learn(draft, simulated(15_000));
      const limit = memory.limitOf(draft) ?? 0;
      memory.learn(draft, simulated(38_000));
      expect([limit, memory.isGoodFor(draft, limit)]).toEqual([81_000, true]);
    });

    it('does so in the other order too, and never takes less than it saw', () => {
      const memory = createLimitMemory();
      const draft = deposits(BANKS[0]);
      memory.learn(draft, simulated(50_000));
      memory.learn(draft, simulated(38_000, BANKS[0]));
      expect(memory.limitOf(draft)).toBe(90_000);
    });

    it('calls the highest limit good where more may accrue than it has room for', () => {
      const memory = createLimitMemory();
      const draft = deposits(BANKS[0]);
      memory.learn(draft, simulated(1_390_000));
      expect([memory.limitOf(draft), memory.isGoodFor(draft, MAX_COMPUTE_UNITS)]).toEqual([MAX_COMPUTE_UNITS, true]);
    });

    it('leaves room in a guess as well', () => {
      const memory = createLimitMemory();
      memory.learn(deposits(BANKS[0]), simulated(15_000));
      expect(memory.guessOf(deposits(BANKS[1], BANKS[0]))).toBe(148_000);
    });

    it.each([
      ['Kamino', KLEND_PROGRAM, klendRefreshReservesBatch.discriminator, 6, 36_000],
      ['Save', SOLEND_PROGRAM, refreshSolendReserve.discriminator, 3, 20_000],
      ['JupLend', PROGRAM, juplendWithdraw.discriminator, 20, 16_000],
    ])('leaves room for what %s accrues, which no log shows', (_, programAddress, data, length, units) => {
      const accounts = Array.from({ length }, (__, at) => ({ address: addressOf(at), role: AccountRole.WRITABLE }));
      const draft = { instructions: [{ programAddress, accounts, data }] };
      const memory = createLimitMemory();
      memory.learn(draft, took(100_000 - units));
      expect(memory.limitOf(draft)).toBe(135_000);
    });
  });

  it('forgets the shape that was not asked for longest', () => {
    const memory = createLimitMemory({ maxShapes: 2 });
    memory.learn(draftOf(1), took(1_000));
    memory.learn(draftOf(2), took(1_000));
    memory.limitOf(draftOf(1));
    memory.learn(draftOf(3), took(1_000));
    expect(memory.limitOf(draftOf(2))).toBeNull();
    expect(memory.limitOf(draftOf(1))).not.toBeNull();
    expect(memory.limitOf(draftOf(3))).not.toBeNull();
  });

  it('guesses what is new from what its instructions took elsewhere, with the margin and the compute budget', () => {
    const memory = createLimitMemory();
    const [one, other] = [draftOf(3), draftOf(4, 2)];
    const log = (units: number) => [
      `Program ${PROGRAM} invoke [1]`,
      `Program ${PROGRAM} consumed ${units} of ${MAX_COMPUTE_UNITS} compute units`,
    ];
    memory.learn(one, { unitsConsumed: 100_300, logs: log(100_000) });
    const both = { instructions: [...one.instructions, ...other.instructions] };
    expect(memory.guessOf(both)).toBeNull();
    memory.learn(other, { unitsConsumed: 50_300, logs: log(50_000) });
    expect(memory.guessOf(both)).toBe(196_000);
    expect(memory.limitOf(both)).toBeNull();
  });

  it('calls a limit good that leaves half the margin and is at most half as much again', () => {
    const memory = createLimitMemory();
    memory.learn(draftOf(3), took(100_000));
    expect([124_000, 125_000, 202_500, 203_000].map((limit) => memory.isGoodFor(draftOf(3), limit))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

/** The tag tells the kind. */
const of = (tag: number, accounts: number) => ({
  ...instructionOf({ accounts: range(0, accounts) }),
  data: Uint8Array.of(tag, 0, 0, 0, 0, 0, 0, 0),
});

describe('createUnitGuesses', () => {
  it('adds up the most that each kind took', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 3), of(2, 5)], [100, 70]);
    guesses.learn([of(1, 3)], [90]);
    expect(guesses.guess([of(1, 3), of(2, 5), of(1, 3)])).toBe(270);
  });

  it('knows nothing of what it never saw, or was not told of', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 3), of(2, 5)], [100, null]);
    expect(guesses.guess([of(2, 5)])).toBeNull();
    expect(guesses.guess([of(1, 3), of(3, 1)])).toBeNull();
  });

  it('takes for a length in between what the next longer took, or a shorter if that was more', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 10), of(1, 20), of(1, 30)], [150, 100, 400]);
    expect(guesses.guess([of(1, 5)])).toBe(150);
    expect(guesses.guess([of(1, 15)])).toBe(150);
    expect(guesses.guess([of(1, 20)])).toBe(150);
    expect(guesses.guess([of(1, 25)])).toBe(400);
  });

  it('takes for what is longer than all of them more in proportion', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 10), of(1, 20)], [150, 100]);
    expect(guesses.guess([of(1, 30)])).toBe(225);
  });

  it('forgets the kind it did not meet for longest', () => {
    const guesses = createUnitGuesses(2);
    guesses.learn([of(1, 1), of(2, 1)], [1, 1]);
    guesses.learn([of(1, 1), of(3, 1)], [1, 1]);
    expect(guesses.guess([of(1, 1), of(3, 1)])).toBe(2);
    expect(guesses.guess([of(2, 1)])).toBeNull();
  });
});

describe('unitsByInstruction', () => {
  const [A, B] = [addressOf(1), addressOf(2)];
  const of = (...programs: readonly Address[]) => programs.map((program) => instructionOf({ program }));
  const run = (program: Address, units: number, inner: readonly string[] = [], depth = 1) => [
    `Program ${program} invoke [${depth}]`,
    ...inner,
    `Program ${program} consumed ${units} of 200000 compute units`,
    `Program ${program} success`,
  ];
  const builtin = (program: Address) => [`Program ${program} invoke [1]`, `Program ${program} success`];

  it('reads what each took, what it called included', () => {
    const logs = [...run(A, 90, run(B, 50, [], 2)), ...run(B, 7), ...run(A, 5, run(A, 3, [], 2))];
    expect(unitsByInstruction(of(A, B, A), logs)).toEqual([90, 7, 5]);
  });

  it('counts the runtime’s own programs, and leaves out the compute budget and signature checks', () => {
    const logs = [...builtin(COMPUTE_BUDGET_PROGRAM), ...builtin(SYSTEM_PROGRAM), ...run(A, 9)];
    expect(unitsByInstruction(of(SECP256K1_PROGRAM, SYSTEM_PROGRAM, A), logs)).toEqual([null, 150, 9]);
  });

  it('believes no program’s own words', () => {
    const logs = run(A, 9, [
      `Program log: Program ${B} invoke [1]`,
      `Program log: Program ${A} consumed 1 of 2 compute units`,
    ]);
    expect(unitsByInstruction(of(A, B), logs)).toEqual([9, null]);
  });

  it('does not know what a cut log leaves out, nor what it breaks off in', () => {
    const logs = [...run(A, 9), `Program ${A} invoke [1]`, ...run(A, 3, [], 2), 'Log truncated'];
    expect(unitsByInstruction(of(A, A, B), logs)).toEqual([9, null, null]);
  });

  it('knows nothing behind what is not as it was sent', () => {
    expect(unitsByInstruction(of(A, B, A), [...run(A, 9), ...run(A, 5), ...run(A, 5)])).toEqual([9, null, null]);
    expect(unitsByInstruction(of(A), [])).toEqual([null]);
  });
});
