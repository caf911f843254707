import {
  type EventLayout,
  encodeEvent,
  encodeInstruction,
  type InstructionLayout,
  MARGINFI_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, getAddressDecoder } from '@solana/kit';
import type { TransactionTrace } from '../p0/activity.ts';

/** What a program ran in a made transaction: its instruction, what it called, what it told. */
export interface MadeCall {
  readonly programId: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  readonly inner?: readonly MadeCall[];
  /** Bytes of `Program data:` lines, written after what it called returned. */
  readonly told?: readonly Uint8Array[];
}

/** An address that is one byte repeated, so that a failing test can be read. */
export function madeAddress(byte: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(byte));
}

/** A call of the lending program by its layout; accounts not given are `madeAddress(0xee)`. */
export function lendingCall<TList extends string, TArgs>(
  layout: InstructionLayout<TList, TArgs>,
  accounts: Readonly<Record<string, Address>>,
  args: TArgs,
  rest: Pick<MadeCall, 'inner' | 'told'> & { readonly remaining?: readonly Address[] } = {},
): MadeCall {
  const named = layout.accounts.map(({ name }) => [name, accounts[name] ?? madeAddress(0xee)]);
  const built = encodeInstruction(layout, MARGINFI_PROGRAM, Object.fromEntries(named) as never, args);
  const { remaining = [], ...parts } = rest;
  const addresses = (built.accounts ?? []).map(({ address }) => address);
  return {
    programId: MARGINFI_PROGRAM,
    accounts: [...addresses, ...remaining],
    data: Uint8Array.from(built.data ?? []),
    ...parts,
  };
}

export function told<T>(layout: EventLayout<T>, fields: T): Uint8Array {
  return encodeEvent(layout, fields);
}

/** A checked transfer of the token program. */
export function tokenTransfer(
  source: Address,
  destination: Address,
  amount: bigint,
  mint: Address,
  programId: Address = TOKEN_PROGRAM,
): MadeCall {
  const data = new Uint8Array(10);
  data[0] = 12;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  return { programId, accounts: [source, mint, destination, madeAddress(0xed)], data };
}

/** The trace of a transaction whose instructions ran these calls. */
export function madeTrace(calls: readonly MadeCall[], changes: Partial<TransactionTrace> = {}): TransactionTrace {
  return {
    signature: 'madeSignature',
    isFailed: false,
    instructions: calls.flatMap((call, instructionIndex) => flatten(call, instructionIndex)),
    logs: calls.flatMap((call) => logsOf(call, 1)),
    feePayer: madeAddress(0xfe),
    signers: [madeAddress(0xfe)],
    feeLamports: 5000n,
    tokenBalances: [],
    ...changes,
  };
}

function flatten(call: MadeCall, instructionIndex: number): TransactionTrace['instructions'] {
  const below = (each: MadeCall, depth: number): { readonly call: MadeCall; readonly depth: number }[] =>
    (each.inner ?? []).flatMap((inner) => [{ call: inner, depth }, ...below(inner, depth + 1)]);
  const toInstruction = ({ programId, accounts, data }: MadeCall) => ({ programId, accounts, data });
  return [
    { instructionIndex, innerIndex: null, depth: 1, ...toInstruction(call) },
    ...below(call, 2).map((each, innerIndex) => ({
      instructionIndex,
      innerIndex,
      depth: each.depth,
      ...toInstruction(each.call),
    })),
  ];
}

function logsOf(call: MadeCall, depth: number): string[] {
  return [
    `Program ${call.programId} invoke [${depth}]`,
    ...(call.inner ?? []).flatMap((inner) => logsOf(inner, depth + 1)),
    ...(call.told ?? []).map((bytes) => `Program data: ${Buffer.from(bytes).toString('base64')}`),
    `Program ${call.programId} success`,
  ];
}
