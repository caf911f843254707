import type { Address } from '@solana/kit';
import { walkLogs } from '../walk-logs.ts';
import type { TransactionTrace } from './activity.ts';
import { type P0EventFields, readEvent } from './decode-events.ts';

export type TraceInstruction = TransactionTrace['instructions'][number];

/** One time the program ran: its instruction, what it called, and what it told. */
export interface ProgramCall {
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
  /** Null where only the logs know of it: the node kept no inner instructions. */
  readonly instruction: TraceInstruction | null;
  /** Instructions it called, and those they called. */
  readonly inner: readonly TraceInstruction[];
  readonly events: readonly P0EventFields[];
}

export interface ProgramCalls {
  /** In the order they began. */
  readonly calls: readonly ProgramCall[];
  /** Events that no layout of this build reads, or that belong to no instruction of the transaction. */
  readonly unreadEvents: number;
}

interface Place {
  readonly instructionIndex: number;
  readonly innerIndex: number | null;
}

interface OpenCall extends ProgramCall {
  readonly events: P0EventFields[];
}

/**
 * Every time the program ran in a transaction. Its own instructions say where, the logs add the events: by the stack of invocations,
 * so that no other program can speak for it, and by order, the n-th run inside one of the transaction's instructions being the n-th
 * instruction of the program there.
 */
export function callsOf(trace: TransactionTrace, programId: Address): ProgramCalls {
  const calls = new Map<string, OpenCall>();
  trace.instructions.forEach((instruction, position) => {
    if (instruction.programId !== programId) return;
    const { instructionIndex, innerIndex } = instruction;
    const inner = calledBy(trace.instructions, position);
    calls.set(keyOf(instruction), { instructionIndex, innerIndex, instruction, inner, events: [] });
  });
  const unreadEvents = addEvents(calls, trace, programId);
  return { calls: [...calls.values()].sort(byPlace), unreadEvents };
}

/** Adds what the logs tell to the calls they belong to, and gives how much could not be read. */
function addEvents(calls: Map<string, OpenCall>, trace: TransactionTrace, programId: Address): number {
  const { lines, invocations } = walkLogs(trace.logs ?? []);
  const places = placesOf(invocations, trace, programId);
  let unread = 0;
  for (const line of lines) {
    if (line.kind !== 'data' || line.programId !== programId) continue;
    const event = readEvent(line.text);
    const place = places[line.invocation];
    if (typeof event !== 'object' || place === undefined || place === null) {
      unread += 1;
      continue;
    }
    const key = keyOf(place);
    const call = calls.get(key) ?? { ...place, instruction: null, inner: [], events: [] };
    call.events.push(event);
    calls.set(key, call);
  }
  return unread;
}

/**
 * Where each invocation stands among the instructions; null for one of a program that the transaction does not call there.
 * Signature checks log no start, so the transaction's own instructions are found by their programs.
 */
function placesOf(
  invocations: readonly { readonly programId: string; readonly depth: number }[],
  trace: TransactionTrace,
  programId: Address,
): (Place | null)[] {
  const own = trace.instructions.filter(({ innerIndex }) => innerIndex === null);
  let next = 0;
  let outer: TraceInstruction | null = null;
  let inner: TraceInstruction[] = [];
  let calledInside = 0;
  return invocations.map((invocation) => {
    if (invocation.depth === 1) {
      const found = own.findIndex((instruction, at) => at >= next && instruction.programId === invocation.programId);
      next = found < 0 ? next : found + 1;
      outer = own[found] ?? null;
      const index = outer?.instructionIndex;
      inner = trace.instructions.filter(
        (each) => each.instructionIndex === index && each.innerIndex !== null && each.programId === programId,
      );
      calledInside = 0;
      return outer === null ? null : { instructionIndex: outer.instructionIndex, innerIndex: null };
    }
    const innerIndex = calledInside;
    calledInside += 1;
    if (outer === null) return null;
    const known = invocation.programId === programId ? inner.shift() : undefined;
    return { instructionIndex: outer.instructionIndex, innerIndex: known?.innerIndex ?? innerIndex };
  });
}

/** Instructions after one that it called: until the depth is back at its own, or another of its program begins where no depth is known. */
function calledBy(instructions: TransactionTrace['instructions'], position: number): readonly TraceInstruction[] {
  const caller = instructions[position];
  if (caller === undefined) return [];
  const depth = caller.depth ?? (caller.innerIndex === null ? 1 : null);
  const end = instructions.findIndex((each, at) => {
    if (at <= position) return false;
    if (each.instructionIndex !== caller.instructionIndex || each.innerIndex === null) return true;
    return depth === null || each.depth === null
      ? depth !== 1 && each.programId === caller.programId
      : each.depth <= depth;
  });
  return instructions.slice(position + 1, end < 0 ? undefined : end);
}

function keyOf({ instructionIndex, innerIndex }: Place): string {
  return `${instructionIndex}:${innerIndex ?? ''}`;
}

function byPlace(a: Place, b: Place): number {
  return a.instructionIndex - b.instructionIndex || (a.innerIndex ?? -1) - (b.innerIndex ?? -1);
}
