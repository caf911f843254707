import type { CompiledTransaction, SimulationOutcome } from '@lending/transactions';
import { describe, expect, it } from 'vitest';
import { explainFailure } from './explain-failure.ts';

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
