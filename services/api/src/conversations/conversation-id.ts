import { LendingError } from '@lending/errors';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an id; anything else is no conversation. */
export function isConversationId(text: string): boolean {
  return UUID.test(text);
}

/** The same for one that nobody has and one that somebody else has: who asks learns nothing of others. */
export function conversationNotFound(callName: string): LendingError {
  return new LendingError('READ__CONVERSATION_NOT_FOUND', {
    message: `There is no conversation of yours with that id — allowed: an id that GET /v1/conversations lists for your bearer token, or none — correct it and call ${callName} again`,
    context: { field: 'conversation_id' },
  });
}
