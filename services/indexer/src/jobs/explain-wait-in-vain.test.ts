import { describeError, LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { explainWaitInVain } from './explain-wait-in-vain.ts';

const failure = (code: string) =>
  new LendingError('STORE__UNAVAILABLE', { cause: Object.assign(new Error('as the driver says it'), { code }) });

describe('explainWaitInVain', () => {
  it.each([
    [
      '28P01',
      /^STORE__UNAVAILABLE: Postgres rejects the user or the password .* ALTER ROLE ← 28P01: as the driver says it$/,
    ],
    [
      '3D000',
      /^STORE__UNAVAILABLE: The database that DATABASE_URL names does not exist\. .* ← 3D000: as the driver says it$/,
    ],
    [
      'ECONNREFUSED',
      /^STORE__UNAVAILABLE: Postgres was not ready for 60 s: .* DATABASE_URL ← ECONNREFUSED: as the driver says it$/,
    ],
  ])('says in one line what to do after %s', (code, line) => {
    expect(describeError(explainWaitInVain(failure(code)))).toMatch(line);
  });

  it('says in one line what to do where Kafka does not answer', () => {
    const error = new LendingError('BUS__UNAVAILABLE', { message: 'Kafka does not answer: connect ECONNREFUSED' });
    expect(describeError(explainWaitInVain(error))).toMatch(
      /^BUS__UNAVAILABLE: .* connect ECONNREFUSED\. Kafka was not ready for 60 s: its log says why; or correct KAFKA_BROKERS$/,
    );
  });

  it('leaves another error as it is', () => {
    const error = new LendingError('STORE__MIGRATION_INVALID');
    expect(explainWaitInVain(error)).toBe(error);
  });
});
