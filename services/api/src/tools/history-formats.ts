import { HISTORY_FIELDS, type HistoryBody, type HistoryField, type HistoryPoint } from '#records/history-fields.ts';
import { invalid } from './parse-input.ts';

/**
 * The fields of a point that are asked for, in the record's own order; all without a choice, and the time always.
 * @throws TOOL__INPUT_INVALID when a name is no field of a point.
 */
export function readHistoryFields(names: readonly string[] | undefined, callName: string): readonly HistoryField[] {
  if (names === undefined) return HISTORY_FIELDS;
  if (names.some((name) => !HISTORY_FIELDS.includes(name as HistoryField))) {
    throw invalid('fields names a field that does not exist', HISTORY_FIELDS.join(', '), callName, {
      field: 'fields',
      allowed_fields: HISTORY_FIELDS,
    });
  }
  return HISTORY_FIELDS.filter((field) => field === 'time' || names.includes(field));
}

/** An object per point. */
export function toPoints(
  points: readonly HistoryPoint[],
  fields: readonly HistoryField[],
): NonNullable<HistoryBody['points']> {
  return points.map((point) => Object.fromEntries(fields.map((field) => [field, point[field]])));
}

/** An array per field. */
export function toColumns(
  points: readonly HistoryPoint[],
  fields: readonly HistoryField[],
): NonNullable<HistoryBody['columns']> {
  return Object.fromEntries(fields.map((field) => [field, points.map((point) => point[field])]));
}

/** No value holds a comma or a quote: numbers, times, words. An unknown value is an empty cell. */
export function toCsv(points: readonly HistoryPoint[], fields: readonly HistoryField[]): string {
  const lines = points.map((point) => fields.map((field) => point[field] ?? '').join(','));
  return `${[fields.join(','), ...lines].join('\n')}\n`;
}
