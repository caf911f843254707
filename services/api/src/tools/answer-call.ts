import { NO_AGGREGATOR_KEYS } from '#builds/aggregator-keys.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { readAggregatorKeys } from './aggregator-keys.ts';
import { parseInput } from './parse-input.ts';
import type { Answer, CallContext, Operation } from './tool.ts';

/** One call of an operation, as a door took it in. */
export interface Call extends Pick<CallContext, 'door' | 'callName' | 'signal' | 'report'> {
  /** The arguments as they came, unchecked. */
  readonly given: unknown;
  readonly headerOf: (name: string) => string | undefined;
  readonly visitor: Visitor;
  /** What the caller's program calls itself; null where it does not. */
  readonly agent: string | null;
  /** The conversation that the call names; null: none. */
  readonly conversation: string | null;
}

/**
 * Checks a call's arguments, reads the keys it brings, and answers it: the way of every call through any door.
 * @throws TOOL__INPUT_INVALID, and whatever the operation throws.
 */
export async function answerCall(operation: Operation, call: Call): Promise<Answer> {
  const { door, callName, given, headerOf, signal, report } = call;
  const input = parseInput(operation.input, given, callName);
  const aggregatorKeys =
    operation.takesAggregatorKeys === true ? readAggregatorKeys(headerOf, callName) : NO_AGGREGATOR_KEYS;
  const { client } = call.visitor;
  return operation.handle(input, { door, callName, client, aggregatorKeys, signal, report });
}
