import type { WireCode } from '@lending/errors';
import type { ConversationRow, EntryRow } from '@lending/store';
import type { Conversation, ConversationEntry } from '#records/conversation-fields.ts';

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: row.id,
    title: row.title,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    entry_count: row.entry_count,
    client: row.client,
  };
}

/** Rows hold what was written: a door, an outcome and a code of ours. */
export function toEntry(row: EntryRow): ConversationEntry {
  return {
    id: `${row.conversation}:${row.number}`,
    time: row.time.toISOString(),
    door: row.door as ConversationEntry['door'],
    tool: row.tool,
    arguments: row.arguments as Record<string, unknown>,
    outcome: row.outcome as ConversationEntry['outcome'],
    ...(row.code !== null && { code: row.code as WireCode }),
  };
}
