import { encodeJob } from '@lending/transactions/cranks/jobs/encode-job.ts';
import { JOB_ENUMS, JOB_MESSAGES } from '@lending/transactions/cranks/jobs/job-fields.ts';
import { OracleJob } from '@switchboard-xyz/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Jobs and tasks hold each other: so deep they go. */
const MAX_DEPTH = 3;

const decimal = fc.double({ noNaN: true, noDefaultInfinity: true });

/** Any value of a field's type. */
function anyValue(path: string, type: string, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return fc.string({ unit: 'grapheme', maxLength: 20 });
    case 'bool':
      return fc.boolean();
    case 'double':
      return decimal;
    case 'int32':
      return fc.integer();
    case 'uint32':
      return fc.nat();
    case 'enum':
      return fc.constantFrom(...Object.entries(JOB_ENUMS[path] ?? {}).flat());
    default:
      return messageOf(type, depth + 1);
  }
}

/** A message with any of its fields. */
function messageOf(message: string, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const fields = (JOB_MESSAGES[message] ?? '').split(/\s+/).filter((field) => field !== '');
  const shape = fields.flatMap((field): [string, fc.Arbitrary<unknown>][] => {
    const [name = '', , type = ''] = field.split(':');
    const bare = type.replace('[]', '');
    if (depth >= MAX_DEPTH && bare in JOB_MESSAGES) return [];
    const value = anyValue(`${message}.${name}`, bare, depth);
    return [[name, type === bare ? value : fc.array(value, { maxLength: 2 })]];
  });
  return fc.record(Object.fromEntries(shape), { requiredKeys: [] });
}

const bytesOf = (job: object) => OracleJob.encodeDelimited(OracleJob.fromObject(job)).finish();

describe('encodeJob beside the published protobuf', () => {
  it.each(Object.keys(JOB_MESSAGES).filter((name) => name.endsWith('Task') && name !== 'Task'))(
    'writes %s as it does',
    (type) => {
      const taskFields = (JOB_MESSAGES.Task ?? '').trim().split(/\s+/);
      const names = taskFields.filter((field) => field.endsWith(`:${type}`)).map((field) => field.split(':')[0] ?? '');
      expect(names.length).toBeGreaterThan(0);
      fc.assert(
        fc.property(messageOf(type, MAX_DEPTH - 1), fc.constantFrom(...names), fc.nat(), (task, name, weight) => {
          const job = { tasks: [{ [name]: task }], weight };
          expect(Buffer.from(encodeJob(job)).toString('hex')).toBe(Buffer.from(bytesOf(job)).toString('hex'));
        }),
        { numRuns: 30 },
      );
    },
  );

  it('writes jobs within jobs as it does', () => {
    fc.assert(
      fc.property(messageOf('OracleJob'), (job) => {
        expect(Buffer.from(encodeJob(job)).toString('hex')).toBe(Buffer.from(bytesOf(job)).toString('hex'));
      }),
      { numRuns: 100 },
    );
  });

  it('refuses what the protobuf would silently leave out', () => {
    expect(() => encodeJob({ tasks: [{ newTask: {} }] })).toThrow(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }),
    );
    expect(bytesOf({ tasks: [{ newTask: {} }] })).toHaveLength(3);
  });
});
