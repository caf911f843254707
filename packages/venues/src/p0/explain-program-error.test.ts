import { PROGRAM_ERROR_NAMES } from '@lending/domain';
import { ERRORS, type ErrorCode, type ErrorEntry } from '@lending/errors';
import {
  MARGINFI_ERRORS,
  MARGINFI_PROGRAM,
  type MarginfiErrorName,
  marginfiErrorName,
  NEWEST_VERSION,
  PROGRAM_VERSIONS,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { type ExplainOptions, explainProgramError } from './explain-program-error.ts';
import { frameworkErrorWords } from './framework-error-words.ts';
import { MARGINFI_ERROR_WORDS } from './marginfi-error-words.ts';
import { refusalWordsOf } from './refusal-words.ts';

const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const DFLOW = 'DF1ow4tspfHX9JwWJsAb9epbkA8hmpSEAtxXy1V27QBH';
const AMM = '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8';
const KLEND = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const SYSTEM = '11111111111111111111111111111111';
const invoke = (program: string, depth = 1) => `Program ${program} invoke [${depth}]`;
const failed = (program: string, code: number) =>
  `Program ${program} failed: custom program error: 0x${code.toString(16)}`;

/** Logs of one instruction of the program that ends in an error, without Anchor's line. */
const refusal = (instruction: string, code: number) => [
  invoke(MARGINFI_PROGRAM),
  `Program log: Instruction: ${instruction}`,
  failed(MARGINFI_PROGRAM, code),
];

const explain = (logs: readonly string[], options: Partial<ExplainOptions> = {}) =>
  explainProgramError({ logs, ...options });

const wireOf = (code: ErrorCode | undefined) => {
  const entry: ErrorEntry | undefined = code === undefined ? undefined : ERRORS[code];
  return entry?.audience === 'caller' ? entry.wire : undefined;
};

const wireFor = (instruction: string, name: MarginfiErrorName, options: Partial<ExplainOptions> = {}) =>
  wireOf(explain(refusal(instruction, MARGINFI_ERRORS[name]), options)?.code);

describe('the words for the errors of the program', () => {
  const names = Object.keys(MARGINFI_ERRORS) as MarginfiErrorName[];

  it('are there for each, and for no other but those of some versions alone', () => {
    const older = Object.keys(MARGINFI_ERROR_WORDS).filter((name) => !names.includes(name as MarginfiErrorName));
    expect(names.filter((name) => !Object.hasOwn(MARGINFI_ERROR_WORDS, name))).toEqual([]);
    expect(older.sort()).toEqual([
      'IntegrationPositionLimitExceeded',
      'PythPushWrongAccountOwner',
      'StakedPythPushWrongAccountOwner',
      'UseSetOraclePrice',
      'Vacated0',
      'Vacated1',
      'Vacated2',
      'Vacated3',
    ]);
  });

  it.each(names)('say of %s what to do with which field or tool, and leave the process', (name) => {
    const number = MARGINFI_ERRORS[name];
    const version = PROGRAM_VERSIONS.findLast((each) => marginfiErrorName(number, each) === name) ?? NEWEST_VERSION;
    const explained = explain(refusal('LendingAccountBorrow', number), { version });
    expect(explained?.cause).toMatchObject({ program: MARGINFI_PROGRAM, error: name, number: MARGINFI_ERRORS[name] });
    expect(explained?.message.startsWith(MARGINFI_ERROR_WORDS[name].problem)).toBe(true);
    const { change, byAction, code } = MARGINFI_ERROR_WORDS[name];
    expect(change).toMatch(
      /^(Lower|Raise|Choose|Pass|Use|Make|Wait|Close|Repay|Withdraw|Empty|Leave|Correct)\b.*`[a-z_]+`/s,
    );
    for (const each of [code, ...Object.values(byAction ?? {})]) expect(wireOf(each)).toBeDefined();
  });
});

describe('explainProgramError', () => {
  it('names the limit of what was being done', () => {
    expect(wireFor('LendingAccountBorrow', 'RiskEngineInitRejected')).toBe('BORROW_LIMIT_EXCEEDED');
    expect(wireFor('LendingAccountWithdraw', 'RiskEngineInitRejected')).toBe('INSUFFICIENT_COLLATERAL');
    expect(wireFor('LendingAccountEndFlashloan', 'RiskEngineInitRejected')).toBe('INSUFFICIENT_COLLATERAL');
    expect(wireFor('LendingAccountEndFlashloan', 'RiskEngineInitRejected', { action: 'loop' })).toBe(
      'LEVERAGE_EXCEEDED',
    );
    expect(wireFor('LendingAccountBorrow', 'BankHourlyRateLimitExceeded')).toBe('BORROW_LIMIT_EXCEEDED');
    expect(wireFor('KaminoWithdraw', 'GroupDailyRateLimitExceeded')).toBe('WITHDRAW_LIMIT_EXCEEDED');
    expect(wireFor('LendingAccountRepay', 'BankAccountNotFound')).toBe('REPAY_LIMIT_EXCEEDED');
  });

  it.each([
    ['LendingAccountDeposit', 'BankAssetCapacityExceeded', 'DEPOSIT_LIMIT_EXCEEDED'],
    ['LendingAccountBorrow', 'BankLiabilityCapacityExceeded', 'BORROW_LIMIT_EXCEEDED'],
    ['LendingAccountBorrow', 'OperationBorrowOnly', 'BANK_NOT_BORROWABLE'],
    ['LendingAccountDeposit', 'BankPaused', 'BANK_PAUSED'],
    ['LendingAccountDeposit', 'ProtocolPaused', 'BANK_PAUSED'],
    ['LendingAccountBorrow', 'PythPushStalePrice', 'ORACLE_STALE'],
    ['LendingAccountWithdraw', 'BankCircuitBreakerHalted', 'BANK_PAUSED'],
    ['StartLiquidation', 'CircuitBreakerAdminOnly', 'BANK_PAUSED'],
    ['LendingAccountBorrow', 'CircuitBreakerPriceJump', 'ORACLE_STALE'],
    ['LendingAccountDeposit', 'AssetTagMismatch', 'ASSET_TAG_CONFLICT'],
    ['LendingAccountDeposit', 'LendingAccountBalanceSlotsFull', 'BALANCE_SLOTS_FULL'],
    ['KaminoDeposit', 'CostlyPositionLimitExceeded', 'BALANCE_SLOTS_FULL'],
    ['LendingAccountBorrow', 'WrongOracleAccountKeys', 'DATA_STALE'],
    ['LendingAccountBorrow', 'IllegalFlashloan', 'SIMULATION_FAILED'],
  ] as const)('explains a %s that ends in %s as %s', (instruction, name, wire) => {
    expect(wireFor(instruction, name)).toBe(wire);
  });

  it('says that waiting helps where it does', () => {
    const of = (name: MarginfiErrorName) =>
      explain(refusal('LendingAccountBorrow', MARGINFI_ERRORS[name]))?.isRetryable;
    expect([of('PythPushStalePrice'), of('ReserveStale'), of('RiskEngineInitRejected')]).toEqual([true, true, false]);
  });

  it('reads a number as the version that answered means it', () => {
    const integrationLimit = refusal('KaminoDeposit', 6_212);
    expect(explain(integrationLimit, { version: '0.1.7' })?.cause.error).toBe('IntegrationPositionLimitExceeded');
    expect(explain(integrationLimit)?.cause.error).toBe('MaxMaintLeverageExceeded');
    expect(explain(refusal('KaminoDeposit', 6_073))?.cause.error).toBe('CostlyPositionLimitExceeded');
    expect(explain(refusal('KaminoDeposit', 6_073), { version: '0.1.11' })?.cause.error).toBe(
      'IntegrationPositionLimitExceeded',
    );
  });

  it('believes the name that the program logged before the number', () => {
    const logs = [
      invoke(MARGINFI_PROGRAM),
      'Program log: Instruction: LendingAccountBorrow',
      'Program log: AnchorError thrown in programs/marginfi/src/x.rs:1. Error Code: BankPaused. Error Number: 6212. Error Message: Bank paused.',
      failed(MARGINFI_PROGRAM, 6_212),
    ];
    expect(explain(logs)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      cause: { error: 'BankPaused', number: 6_212 },
    });
  });

  it('says of a circuit breaker what it limits, and that its end is not known', () => {
    const detailsOf = (name: MarginfiErrorName) =>
      explain(refusal('LendingAccountBorrow', MARGINFI_ERRORS[name]))?.details;
    expect(detailsOf('BankCircuitBreakerHalted')).toEqual({ until: null });
    expect(detailsOf('CircuitBreakerAdminOnly')).toEqual({ until: null });
    expect(detailsOf('CircuitBreakerPriceJump')).toEqual({ limited_by: 'circuit_breaker' });
    expect(detailsOf('BankPaused')).toEqual({});
  });

  it('admits a number it does not know', () => {
    const explained = explain(refusal('LendingAccountBorrow', 6_999));
    expect(explained).toMatchObject({ code: 'ACTION__SIMULATION_INVALID', cause: { error: null, number: 6_999 } });
    expect(explained?.message).toContain('does not know');
  });

  it('blames the program that refused, not those that called it', () => {
    const logs = [
      invoke(MARGINFI_PROGRAM),
      'Program log: Instruction: KaminoDeposit',
      invoke(KLEND, 2),
      'Program log: AnchorError caused by account: reserve. Error Code: ReserveStale. Error Number: 6009. Error Message: x.',
      failed(KLEND, 6_009),
      failed(MARGINFI_PROGRAM, 6_009),
    ];
    expect(explain(logs)).toMatchObject({
      message: expect.stringContaining('Kamino refused'),
      cause: { program: KLEND, error: 'ReserveStale', number: 6_009, account: 'reserve' },
    });
  });

  it('calls any failure inside a swap one of the swap, and tells slippage apart', () => {
    const slipped = explain([invoke(JUPITER), failed(JUPITER, 6_001)]);
    const inner = explain([invoke(JUPITER), invoke(AMM, 2), failed(AMM, 30), failed(JUPITER, 30)]);
    expect([wireOf(slipped?.code), wireOf(inner?.code)]).toEqual(['SWAP_ROUTE_UNAVAILABLE', 'SWAP_ROUTE_UNAVAILABLE']);
    expect(slipped?.message).toContain('slippage');
    expect(inner?.message).not.toContain('slippage');
    expect(inner?.cause).toMatchObject({ program: AMM, number: 30 });
    expect(explain([invoke(AMM), failed(AMM, 6_001)], { swapPrograms: [AMM] })?.message).toBe(slipped?.message);
  });

  it('knows the number by which DFlow calls slippage', () => {
    expect(explain([invoke(DFLOW), failed(DFLOW, 15_001)])?.message).toContain('slippage allows');
    expect(explain([invoke(DFLOW), failed(DFLOW, 15_000)])?.message).toContain('route that was quoted');
  });

  it('takes no number of a pool for one of the swap that calls it', () => {
    const inner = explain([invoke(JUPITER), invoke(AMM, 2), failed(AMM, 6_001), failed(JUPITER, 6_001)]);
    expect(inner?.message).not.toContain('slippage allows');
  });

  it('takes the name of an error from the program that failed alone', () => {
    const told = 'Program log: AnchorError occurred. Error Code: BankPaused. Error Number: 6016. Error Message: x.';
    const logs = [invoke(AMM), told, invoke(MARGINFI_PROGRAM, 2), failed(MARGINFI_PROGRAM, 6_003), failed(AMM, 6_003)];
    expect(explain(logs)?.cause.error).toBe('BankAssetCapacityExceeded');
  });

  it('tells a wallet without tokens from a vault without them', () => {
    const transfer = (instruction: string) => [
      invoke(MARGINFI_PROGRAM),
      `Program log: Instruction: ${instruction}`,
      invoke(TOKEN, 2),
      'Program log: Instruction: TransferChecked',
      failed(TOKEN, 1),
      failed(MARGINFI_PROGRAM, 1),
    ];
    const wires = ['LendingAccountDeposit', 'LendingAccountWithdraw', 'LendingAccountBorrow'].map((each) =>
      wireOf(explain(transfer(each))?.code),
    );
    expect(wires).toEqual(['INSUFFICIENT_BALANCE', 'WITHDRAW_LIMIT_EXCEEDED', 'BORROW_LIMIT_EXCEEDED']);
  });

  it.each([
    [SYSTEM, 0, 'DATA_STALE'],
    [SYSTEM, 1, 'INSUFFICIENT_BALANCE'],
    [TOKEN, 17, 'SIMULATION_FAILED'],
    [AMM, 7, 'SIMULATION_FAILED'],
    [MARGINFI_PROGRAM, 102, 'SIMULATION_FAILED'],
  ])('explains %s with %i as %s', (program, code, wire) => {
    expect(wireOf(explain([invoke(program), failed(program, code)])?.code)).toBe(wire);
  });

  it('tells a lending account that does not exist from a missing token account', () => {
    const missing = (account: string, code: number) => [
      invoke(MARGINFI_PROGRAM),
      'Program log: Instruction: LendingAccountDeposit',
      `Program log: AnchorError caused by account: ${account}. Error Code: AccountNotInitialized. Error Number: ${code}. Error Message: x.`,
      failed(MARGINFI_PROGRAM, code),
    ];
    expect(wireOf(explain(missing('marginfi_account', 3_007))?.code)).toBe('ACCOUNT_NOT_FOUND');
    expect(wireOf(explain(missing('signer_token_account', 3_012))?.code)).toBe('INSUFFICIENT_BALANCE');
  });

  it.each([
    ['exceeded CUs meter at BPF instruction', 'TX_TOO_LARGE'],
    ['insufficient funds for instruction', 'INSUFFICIENT_BALANCE'],
    ['Program failed to complete', 'SIMULATION_FAILED'],
    ['something new', 'SIMULATION_FAILED'],
  ])('explains the runtime’s "%s" as %s', (reason, wire) => {
    const explained = explain([invoke(MARGINFI_PROGRAM), `Program ${MARGINFI_PROGRAM} failed: ${reason}`]);
    expect([wireOf(explained?.code), explained?.cause.reason]).toEqual([wire, reason]);
  });

  it.each([
    ['the most a transaction may have', 1_399_700, 'ACTION__TRANSACTION_EXCEEDED'],
    ['its own limit', 33_700, 'ACTION__SIMULATION_STALE'],
  ])('tells a transaction that ran out of %s', (_, given, code) => {
    const logs = [
      invoke(MARGINFI_PROGRAM),
      `Program ${MARGINFI_PROGRAM} consumed ${given} of ${given} compute units`,
      `Program ${MARGINFI_PROGRAM} failed: exceeded CUs meter at BPF instruction`,
    ];
    expect(explain(logs)?.code).toBe(code);
  });

  it('uses the node’s error where logs are missing or cut', () => {
    const options = { error: [1, { Custom: 6_016 }], instructionPrograms: [SYSTEM, MARGINFI_PROGRAM] } as const;
    const cut = [invoke(SYSTEM), 'Log truncated', failed(MARGINFI_PROGRAM, 6_009)];
    for (const logs of [[], cut]) {
      expect(explain(logs, options)?.cause).toMatchObject({ error: 'BankPaused', instructionIndex: 1 });
    }
    expect(explain([], { error: [0, 'ComputationalBudgetExceeded'] })?.code).toBe('ACTION__TRANSACTION_EXCEEDED');
    expect(explain([], { error: [0, { Custom: 6_016 }] })?.cause).toMatchObject({ program: null, error: null });
  });

  it('has nothing to explain where no program failed', () => {
    expect(explain([invoke(SYSTEM), `Program ${SYSTEM} success`])).toBeNull();
    expect(explain([])).toBeNull();
  });
});

describe('frameworkErrorWords', () => {
  it.each([100, 101, 102, 1_500, 2_000, 2_001, 2_003, 2_006, 2_012, 2_502, 3_001, 3_005, 3_012, 4_100, 5_999])(
    'has words for %i',
    (code) => {
      expect(frameworkErrorWords(code, null)?.change).toMatch(/`[a-z_]+`/);
    },
  );

  it('leaves the numbers of programs alone', () => {
    expect([frameworkErrorWords(6_000, null), frameworkErrorWords(1, null)]).toEqual([null, null]);
  });
});

const NUMBERS = Array.from({ length: 1_000 }, (_, offset) => 6000 + offset);

describe('refusalWordsOf', () => {
  it('says the code that the chain would, for every number of the program and every action', () => {
    const known = new Set<string>(PROGRAM_ERROR_NAMES);
    let compared = 0;
    for (const number of NUMBERS) {
      const name = marginfiErrorName(number);
      if (name === null || !known.has(name)) continue;
      for (const action of ['deposit', 'withdraw', 'borrow', 'repay'] as const) {
        const told = explainProgramError({
          logs: [],
          error: [0, { Custom: number }],
          instructionPrograms: ['MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA'],
          action,
        });
        const found = refusalWordsOf(name as (typeof PROGRAM_ERROR_NAMES)[number], action);
        expect(found.code).toBe(told?.code);
        expect(`${found.problem}. ${found.change}.`).toBe(told?.message);
        expect(found.details).toEqual(told?.details);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it('says of a bank of another venue what the builders say: nothing is borrowed from it, nor owed to it', () => {
    const error = 'WrongAssetTagForStandardInstructions';
    expect(refusalWordsOf(error, 'borrow').code).toBe('ACTION__BORROW_UNSUPPORTED');
    expect(refusalWordsOf(error, 'repay').code).toBe('ACTION__BORROW_UNSUPPORTED');
    expect(refusalWordsOf(error, 'deposit').code).toBe('ACTION__SIMULATION_INVALID');
  });

  it('says of an empty vault what the token program’s refusal says', () => {
    expect(refusalWordsOf('InsufficientFunds', 'borrow').code).toBe('ACTION__BORROW_EXCEEDED');
    expect(refusalWordsOf('InsufficientFunds', 'withdraw').code).toBe('ACTION__WITHDRAW_EXCEEDED');
    expect(refusalWordsOf('InsufficientFunds', 'deposit').code).toBe('ACTION__BALANCE_EXCEEDED');
  });

  it('says of a repayment that leaves less than a share that it is of the amount', () => {
    expect(refusalWordsOf('IllegalBalanceState', 'repay').code).toBe('ACTION__REPAY_EXCEEDED');
    expect(refusalWordsOf('IllegalBalanceState', 'close-position').code).toBe('ACTION__REPAY_EXCEEDED');
    expect(refusalWordsOf('IllegalBalanceState', 'borrow').code).toBe('ACTION__SIMULATION_INVALID');
  });
});
