/** What is no text to show on one line: control characters, what turns the direction of what follows, marks of bytes. */
export const UNPRINTABLE = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';

const UNPRINTABLES = new RegExp(`[${UNPRINTABLE}]`, 'g');

/** Whether a text can be shown as it is, and kept: half of a character cannot. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && text.search(UNPRINTABLES) === -1;
}

/** One line of at most so many characters; what is cut off is shown as an ellipsis. */
export function toPlainText(text: string, most: number): string {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll(UNPRINTABLES, '').toWellFormed().trim();
  const characters = [...plain];
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`;
}
