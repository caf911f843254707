import { LendingError } from '@lending/errors';

/** What COPY's text format reads as more than itself. */
const SPECIAL = /[\t\n\r\\]/;

/**
 * A value as a field of COPY's text format. Nothing is escaped: no value of ours holds what would have to be.
 * @throws STORE__ROW_INVALID for a value that would be read as more than itself.
 */
export function copyField(value: string | null | undefined): string {
  if (value === null || value === undefined) return '\\N';
  if (SPECIAL.test(value)) {
    throw new LendingError('STORE__ROW_INVALID', {
      message: `${JSON.stringify(value.slice(0, 60))} is no value of a row`,
    });
  }
  return value;
}
