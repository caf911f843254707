import { isForOperator, toWireError } from '@lending/errors';
import type { Logger } from '@lending/runtime';
import { inChildSpan } from '@lending/tracing';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { SpanStatusCode } from '@opentelemetry/api';
import type { AnswerCall, Call } from '#tools/answer-call.ts';
import { RenderedReply, TextReply, type Tool } from '#tools/tool.ts';
import { rateExceeded } from '../limits/rate-exceeded.ts';
import type { RateLimiter, RateScope } from '../limits/rate-limiter.ts';
import { chooseForm } from './choose-form.ts';

export interface CallToolOptions {
  readonly answerCall: AnswerCall;
  readonly logger: Logger;
  readonly limiter: RateLimiter;
}

/** Counts, answers and words one call. A failure is a result that the model reads: the error body of every door. */
export async function callTool(
  tool: Tool,
  call: Call,
  { answerCall, logger, limiter }: CallToolOptions,
): Promise<CallToolResult> {
  let conversation: string | null = null;
  const tellConversation = (id: string) => {
    conversation = id;
    call.tellConversation(id);
  };
  const result = await inChildSpan(
    'lending.api',
    () => ({
      name: `tools/call ${tool.name}`,
      attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool.name },
    }),
    async (span) => {
      const answered = await answerTool(tool, { ...call, tellConversation }, { answerCall, logger, limiter });
      // A failure is an answer here, and nothing is thrown; the operation's own span says which.
      if (answered.isError === true)
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', 'tool_error');
      return answered;
    },
  );
  return conversation === null ? result : { ...result, _meta: { conversation_id: conversation } };
}

async function answerTool(
  tool: Tool,
  call: Call,
  { answerCall, logger, limiter }: CallToolOptions,
): Promise<CallToolResult> {
  try {
    if (tool.rateScope !== undefined) await spend(limiter, call.visitor.client, tool.rateScope);
    const { operation, given } = chooseForm(tool, call.given);
    const reply = await answerCall(operation, { ...call, given });
    if (reply instanceof TextReply) return { content: [{ type: 'text', text: reply.text }] };
    if (reply instanceof RenderedReply) return toResult(reply.value, reply.text);
    return toResult(reply, JSON.stringify(reply));
  } catch (error) {
    // What fails because its caller went away is read by nobody, and says nothing of this service.
    if (isForOperator(error) && !call.signal.aborted) {
      logger.error('mcp.tool.fail', { tool: tool.name, request_id: call.visitor.requestId, error });
    }
    const wireError = toWireError(error);
    return { ...toResult(wireError, JSON.stringify(wireError)), isError: true };
  }
}

/** @throws CALLER__RATE_EXCEEDED where the client has nothing left of it. */
async function spend(limiter: RateLimiter, client: string, scope: RateScope): Promise<void> {
  const verdict = await limiter.spend(client, [scope], 1);
  if (!verdict.accepted) throw rateExceeded(verdict);
}

function toResult(value: unknown, text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value as Record<string, unknown> };
}
