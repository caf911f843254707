import { isLendingError, type WireCode } from '@lending/errors';
import { type Logger, type Metrics, withinMs } from '@lending/runtime';
import type { Call, Recorder } from '#tools/answer-call.ts';
import type { Operation } from '#tools/tool.ts';
import { clientName } from './client-name.ts';
import { conversationNotFound, isConversationId } from './conversation-id.ts';
import type { ConversationStore } from './conversation-store.ts';
import { makeTitle } from './make-title.ts';
import { recordedArguments } from './recorded-arguments.ts';
import { secretsOf } from './without-secrets.ts';

export interface RecorderOptions {
  readonly store: Pick<ConversationStore, 'read' | 'addNamed' | 'addUnnamed'>;
  /** A conversation in which nothing was said for longer does not go on by itself. */
  readonly idleMs: number;
  /** How long an answer waits until its entry is written. Default 2 s: a blockhash does not wait. */
  readonly patienceMs?: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const PATIENCE_MS = 2_000;

/** Makes what keeps the calls of callers as entries of their conversations; a visitor without a token leaves nothing behind. */
export function createRecorder(options: RecorderOptions): Recorder {
  const { store, idleMs, patienceMs = PATIENCE_MS, logger } = options;
  const entries = options.metrics.counter({
    name: 'conversation.entry.write',
    help: 'Calls of callers with a token, by whether they were written into a conversation',
    labels: ['result'],
  });

  async function write(operation: Operation, call: Call, code: WireCode | null, caller: string) {
    const secrets = secretsOf(call.headerOf);
    const kept = recordedArguments(operation.input, call.given, secrets);
    const entry = {
      door: call.door,
      tool: operation.name,
      arguments: kept,
      outcome: code === null ? 'ok' : 'error',
      code,
    };
    const title = makeTitle(operation, kept);
    if (isNamed(call)) {
      const conversation = call.conversation.toLowerCase();
      // False: it was deleted while the call was answered, which its caller did himself.
      return (await store.addNamed({ caller, conversation, title, entry })) ? conversation : null;
    }
    const client = clientName(call.agent, secrets);
    return store.addUnnamed({ conversation: { caller, client, title }, entry, idleMs });
  }

  return {
    async assertConversation(call) {
      if (!isNamed(call)) return;
      const { caller } = call.visitor;
      const id = call.conversation;
      const found = caller !== null && isConversationId(id) && (await store.read({ caller: caller.id, id })) !== null;
      if (!found) throw conversationNotFound(call.callName);
    },

    async record(operation, call, code) {
      const { caller, requestId } = call.visitor;
      if (caller === null) return;
      try {
        const conversation = await withinMs(patienceMs, write(operation, call, code, caller.id));
        if (conversation !== null) call.tellConversation(conversation);
        entries.inc({ result: 'written' });
      } catch (error) {
        entries.inc({ result: 'failed' });
        logger.warn('conversation.entry.fail', { request_id: requestId, tool: operation.name, error: named(error) });
      }
    },
  };
}

function isNamed(call: Call): call is Call & { readonly conversation: string } {
  return call.conversation !== null && call.conversation !== '';
}

/** What the database says of a row can quote it. */
function named(error: unknown): unknown {
  return isLendingError(error, 'STORE__ROW_INVALID') ? error.code : error;
}
