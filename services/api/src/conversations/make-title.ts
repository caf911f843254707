import { isAddress } from '#tools/address-input.ts';
import type { Operation } from '#tools/tool.ts';
import type { RecordedArguments } from './recorded-arguments.ts';
import { REMOVED } from './without-secrets.ts';

/** What a call is about, by what it is told first. */
const SUBJECTS = ['query', 'slug', 'symbol', 'address', 'account', 'authority', 'bank', 'reserve', 'deposit_bank'];
const MAX_SUBJECT_CHARACTERS = 60;

/** A title for a conversation, made from its first call: `Borrow: 100, 2s37…4Gh1`. */
export function makeTitle({ title }: Pick<Operation, 'title'>, kept: RecordedArguments): string {
  const amount = kept.amount === undefined ? [] : [String(kept.amount)];
  const subject = SUBJECTS.map((name) => kept[name]).find(isTelling);
  const about = [...amount, ...(subject === undefined ? [] : [shortened(subject)])];
  return about.length === 0 ? title : `${title}: ${about.join(', ')}`;
}

function isTelling(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes(REMOVED);
}

function shortened(text: string): string {
  if (isAddress(text)) return `${text.slice(0, 4)}…${text.slice(-4)}`;
  const characters = [...text];
  return characters.length <= MAX_SUBJECT_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_SUBJECT_CHARACTERS - 1).join('')}…`;
}
