import {
  associatedAccountOf,
  createDemoMarket,
  createModelEngine,
  DEMO_TOKENS,
  type DemoReserve,
  type DemoTokenName,
  type ExecutionResult,
  ensureAssociatedAccount,
  type LiveVenue,
  RESERVE_INSTRUCTIONS,
  walletAccounts,
} from '@lending/localnet';
import { TOKEN_PROGRAM } from '@lending/programs';
import { AccountRole, type Address, type Instruction, isWritableRole, type ReadonlyUint8Array } from '@solana/kit';
import type fc from 'fast-check';
import { labelled, PAYER, SYSTEM_PROGRAM } from '../real-program/addresses.ts';
import { Chain, type ChainState, LEADING_INSTRUCTIONS } from '../real-program/chain.ts';

/**
 * A venue's program beside our model of it. What one does, a `Step`, is written once and done to both; a `Scenario` says what each step
 * must come to. To add one, write it into the venue's `…-scenarios.ts`; a new instruction is a new `Call` in the venue's own file.
 */
export interface Venue {
  readonly name: string;
  /** Numbers of the program's errors. */
  readonly errors: Readonly<Record<string, number>>;
  readonly start: ChainState;
  readonly scenarios: readonly Scenario[];
  /** What people, time and an administrator do at random, and how many sequences of it a run of the suite tries. */
  readonly random: fc.Arbitrary<readonly Step[]>;
  readonly runs: number;
  /** What today's instructions are to the public program where it is older. */
  readonly olderForms?: (instructions: readonly Instruction[]) => readonly Instruction[];
  /**
   * What the public program's age explains. Called before a step; what it returns, after it, with what both came to. That tells what is
   * not explained, and gives the program's chain what today's would have written.
   */
  readonly bridge?: (elf: Chain, model: Chain) => (elfResult: StepResult, modelResult: StepResult) => Bridged;
}

interface Bridged {
  readonly result: StepResult;
  readonly differences: readonly string[];
}

/** Steps, each of which must succeed; with what another comes to: an error of the program by name or number, or the runtime's name. */
export interface Scenario {
  readonly name: string;
  /** Of today's program alone: the public one is older and comes to something else. */
  readonly isToday?: boolean;
  readonly steps: readonly (Step | readonly [Step, string | number])[];
}

/** Instructions that belong together, made from the accounts as they are. */
export interface Call {
  readonly text: string;
  on(chain: Chain): readonly Instruction[];
}

/** One thing that happens to a chain: a call or several in one transaction, time that passes, or a change. */
export type Step =
  | Call
  | { readonly text: string; readonly calls: readonly Call[] }
  | { readonly text: string; readonly seconds: bigint }
  | Change;

/** What is done to accounts behind the program's back. */
export interface Change {
  readonly text: string;
  change(chain: Chain): void;
}

export interface StepResult {
  /** Which instruction failed, and the program's number or the runtime's name for it. */
  readonly error: { readonly at: number; readonly reason: number | string } | null;
  readonly returned: string | null;
  readonly logs: readonly string[];
}

const NOTHING: StepResult = { error: null, returned: null, logs: [] };

export function runStep(chain: Chain, step: Step, olderForms: Venue['olderForms'] = (same) => same): StepResult {
  if ('on' in step) return resultOf(chain.send(olderForms(step.on(chain))));
  if ('calls' in step) return resultOf(chain.send(olderForms(step.calls.flatMap((call) => call.on(chain)))));
  if ('seconds' in step) chain.passTime(step.seconds);
  else step.change(chain);
  return NOTHING;
}

function resultOf({ error, returnData, logs }: ExecutionResult): StepResult {
  if (error === null) {
    const returned =
      returnData === null ? null : `${returnData.programId} ${Buffer.from(returnData.data).toString('hex')}`;
    return { error, returned, logs };
  }
  if (typeof error === 'string') return { error: { at: -1, reason: error }, returned: null, logs };
  const [position, reason] = error.InstructionError as [number, string | { readonly Custom: number }];
  const at = position - LEADING_INSTRUCTIONS;
  return { error: { at, reason: typeof reason === 'string' ? reason : reason.Custom }, returned: null, logs };
}

export function send(...calls: readonly Call[]): Step {
  return { text: calls.map(({ text }) => text).join(', '), calls };
}

export function time(seconds: bigint): Step {
  return { text: `${seconds} seconds pass`, seconds };
}

/** Fields of a value, objects field by field, all else as a whole. */
export type Fields<T> = {
  readonly [TName in keyof T]?: T[TName] extends object ? Fields<T[TName]> | T[TName] : T[TName];
};

interface Layout<T> {
  decode(data: Uint8Array): T;
  encode(value: NoInfer<T>): ReadonlyUint8Array;
}

/** Writes fields of an account, as an administrator or others would have come to them. Bytes behind the layout stay. */
export function set<T extends object>(
  account: Address,
  layout: Layout<T>,
  fields: Fields<T> | ((state: T) => Fields<T>),
): Change {
  const change = (chain: Chain) => {
    const data = Uint8Array.from(chain.data(account));
    const state = layout.decode(data);
    data.set(layout.encode(withFields(state, typeof fields === 'function' ? fields(state) : fields)));
    chain.setData(account, data);
  };
  return {
    text: `${account} is set to ${typeof fields === 'function' ? 'what follows from it' : shown(fields)}`,
    change,
  };
}

export function withFields<T extends object>(before: T, fields: Fields<T>): T {
  const changed = Object.entries(fields).map(([name, value]) => {
    const isStruct =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
    return [name, isStruct ? withFields(Reflect.get(before, name) as object, value) : value];
  });
  return { ...before, ...Object.fromEntries(changed) };
}

function shown(fields: object): string {
  return JSON.stringify(fields, (_name, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** The same call with an account in the place of another, a signature or the last account left out, one more, or its data cut. */
export interface Bend {
  readonly swap?: readonly [position: number, account: Address];
  readonly unsigned?: number;
  readonly drop?: true;
  readonly tail?: Address;
  readonly bytes?: number;
}

export function bent(call: Call, bend: Bend): Call {
  return {
    text: `${call.text}, bent by ${shown(bend)}`,
    on: (chain) =>
      call
        .on(chain)
        .map((instruction, index, all) => (index < all.length - 1 ? instruction : bentOne(instruction, bend))),
  };
}

function bentOne(instruction: Instruction, { swap, unsigned, drop, tail, bytes }: Bend): Instruction {
  const { accounts = [], data = new Uint8Array() } = instruction;
  const changed = accounts.map(({ address, role }, position) => ({
    address: swap?.[0] === position ? swap[1] : address,
    // It may still be written: what is written to a read-only account, the model's engine finds before a call and the runtime after it.
    role: position !== unsigned ? role : isWritableRole(role) ? AccountRole.WRITABLE : AccountRole.READONLY,
  }));
  const kept = drop === true ? changed.slice(0, -1) : changed;
  const added = tail === undefined ? [] : [{ address: tail, role: AccountRole.WRITABLE }];
  return { ...instruction, accounts: [...kept, ...added], data: data.slice(0, bytes) };
}

export const U64_MAX = 2n ** 64n - 1n;
export const START_TIME = 1_770_000_000n;
/** As `Chain` counts them. */
export const SLOTS_PER_SECOND = 2n;
export const USERS = ['ann', 'bob'] as const;
export type User = (typeof USERS)[number];
export const walletOf = (user: User): Address => labelled(`venue ${user}`);

/** Reserves of the demo market by the names that the scenarios give them. */
export type Named<TName extends string> = Readonly<Record<TName, DemoReserve>>;

/** Where a user's tokens and receipts of a reserve are. */
export function holdingsOf(user: User, { token }: DemoReserve, receiptMint: Address) {
  const owner = walletOf(user);
  const of = (mint: Address) => associatedAccountOf({ owner, mint, tokenProgram: TOKEN_PROGRAM });
  return { tokens: of(DEMO_TOKENS[token].mint), receipts: of(receiptMint) };
}

/** What a venue's own customers send, for all three alike: the last instruction alone, without the refreshes before it. */
export function customerCalls<TName extends string>(venue: LiveVenue, reserves: Named<TName>) {
  const program = RESERVE_INSTRUCTIONS[venue];
  const readFrom = (chain: Chain) => (address: Address) => chain.data(address);
  const move =
    (kind: 'supply' | 'redeem') =>
    (user: User, reserve: TName, amount: bigint): Call => ({
      text: `${user} ${kind} ${amount} ${reserve}`,
      on: (chain) => program[kind](walletOf(user), reserves[reserve].address, amount, readFrom(chain)).slice(-1),
    });
  const refresh = (reserve: TName): Call => ({
    text: `refresh ${reserve}`,
    on: (chain) => [program.refresh(reserves[reserve].address, readFrom(chain))],
  });
  return { supply: move('supply'), redeem: move('redeem'), refresh };
}

const market = await createDemoMarket({ unixTimestamp: START_TIME, slot: START_TIME * SLOTS_PER_SECOND });

/**
 * The demo market, whose two users have tokens of these reserves and accounts for their receipts, after some steps that make it odder
 * than it is.
 */
export async function startOf(
  reserves: readonly DemoReserve[],
  tokens: Readonly<Partial<Record<DemoTokenName, bigint>>>,
  steps: readonly Step[],
): Promise<ChainState> {
  const users = await Promise.all(
    USERS.map((user) => walletAccounts({ address: walletOf(user), lamports: 10n ** 10n, tokens })),
  );
  const payer = { lamports: 10n ** 12n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  const accounts = new Map([...market.genesis.accounts, ...users.flat(), [PAYER, payer] as const]);
  const chain = new Chain(createModelEngine(), { accounts, unixTimestamp: START_TIME });
  for (const { venue, address } of reserves) {
    const receipt = RESERVE_INSTRUCTIONS[venue].receiptOf(address, (key) => chain.data(key));
    const opened = USERS.map((user) => ensureAssociatedAccount(PAYER, { owner: walletOf(user), ...receipt }));
    mustBeDone(resultOf(chain.send(opened)), 'opening of token accounts');
  }
  for (const step of steps) mustBeDone(runStep(chain, step), step.text);
  return chain.state;
}

function mustBeDone({ error, logs }: StepResult, what: string): void {
  if (error !== null) throw new Error(`${what} came to ${error.reason}\n${logs.join('\n')}`);
}
