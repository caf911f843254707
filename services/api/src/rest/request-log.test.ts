import { createLogger } from '@lending/runtime';
import { describe, expect, it } from 'vitest';
import { bankRow, USDC_BANK } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

describe('the id of a request', () => {
  it('is in its answer and in every line that is logged of it, and no value of its URL is', async () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    const logger = createLogger({ level: 'debug', name: 'test', destination });
    const app = await createTestApp({ store: fakeStore([bankRow()]), logger });
    const ask = (url: string) => app.inject({ url, headers: { 'x-request-id': 'mine-7' } });
    const answered = await ask('/v1/banks?symbol=sk-secret-value');
    // The fake store throws at what a test did not expect.
    const failed = await ask(`/v1/banks/${USDC_BANK}/limits`);
    await app.close();
    expect([answered.headers['x-request-id'], failed.headers['x-request-id']]).toEqual(['mine-7', 'mine-7']);
    const told = lines.filter(({ event }) => String(event).startsWith('rest.request.'));
    expect(told).toMatchObject([
      { event: 'rest.request.answer', request_id: 'mine-7', method: 'GET', route: '/v1/banks', status: 200 },
      { event: 'rest.request.fail', request_id: 'mine-7', route: '/v1/banks/:bank/limits' },
      { event: 'rest.request.answer', request_id: 'mine-7', status: 500 },
    ]);
    expect(JSON.stringify(lines)).not.toContain('sk-secret');
  });

  it('is made where the given one may harm who reads a log', async () => {
    const app = await createTestApp({ store: fakeStore([bankRow()]) });
    for (const bad of ['a b', 'x'.repeat(101), '"}']) {
      const { headers } = await app.inject({ url: '/v1/banks', headers: { 'x-request-id': bad } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    await app.close();
  });
});
