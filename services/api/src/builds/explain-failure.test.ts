import { LendingError } from '@lending/errors';
import type { CompiledTransaction, SimulationOutcome } from '@lending/transactions';
import { describe, expect, it } from 'vitest';
import { explainFailure } from './explain-failure.ts';
import { findOvertaken } from './find-overtaken.ts';
import { readAgainWhereStale } from './read-again.ts';

const PROGRAM = 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA';
const LIST = [{ type: 'CRANK' }, { type: 'BORROW' }] as unknown as readonly CompiledTransaction[];
type Failed = Extract<SimulationOutcome, { readonly kind: 'failed' }>;

function failed(parts: Partial<Failed>): Failed {
  return { kind: 'failed', slot: 1n, index: 1, transactions: [], error: null, reason: '', logs: [], ...parts };
}

describe('explainFailure', () => {
  it("gives the program's error the code that a check before the simulation has", () => {
    const logs = [
      `Program ${PROGRAM} invoke [1]`,
      'Program log: Instruction: LendingAccountBorrow',
      'Program log: AnchorError thrown in programs/marginfi/src/x.rs:1. Error Code: RiskEngineInitRejected. Error Number: 6009. Error Message: bad.',
      `Program ${PROGRAM} consumed 1 of 2 compute units`,
      `Program ${PROGRAM} failed: custom program error: 0x1779`,
    ];
    const error = explainFailure(failed({ logs, error: [2, { Custom: 6009 }] }), LIST, 'borrow', { program: PROGRAM });
    expect(error.code).toBe('ACTION__BORROW_EXCEEDED');
    expect(error.context).toMatchObject({
      transaction_index: 1,
      transaction_type: 'BORROW',
      cause: { program: PROGRAM, error: 'RiskEngineInitRejected', number: 6009, instructionIndex: 2 },
    });
    expect(error.context.logs).toHaveLength(logs.length);
  });

  it.each(['InsufficientFundsForRent { account_index: 0 }', 'InsufficientFundsForFee', 'AccountNotFound'])(
    'calls a wallet that cannot pay (%s) by its name',
    (reason) => {
      const error = explainFailure(failed({ reason }), LIST, 'deposit', { program: PROGRAM });
      expect(error.code).toBe('ACTION__BALANCE_EXCEEDED');
      expect(error.context).toMatchObject({ cause: { reason } });
    },
  );

  it.each([
    [6_600, 'ACTION__BANK_UNAVAILABLE', { until: null }],
    [6_604, 'ORACLE__PRICE_STALE', { limited_by: 'circuit_breaker' }],
    [6_615, 'ORACLE__PRICE_STALE', { bank: null }],
  ])(
    'says of %i what a check says, but for what the program does not tell: the end of a halt, an unpriced bank',
    (number, code, details) => {
      const logs = [
        `Program ${PROGRAM} invoke [1]`,
        'Program log: Instruction: LendingAccountBorrow',
        `Program ${PROGRAM} failed: custom program error: 0x${number.toString(16)}`,
      ];
      const error = explainFailure(failed({ logs, error: [2, { Custom: number }] }), LIST, 'borrow', {
        program: PROGRAM,
      });
      expect(error.code).toBe(code);
      expect(error.context).toMatchObject({ ...details, cause: { number } });
    },
  );

  it('has a call made again whose lookup table was closed', () => {
    const reason = "Transaction loads an address table account that doesn't exist";
    const error = explainFailure(failed({ reason }), LIST, 'deposit', { program: PROGRAM });
    expect([error.code, error.isRetryable]).toEqual(['ACTION__SIMULATION_STALE', true]);
  });

  it('does not ask for more SOL where the account is none that pays', () => {
    const error = explainFailure(failed({ reason: 'InvalidAccountForFee' }), LIST, 'deposit', { program: PROGRAM });
    expect(error.code).toBe('ACTION__SIMULATION_INVALID');
  });

  it('says that it does not know what it does not know, and keeps the last lines, cut and clean', () => {
    const logs = Array.from({ length: 40 }, (_, index) => `line ${index} \u202e${'x'.repeat(500)}`);
    const error = explainFailure(failed({ reason: 'MaxLoadedAccountsDataSizeExceeded', logs }), LIST, null, {
      program: PROGRAM,
    });
    expect(error.code).toBe('ACTION__SIMULATION_INVALID');
    const shown = error.context.logs as readonly string[];
    expect(shown).toHaveLength(20);
    expect(shown[0]).toMatch(/^line 20 /);
    expect(shown.every((line) => line.length <= 200 && !line.includes('\u202e'))).toBe(true);
  });
});

const STALE = new LendingError('ACTION__SIMULATION_STALE', {
  message: 'A bank that the program wants is missing. Make the same call again: it reads `bank` and its accounts anew.',
  context: { cause: { number: 6008 } },
});
const OTHER = new LendingError('ACTION__BORROW_EXCEEDED');

/** Drafts that fail so, one after the other; the account they name has the nth byte. */
function judging(failures: readonly (LendingError | null)[], bytes: readonly number[]) {
  let asked = 0;
  const judge = async () => {
    const nth = asked;
    asked += 1;
    const accounts = { get: () => ({ data: Uint8Array.of(bytes[nth] ?? 0) }) };
    const draft = { nth, state: { accounts }, simulated: { transactions: [{ accounts: ['bank'] }] } };
    return { failure: failures[nth] ?? null, draft } as never;
  };
  return { judge, asked: () => asked };
}

const run = async (failures: readonly (LendingError | null)[], bytes: readonly number[] = [1, 1]) => {
  const { judge, asked } = judging(failures, bytes);
  const { failure, draft } = await readAgainWhereStale<{ failure: LendingError | null; draft: never }>(judge);
  return { failure, nth: (draft as { readonly nth: number }).nth, asked: asked() };
};

describe('readAgainWhereStale', () => {
  it('reads once what passes, and what fails for another reason', async () => {
    expect(await run([null])).toEqual({ failure: null, nth: 0, asked: 1 });
    expect(await run([OTHER])).toEqual({ failure: OTHER, nth: 0, asked: 1 });
  });

  it('builds again without the lookup tables that may have failed', async () => {
    const without: unknown[] = [];
    await readAgainWhereStale(async (failedTables) => {
      without.push(failedTables);
      return {
        failure: failedTables.length > 0 ? null : STALE,
        draft: { failedTables: ['table'], simulated: { transactions: [] } },
      } as never;
    });
    expect(without).toEqual([[], ['table']]);
  });

  it('hands out what passes when it is read again', async () => {
    expect(await run([STALE, null])).toEqual({ failure: null, nth: 1, asked: 2 });
    expect(await run([STALE, OTHER])).toEqual({ failure: OTHER, nth: 1, asked: 2 });
  });

  it('asks for the same call only where something has changed', async () => {
    expect(await run([STALE, STALE], [1, 2])).toEqual({ failure: STALE, nth: 1, asked: 2 });
    const { failure } = await run([STALE, STALE], [1, 1]);
    expect(failure).toMatchObject({ code: 'ACTION__SIMULATION_INVALID', isRetryable: false, context: STALE.context });
    expect(failure?.message).toMatch(
      /^A bank that the program wants is missing, and again when everything was read again/,
    );
    expect(failure?.message).not.toContain('same call');
  });
});

const DEPLOYED = 2_000n;

it.each<[string, number | null, bigint | null, bigint, boolean]>([
  ['built before the program that met it', 1_999, DEPLOYED, 2_001n, true],
  ['built in the slot of the deployment', 2_000, DEPLOYED, 2_000n, true],
  ['built since', 2_001, DEPLOYED, 2_005n, false],
  ['met by the program that it was built for', 1_990, DEPLOYED, 1_999n, false],
  ['built in a slot that is not known', null, DEPLOYED, 2_001n, false],
  ['met by a program whose slot is not known', 1_990, null, 2_001n, false],
])('of a plan %s', async (_, builtAt, deploySlot, metAt, isOvertaken) => {
  const plan = { envelope: { as_of: { slot: builtAt } } };
  const programWatch = { deploySlot: async () => deploySlot };
  const error = await findOvertaken({ programWatch }, plan as never, metAt, AbortSignal.timeout(1_000));
  expect(error?.code ?? null).toBe(isOvertaken ? 'ACTION__PROGRAM_UPGRADING' : null);
  if (isOvertaken) expect(error?.context).toEqual({ deploy_slot: 2_000, built_slot: builtAt });
});
