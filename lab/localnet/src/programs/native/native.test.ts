import { FIGURES } from '@lending/audit';
import {
  bankLayout,
  circuitBreakerTrippedEvent,
  feeStateLayout,
  isSince,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  marginfiGroupLayout,
  marginfiInstructionName,
  type ProgramVersion,
  placeOf,
  releaseOf,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountState, ExecutionResult, TransactionError } from '#engine/engine.ts';
import { TouchAudit } from '../marginfi/testing/touch-audit.ts';
import { compareFields, type Difference, JULY_DIFFERENCES } from './july-differences.ts';
import { type NativeOutcome, type NativeProgram, readNativeLayout, startNativeProgram } from './native-program.ts';
import {
  errorWord,
  eventsIn,
  instructionOf,
  marketsOf,
  PER_MARKET,
  type RandomRun,
  randomTransactions,
} from './random-transactions.ts';

/**
 * `npm run prove -- native SOURCE_DIR` compiles the program to `.cache/prove/native/0.1.10/target/native/native-runner`. With that as
 * `NATIVE_PROGRAM`, `NATIVE_FIRST=48300` (hundreds alone) and `NATIVE_COUNT=100` look at one market again. 0.1.12 also wants
 * `NATIVE_VERSION`.
 */
const { NATIVE_PROGRAM, NATIVE_FIRST = '0', NATIVE_COUNT = '50000', NATIVE_SEED = '1' } = process.env;
const VERSION = (process.env.NATIVE_VERSION ?? '0.1.10') as ProgramVersion;
const COMPARED = 'compared';
const TRIPS = 'trips of the circuit breaker';
/** What an event begins with, without the last characters, which the next bytes share. */
const TRIPPED = Buffer.from(circuitBreakerTrippedEvent.discriminator).toString('base64').slice(0, 10);

const { sizes } = releaseOf(VERSION);
/** The program's types: a layout of ours, what stands first of them there, and their size with a discriminator. */
const TYPES = {
  Balance: { layout: marginfiAccountLayout, start: 'lendingAccount.balances.0.', first: 'active', size: 104 },
  Bank: { layout: bankLayout, start: '', first: 'mint', size: sizes.bank - 8 },
  FeeState: { layout: feeStateLayout, start: '', first: 'key', size: sizes.feeState - 8 },
  MarginfiAccount: { layout: marginfiAccountLayout, start: '', first: 'group', size: 2_304 },
  MarginfiGroup: { layout: marginfiGroupLayout, start: '', first: 'admin', size: sizes.group - 8 },
  PremiumEntry: { layout: marginfiGroupLayout, start: 'premiumEntries.0.', first: 'collateralTag', size: 8 },
};

/** What was seen to differ, each with its reason. Nothing else may, and for 0.1.12 what its branches have otherwise. */
const NAMED_DIFFERENCES: readonly { readonly name: string; fits(difference: Difference): boolean }[] = [
  {
    name: 'a call that needs more rights than its caller has: the test framework stops where the runtime says so',
    fits: (difference) =>
      isOfOneInstruction(difference, '"PrivilegeEscalation"') && difference.native === '"ProgramFailedToComplete"',
  },
  {
    name: 'a transfer from what is no token account: the test framework brings older builds of the token programs',
    fits: (difference) =>
      isOfOneInstruction(difference, '"IncorrectProgramId"') &&
      ['"UninitializedAccount"', '"InvalidAccountData"'].includes(difference.native),
  },
];
const JULY = isSince(VERSION, '0.1.12') ? JULY_DIFFERENCES : [];
/** At most one transaction in so many may differ as one of July's rules says. */
const JULY_SHARE = 100;

describe.skipIf(NATIVE_PROGRAM === undefined)('the lending program, compiled natively (needs NATIVE_PROGRAM)', () => {
  let native: NativeProgram;
  const tally = new Map<string, number>();
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const differences: string[] = [];
  const touches = new TouchAudit();
  beforeAll(() => {
    native = startNativeProgram(NATIVE_PROGRAM ?? '');
  });
  afterAll(() => {
    native.stop();
    const rows = [...tally].sort(([, one], [, other]) => other - one).map(([what, times]) => `${times}\t${what}`);
    console.log(rows.join('\n'));
    console.log([...touches.compared].map(([what, times]) => `${times}\taudited: ${what}`).join('\n'));
  });

  it('leaves the bytes, errors and events of the model', async () => {
    let judged: Promise<void>[] = [];
    const markets = marketsOf(Number(NATIVE_FIRST), Number(NATIVE_COUNT));
    for await (const run of randomTransactions(VERSION, NATIVE_SEED, markets)) {
      judged.push(judge(run));
      if (judged.length < PER_MARKET) continue;
      await Promise.all(judged);
      judged = [];
    }
    expect(differences).toEqual([]);
    // All but those whose payer had become something else than a wallet, and no more named differences than seldom.
    expect(tally.get(COMPARED)).toBeGreaterThan(Number(NATIVE_COUNT) * 0.98);
    for (const { name } of NAMED_DIFFERENCES) {
      expect(tally.get(`named: ${name}`) ?? 0, name).toBeLessThan(1 + Number(NATIVE_COUNT) / 2_000);
    }
    for (const { name } of JULY) {
      const seen = tally.get(`July: ${name}`) ?? 0;
      expect(seen, name).toBeLessThan(1 + Number(NATIVE_COUNT) / JULY_SHARE);
      // Each is there to be met: one that never is can go.
      if (Number(NATIVE_COUNT) >= 50_000) expect(seen, name).toBeGreaterThan(0);
    }
  });

  if (isSince(VERSION, '0.1.12')) {
    it.each(Object.entries(TYPES))('keeps the fields of %s where our layouts have them', (name, type) => {
      const { layout, start, first, size } = type;
      const native = readNativeLayout(NATIVE_PROGRAM ?? '')[name];
      const begin = placeOf(layout, start + first).offset;
      const ours = native?.fields.map(([path]) => [path, placeOf(layout, start + camelCase(path)).offset - begin]);
      expect(native).toEqual({ size, fields: ours });
    });
  }

  it('leaves figures of its own that the audit agrees with', () => {
    expect(touches.differences).toEqual([]);
    for (const figure of FIGURES) {
      if (figure === 'premium' && !isSince(VERSION, '0.1.12')) continue;
      expect(touches.countOf(figure), figure).toBeGreaterThan(Number(NATIVE_COUNT) / 100);
    }
  });

  it('tripped the circuit breaker', () => expect(tally.get(TRIPS)).toBeGreaterThan(Number(NATIVE_COUNT) / 5_000));

  it.each([
    'deposit',
    'withdraw',
    'borrow',
    'repay',
    'close_balance',
    'start_flashloan',
    'end_flashloan',
    'liquidate',
    'pulse_health',
    'accrue_bank_interest',
    'pulse_bank_price_cache',
    'propagate_fee_state',
    'handle_bankruptcy',
    'init_liq_record',
    'start_liquidation',
    'end_liquidation',
    'account_initialize',
    'account_initialize_pda',
    'transfer_to_new_account',
    'transfer_to_new_account_pda',
    'account_close',
    ...(isSince(VERSION, '0.1.12') ? ['tag_liq_record'] : []),
  ])('did %s on both', (name) => {
    const done = [...tally.keys()]
      .filter((what) => what.startsWith('done: '))
      .flatMap((what) => what.slice(6).split(', '));
    expect(done.filter((one) => one.endsWith(name))).not.toEqual([]);
  });

  async function judge(run: RandomRun): Promise<void> {
    const { number, payer, instructions, before, after, context, result } = run;
    const namesOfAll = instructions.map(({ programAddress, data }) =>
      programAddress === MARGINFI_PROGRAM ? (marginfiInstructionName(Uint8Array.from(data)) ?? 'none') : null,
    );
    const names = namesOfAll.filter((name) => name !== null).join(', ');
    // It never ran: natively another wallet pays.
    if (result.error === 'InvalidAccountForFee' || result.error === 'InsufficientFundsForFee') return;
    const states = run.written.filter((address) => before.get(address)?.executable !== true);
    const answer = await native.run({ context, before, instructions, writable: states });
    const paid = {
      ...result,
      before,
      after: (address: Address) => withoutFee(after.get(address), address === payer, result.fee),
    };
    count(COMPARED);
    if (answer.error === null) {
      const left = { get: (address: Address) => answer.accounts.get(address) ?? before.get(address) };
      touches.audit({
        name: `${number}: ${names}`,
        before,
        after: left,
        written: states,
        context,
        version: VERSION,
        countsPaused: isSince(VERSION, '0.1.12'),
      });
    }
    const found = findDifferences(paid, answer, states);
    if (found.length === 0)
      count(result.error === null ? `done: ${names}` : `refused: ${errorWord(result.error, VERSION)}`);
    const trips = answer.events.filter((event) => event.startsWith(TRIPPED));
    for (const _ of trips) count(TRIPS);
    const sent = {
      names: namesOfAll.filter((name) => name !== null),
      failing: failingOf(result.error, namesOfAll),
      unixTimestamp: context.unixTimestamp,
      before,
      named: new Set(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address))),
      differences: found,
    };
    const ofJuly = new Set<string>();
    for (const difference of found) {
      const known = NAMED_DIFFERENCES.find(({ fits }) => fits(difference))?.name;
      const july = JULY.find(({ fits }) => fits(difference, sent))?.name;
      if (known !== undefined) count(`named: ${known}`);
      else if (july !== undefined) ofJuly.add(july);
      else differences.push(`${number}: ${names}: ${wordsOf(difference)}`);
    }
    for (const name of ofJuly) count(`July: ${name}`);
  }
});

function failingOf(error: TransactionError | null, names: readonly (string | null)[]): string | null {
  return names[instructionOf(error) ?? -1] ?? null;
}

function wordsOf(difference: Difference): string {
  switch (difference.kind) {
    case 'error':
      return `the model says ${difference.model}, the program ${difference.native}`;
    case 'field': {
      const { address, path, was, model, native } = difference;
      return `${address} ${path}: ${was} became ${model} in the model, ${native} in the program`;
    }
    default:
      return difference.what;
  }
}

function camelCase(path: string): string {
  return path.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** On the native side another wallet pays the fee. */
function withoutFee(state: AccountState | undefined, isPayer: boolean, fee: bigint): AccountState | undefined {
  return state === undefined || !isPayer ? state : { ...state, lamports: state.lamports + fee };
}

function findDifferences(
  model: Pick<ExecutionResult, 'error' | 'logs'> & {
    readonly before: ReadonlyMap<Address, AccountState>;
    after(address: Address): AccountState | undefined;
  },
  native: NativeOutcome,
  states: readonly Address[],
): readonly Difference[] {
  const [ours, theirs] = [model.error, native.error].map((error) => JSON.stringify(error)) as [string, string];
  if (ours !== theirs) {
    const isOfOneInstruction =
      instructionOf(model.error) !== null && instructionOf(model.error) === instructionOf(native.error);
    return [
      {
        kind: 'error',
        model: errorWord(model.error, VERSION),
        native: errorWord(native.error, VERSION),
        isOfOneInstruction,
      },
    ];
  }
  if (model.error !== null) return [];
  const events = eventsIn(model);
  const found: Difference[] = [];
  if (JSON.stringify(events) !== JSON.stringify(native.events)) {
    found.push({ kind: 'events', what: `events ${events.join(' ')} and ${native.events.join(' ')}` });
  }
  for (const address of states) {
    const [mine, other] = [model.after(address), native.accounts.get(address)];
    if (mine?.lamports !== other?.lamports)
      found.push({ kind: 'account', what: `${address}: ${mine?.lamports} and ${other?.lamports} lamports` });
    if (mine?.owner !== other?.owner)
      found.push({ kind: 'account', what: `${address} belongs to ${mine?.owner} and ${other?.owner}` });
    const [left, right] = [mine?.data ?? new Uint8Array(), other?.data ?? new Uint8Array()];
    if (Buffer.compare(left, right) === 0) continue;
    const fields = compareFields(address, model.before.get(address), left, right);
    if (fields !== null) {
      found.push(...fields);
      continue;
    }
    const at = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index).find(
      (index) => left[index] !== right[index],
    );
    const [ours16, theirs16] = [left, right].map((data) =>
      Buffer.from(data.subarray(at, (at ?? 0) + 16)).toString('hex'),
    );
    found.push({
      kind: 'account',
      what: `${address}, ${left.length} and ${right.length} bytes: from ${at} on ${ours16} and ${theirs16}`,
    });
  }
  return found;
}

function isOfOneInstruction(difference: Difference, model: string): difference is Difference & { kind: 'error' } {
  return difference.kind === 'error' && difference.isOfOneInstruction && difference.model === model;
}
