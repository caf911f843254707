import { z } from 'zod';
import { MAX_TITLE_CHARACTERS } from '#records/conversation-fields.ts';
import { taking } from '#tools/accepted-json.ts';
import { CURSOR_ALLOWED } from '#tools/cursor.ts';
import { inputField, numberOrText, requiredField } from '#tools/input-field.ts';
import { isPlainText, UNPRINTABLE } from './plain-text.ts';

export const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const TITLE_ALLOWED = `1 to ${MAX_TITLE_CHARACTERS} characters on one line, without control characters`;

const titleText = taking(
  z
    .string()
    .refine((text) => [...text].length <= MAX_TITLE_CHARACTERS && isPlainText(text) && text.trim() !== '')
    .transform((text) => text.trim()),
  {
    type: 'string',
    maxLength: MAX_TITLE_CHARACTERS,
    pattern: `^[^${UNPRINTABLE}]*[^\\s${UNPRINTABLE}][^${UNPRINTABLE}]*$`,
  },
);

const page = {
  limit: inputField(
    numberOrText(z.int().min(1).max(MAX_LIMIT)),
    `How many a page. Default ${DEFAULT_LIMIT}`,
    `a whole number from 1 to ${MAX_LIMIT}`,
  ),
  cursor: inputField(z.string().max(400), 'next_cursor of the page before', CURSOR_ALLOWED),
};

export const pageInput = z.strictObject(page);
export const newConversationInput = z.strictObject({
  title: inputField(titleText, 'Its title; without one it is made from the first call', TITLE_ALLOWED),
});
export const renameInput = z.strictObject({
  title: requiredField(titleText, 'Its new title', TITLE_ALLOWED),
});
/** What is no id is nobody's conversation, and refused as such. */
export const idParams = z.strictObject({ id: z.string().describe('The id of a conversation of yours') });
