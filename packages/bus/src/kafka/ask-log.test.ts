import type { Admin } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { askLog } from './ask-log.ts';

/** Admins that refuse as often as they are told to, and remember that they were used and given back. */
function createAdmins(refusals: number) {
  let left = refusals;
  const closed: string[] = [];
  const create = (name: string) =>
    ({
      name,
      connect: async () => undefined,
      disconnect: async () => void closed.push(name),
    }) as unknown as Admin;
  let fresh = 0;
  const kafka = {
    admin: () => {
      fresh += 1;
      return create(`fresh ${fresh}`);
    },
  };
  const asked: string[] = [];
  const question = async (admin: Admin) => {
    asked.push((admin as unknown as { name: string }).name);
    left -= 1;
    if (left >= 0) throw new Error('This server is not the leader for that topic-partition');
    return 'an answer';
  };
  return { kafka, admin: create('first'), question, asked, closed };
}

describe('askLog', () => {
  it('asks the admin that is there, and nobody else, while it answers', async () => {
    const { question, asked, closed, ...options } = createAdmins(0);
    expect(await askLog({ ...options, patienceMs: 5_000, what: 'it' }, question)).toBe('an answer');
    expect([asked, closed]).toEqual([['first'], []]);
  });

  it('asks others after a refusal, and gives each of them back', async () => {
    const { question, asked, closed, ...options } = createAdmins(2);
    expect(await askLog({ ...options, patienceMs: 30_000, what: 'it' }, question)).toBe('an answer');
    expect(asked).toEqual(['first', 'fresh 1', 'fresh 2']);
    expect(closed).toEqual(['fresh 1', 'fresh 2']);
  });

  it('wants to know nothing more when the process stops, though nobody answers', async () => {
    const { question: _, ...options } = createAdmins(0);
    const stopping = new AbortController();
    const asking = askLog(
      { ...options, patienceMs: 30_000, what: 'it', stopping: stopping.signal },
      () => new Promise<never>(() => undefined),
    );
    stopping.abort();
    await expect(asking).rejects.toBe(stopping.signal.reason);
  });

  it('gives up in time, and says what was asked', async () => {
    const { question, ...options } = createAdmins(1_000);
    await expect(askLog({ ...options, patienceMs: 300, what: 'the topics' }, question)).rejects.toMatchObject({
      code: 'BUS__UNAVAILABLE',
      message: expect.stringMatching(/^the topics: This server is not the leader/),
    });
  });
});
