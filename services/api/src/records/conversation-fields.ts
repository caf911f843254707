import { WIRE_CODES, type WireCode } from '@lending/errors';
import { z } from 'zod';

/** Longest title, in characters. */
export const MAX_TITLE_CHARACTERS = 200;

const timeField = z.iso.datetime();

export const conversationSchema = z.strictObject({
  id: z
    .uuid()
    .describe('Pass it as x-conversation-id, or over MCP as conversation_id in _meta, to go on with this one'),
  title: z.string().nullable().describe('As it was given, else made from the first call; null while there was neither'),
  created_at: timeField.describe('ISO-8601 UTC'),
  updated_at: timeField.describe('ISO-8601 UTC: its newest entry, or its creation; another title does not move it'),
  entry_count: z.int().min(0).describe('Entries that are kept'),
  client: z
    .string()
    .nullable()
    .describe('What the program that opened it calls itself: clientInfo of MCP where it is known, else the user agent'),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const ENTRY_OUTCOMES = ['ok', 'error'] as const;

export const conversationEntrySchema = z.strictObject({
  id: z.string().describe('The conversation, a colon, and the number of the entry in it'),
  time: timeField.describe('ISO-8601 UTC, when it was answered'),
  door: z.enum(['mcp', 'rest']),
  tool: z.string().describe('The tool, or the operation id of what only REST has'),
  arguments: z
    .record(z.string(), z.unknown())
    .describe('Those that the tool takes, cut short; whatever looks like a secret stands as (removed)'),
  outcome: z.enum(ENTRY_OUTCOMES),
  code: z
    .enum(Object.keys(WIRE_CODES) as [WireCode, ...WireCode[]])
    .optional()
    .describe('Of an error'),
});
export type ConversationEntry = z.infer<typeof conversationEntrySchema>;

function pageOf<T extends z.ZodType>(record: T) {
  return z.strictObject({
    data: z.array(record),
    has_more: z.boolean().describe('Whether there are more behind these'),
    next_cursor: z.string().nullable().describe('Pass it as cursor to get them; null on the last page'),
  });
}

export const conversationPageSchema = pageOf(conversationSchema);
export const entryPageSchema = pageOf(conversationEntrySchema);
