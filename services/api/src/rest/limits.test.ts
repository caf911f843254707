import type { LimitChangeRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { bankLimitsReplySchema, reserveLimitsReplySchema } from '#records/limit-fields.ts';
import {
  bankRow,
  CHAIN_TIME_MS,
  KAMINO_BANK,
  KAMINO_RESERVE,
  kaminoRow,
  reserveRow,
  USDC_BANK,
} from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

/** Five changes of the deposit limit, an hour and a hundred slots apart: 1 token first, 5 tokens last. */
const changes = Array.from(
  { length: 5 },
  (_, index): LimitChangeRow => ({
    address: USDC_BANK,
    kind: 'bank',
    venue: 'p0',
    slot: 400_000_000n + BigInt(index) * 100n,
    time: new Date(CHAIN_TIME_MS + (index - 4) * 3_600_000),
    deposit_limit_base: `${index + 1}000000`,
    borrow_limit_base: index === 0 ? null : '500000',
    value_limit_usd: '1000',
  }),
).reverse();

const store = fakeStore([bankRow(), kaminoRow()], {
  listReserves: async () => [reserveRow()],
  listLimitChanges: async ({ address, limit, before = null }) =>
    changes
      .filter(({ slot }) => before === null || slot < before)
      .slice(0, limit)
      .map((change) => ({ ...change, address })),
});

async function get(path: string) {
  const app = await createTestApp({ store });
  const response = await app.inject(path);
  return { status: response.statusCode, body: response.json() };
}

const path = `/v1/banks/${USDC_BANK}/limits`;

describe('GET /v1/banks/{bank}/limits', () => {
  it('answers every change, newest first, and says which was only seen first', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    const { limits, count, next_cursor, deposit_limit_unit, as_of } = bankLimitsReplySchema.parse(body);
    expect(limits.map(({ deposit_limit }) => deposit_limit)).toEqual([5, 4, 3, 2, 1]);
    expect(limits.map(({ first_seen }) => first_seen)).toEqual([false, false, false, false, true]);
    expect(limits[4]).toEqual({
      time: '2026-11-21T06:00:00.000Z',
      slot: 400_000_000,
      first_seen: true,
      deposit_limit: 1,
      deposit_limit_raw: '1000000',
      borrow_limit: null,
      borrow_limit_raw: null,
      value_limit_usd: 1_000,
    });
    expect([count, next_cursor, deposit_limit_unit, as_of.stale]).toEqual([5, null, 'token', false]);
  });

  it('pages without loss or repeat', async () => {
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await get(`${path}?limit=2&cursor=${cursor}`);
      seen.push(...body.limits.map(({ deposit_limit }: { deposit_limit: number }) => deposit_limit));
      expect(body.limits.at(-1).first_seen).toBe(body.next_cursor === null);
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });

  it("counts the deposit limit of a bank on another venue in the venue's receipts", async () => {
    expect((await get(`/v1/banks/${KAMINO_BANK}/limits`)).body.deposit_limit_unit).toBe('receipt');
  });

  it('takes no cursor of another bank', async () => {
    const { next_cursor: cursor } = (await get(`${path}?limit=2`)).body;
    expect(await get(`/v1/banks/${KAMINO_BANK}/limits?cursor=${cursor}`)).toMatchObject({
      status: 400,
      body: { details: { field: 'cursor' } },
    });
  });

  it('knows no bank that is none', async () => {
    expect((await get(`/v1/banks/${KAMINO_RESERVE}/limits`)).body.code).toBe('BANK_NOT_FOUND');
  });
});

describe('GET /v1/reserves/{reserve}/limits', () => {
  it('is the same of a reserve, in tokens', async () => {
    const { body } = await get(`/v1/reserves/${KAMINO_RESERVE}/limits`);
    expect(reserveLimitsReplySchema.parse(body)).toMatchObject({
      reserve: KAMINO_RESERVE,
      venue: 'Kamino',
      deposit_limit_unit: 'token',
      count: 5,
    });
  });
});
