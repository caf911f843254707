import { createHash } from 'node:crypto';
import { HEALTH_STATUSES } from '#records/health-fields.ts';
import { invalid } from '#tools/parse-input.ts';
import type { LiveQuestion } from './live-hub.ts';

export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** How far a stream of activity came. Rows may be written in any order, so a place in the chain alone does not say what was told. */
export interface ActivityPosition {
  /** What happened in slots up to here was told, or is history. */
  readonly floor: bigint;
  /** Above it, what was told: `activityMark` of each, with its slot. */
  readonly told: ReadonlyMap<string, bigint>;
}

/** How far a stream came; null of what it does not ask for. */
export interface StreamPosition {
  /** The chain's time of the newest rates told, ms since 1970. */
  readonly ratesMs: number | null;
  /** Of the states told of all banks asked for. */
  readonly banks: string | null;
  /** The status last told of each account, in the order asked; null where none was. */
  readonly health: readonly (HealthStatus | null)[];
  readonly activity: ActivityPosition | null;
}

const VERSION = '1';
const MARK_LENGTH = 6;
const NONE = '-';
/** Far above what `position` writes, far below what a header may hold. */
const MOST_CHARACTERS = 6_000;

/** Which question an id belongs to, whatever order its addresses stand in. */
export function questionMark(question: LiveQuestion): string {
  const sorted = (list: readonly string[] | string) => (typeof list === 'string' ? list : list.toSorted());
  const { rates, banks, health, activity } = question;
  return digestOf([sorted(rates), sorted(banks), health, sorted(activity)], 6);
}

export function digestOf(value: unknown, length: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, length);
}

/** 36 bits that tell one activity from others; in another slot, after a fork, it is another. */
export function activityMark(id: string, slot: bigint): string {
  return digestOf([id, slot.toString()], MARK_LENGTH);
}

/**
 * The id of an event: which question, and how far each part of it came. Opaque to callers; some forty characters, and six more for each
 * activity that something older may still follow.
 */
export function encodePosition(question: string, position: StreamPosition): string {
  const { ratesMs, banks, health, activity } = position;
  const statuses = health.map((status) => (status === null ? NONE : HEALTH_STATUSES.indexOf(status))).join('');
  return [
    VERSION,
    question,
    ratesMs?.toString(36) ?? '',
    banks ?? '',
    statuses,
    ...(activity === null ? ['', '', ''] : encodeActivity(activity)),
  ].join('.');
}

function encodeActivity({ floor, told }: ActivityPosition): readonly string[] {
  const newest = [...told.values()].reduce((max, slot) => (slot > max ? slot : max), floor);
  return [floor.toString(36), (newest - floor).toString(36), [...told.keys()].join('')];
}

const SHAPE =
  /^1\.([\w-]{6})\.([0-9a-z]{0,10})\.([\w-]{0,8})\.([0-5-]*)\.([0-9a-z]{0,13})\.([0-9a-z]{0,13})\.((?:[\w-]{6})*)$/;

/**
 * @throws TOOL__INPUT_INVALID for a text that is no id of ours, or one of another question.
 */
export function decodePosition(text: string, question: LiveQuestion, callName: string): StreamPosition {
  const [, mark, rates, banks, statuses = '', floor, above = '', marks = ''] =
    (text.length > MOST_CHARACTERS ? null : SHAPE.exec(text)) ?? [];
  if (mark === undefined) throw invalid('last_event_id is not one of this service', ID_ALLOWED, callName, DETAILS);
  if (mark !== questionMark(question) || statuses.length !== question.health.length) {
    throw invalid('last_event_id belongs to another question', ID_ALLOWED, callName, DETAILS);
  }
  return {
    ratesMs: rates === undefined || rates === '' ? null : Number.parseInt(rates, 36),
    banks: banks === undefined || banks === '' ? null : banks,
    health: [...statuses].map((digit) => (digit === NONE ? null : (HEALTH_STATUSES[Number(digit)] ?? null))),
    activity: floor === undefined || floor === '' ? null : decodeActivity(floor, above, marks),
  };
}

/** In which slot each was is not kept: as if all were in the newest, they are remembered for longer than they had to be. */
function decodeActivity(floor: string, above: string, marks: string): ActivityPosition {
  const base = parseBase36(floor);
  const newest = base + parseBase36(above);
  const told = new Map<string, bigint>();
  for (let at = 0; at < marks.length; at += MARK_LENGTH) told.set(marks.slice(at, at + MARK_LENGTH), newest);
  return { floor: base, told };
}

function parseBase36(text: string): bigint {
  return [...text].reduce((value, digit) => value * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
}

const DETAILS = { field: 'last_event_id' };
const ID_ALLOWED = 'the id of the last event of a stream with the same question, or none to begin anew';
