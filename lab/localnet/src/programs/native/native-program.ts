import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { Address, Instruction } from '@solana/kit';
import type { AccountSource, AccountState, SlotContext, TransactionError } from '#engine/engine.ts';

/** What a transaction came to on the native program. */
export interface NativeOutcome {
  readonly error: TransactionError | null;
  /** Events of the lending program in order, in base64. */
  readonly events: readonly string[];
  /** What became of the accounts that were asked for, after a success. Those that do not exist are absent. */
  readonly accounts: ReadonlyMap<Address, Omit<AccountState, 'executable'>>;
}

export interface NativeTransaction {
  readonly context: Pick<SlotContext, 'slot' | 'unixTimestamp' | 'epoch'>;
  readonly before: AccountSource;
  readonly instructions: readonly Required<Instruction>[];
  /** Accounts whose state afterwards is asked for. */
  readonly writable: readonly Address[];
}

/** The lending program, compiled natively in Agave's bank, in a process of its own (`scripts/prove/native`). */
export interface NativeProgram {
  /** Runs transactions one after the other, each on the accounts it brings along. None of them is signed. */
  run(transaction: NativeTransaction): Promise<NativeOutcome>;
  stop(): void;
}

export type NativeLayout = Readonly<
  Record<string, { readonly size: number; readonly fields: readonly (readonly [path: string, offset: number])[] }>
>;

/** Role bits of kit's account roles. */
const WRITABLE = 1;
const SIGNER = 2;
const EVENT = 'Program log: event ';

interface Answer {
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly accounts: readonly { address: Address; lamports: number; owner: Address; data: string }[];
}

/** @param path the runner that `scripts/prove/native` compiled. @throws Error in `run` when the process ends. */
export function startNativeProgram(path: string): NativeProgram {
  const child = spawn(path, { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] });
  const waiting: { resolve(outcome: NativeOutcome): void; reject(error: Error): void }[] = [];
  const input = child.stdin as Writable;
  let ended: Error | null = null;
  const end = (why: string) => {
    ended = new Error(`The native program ${why}`);
    for (const one of waiting.splice(0)) one.reject(ended);
  };
  child.once('error', (error) => end(`does not start: ${error.message}`));
  child.once('exit', (code, signal) => end(`ended with ${signal ?? code}`));
  input.on('error', () => {});
  const answers = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  answers.on('line', (line) => waiting.shift()?.resolve(readAnswer(JSON.parse(line) as Answer)));
  return {
    run: (transaction) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        waiting.push({ resolve, reject });
        input.write(`${JSON.stringify(toRequest(transaction))}\n`);
      }),
    stop: () => input.end(),
  };
}

/** Where the program keeps its fields, by type; offsets without discriminators. Only of the stand-in for 0.1.12. */
export function readNativeLayout(path: string): NativeLayout {
  return JSON.parse(execFileSync(path, ['layout'], { encoding: 'utf8' })) as NativeLayout;
}

function readAnswer({ error, logs, accounts }: Answer): NativeOutcome {
  return {
    error,
    // The recipe lets events be logged as arrays of byte arrays: outside the virtual machine Anchor logs none.
    events: logs
      .filter((line) => line.startsWith(EVENT))
      .map((line) =>
        Buffer.concat((JSON.parse(line.slice(EVENT.length)) as number[][]).map(Buffer.from)).toString('base64'),
      ),
    accounts: new Map(
      accounts.map(({ address, lamports, owner, data }) => [
        address,
        { lamports: BigInt(lamports), owner, data: new Uint8Array(Buffer.from(data, 'base64')) },
      ]),
    ),
  };
}

function toRequest({ context, before, instructions, writable }: NativeTransaction) {
  const addresses = new Set(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  return {
    slot: Number(context.slot),
    unixTimestamp: Number(context.unixTimestamp),
    epoch: Number(context.epoch),
    accounts: [...addresses].flatMap((address) => {
      const state = before.get(address);
      if (state === undefined || state.executable) return [];
      const data = Buffer.from(state.data).toString('base64');
      return [{ address, lamports: Number(state.lamports), owner: state.owner, data }];
    }),
    writable,
    instructions: instructions.map(({ programAddress, accounts, data }) => ({
      program: programAddress,
      accounts: accounts.map(({ address, role }) => ({
        address,
        isSigner: (role & SIGNER) !== 0,
        isWritable: (role & WRITABLE) !== 0,
      })),
      data: Buffer.from(data).toString('base64'),
    })),
  };
}
