import { toWireError, type WireCode } from '@lending/errors';
import { inChildSpan, type NewSpan } from '@lending/tracing';
import { NO_AGGREGATOR_KEYS } from '#builds/aggregator-keys.ts';
import type { Visitor } from '../visitors/visitor.ts';
import { readAggregatorKeys } from './aggregator-keys.ts';
import { parseInput } from './parse-input.ts';
import type { Answer, CallContext, Operation } from './tool.ts';

/** One call of an operation, as a door took it in. */
export interface Call extends Pick<CallContext, 'door' | 'callName' | 'signal' | 'report' | 'docsBase'> {
  /** The arguments as they came, unchecked. */
  readonly given: unknown;
  readonly headerOf: (name: string) => string | undefined;
  readonly visitor: Visitor;
  /** What the caller's program calls itself; null where it does not. */
  readonly agent: string | null;
  /** The conversation that the call names; null: none. */
  readonly conversation: string | null;
  /** Hears, before the answer, which conversation the call went into; not called where it went into none. */
  readonly tellConversation: (id: string) => void;
}

/** Keeps what callers do. */
export interface Recorder {
  /** @throws READ__CONVERSATION_NOT_FOUND when the call names a conversation that is not its caller's. */
  assertConversation(call: Call): Promise<void>;
  /** Keeps a call of a caller, and with which code it failed, if it did. Never throws: an answer does not depend on it. */
  record(operation: Operation, call: Call, code: WireCode | null): Promise<void>;
}

/** Answers one call: the way of every call through any door. Throws whatever the operation throws. */
export type AnswerCall = (operation: Operation, call: Call) => Promise<Answer>;

/** Makes the one way: looks for the conversation that a call names, answers, and keeps that it did, before the answer leaves. */
export function createAnswerCall(recorder: Recorder): AnswerCall {
  const answer: AnswerCall = async (operation, call) => {
    await recorder.assertConversation(call);
    let answered: Answer;
    try {
      answered = await answerAlone(operation, call);
    } catch (error) {
      await recorder.record(operation, call, toWireError(error).code);
      throw error;
    }
    await recorder.record(operation, call, null);
    return answered;
  };
  return (operation, call) =>
    inChildSpan(
      'lending.api',
      () => spanOf(operation, call),
      () => answer(operation, call),
    );
}

/** Which operation, never its arguments. */
function spanOf({ name }: Operation, { door }: Call): NewSpan {
  return { name: `operation ${name}`, attributes: { 'lending.operation': name, 'lending.door': door } };
}

/** Checks the arguments, reads the keys that the call brings, and hands both over. */
async function answerAlone(operation: Operation, call: Call): Promise<Answer> {
  const { door, callName, given, headerOf, signal, report, docsBase } = call;
  const input = parseInput(operation.input, given, callName);
  const aggregatorKeys =
    operation.takesAggregatorKeys === true ? readAggregatorKeys(headerOf, callName) : NO_AGGREGATOR_KEYS;
  const { client } = call.visitor;
  return operation.handle(input, { door, callName, client, aggregatorKeys, signal, report, docsBase });
}
