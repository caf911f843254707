import type {
  WireAccountsReply,
  WireActivityReply,
  WireBankReply,
  WireBanksReply,
  WireHealthReply,
  WireHistoryReply,
  WireLimitsReply,
  WireListedBank,
  WireLiveBank,
  WireLiveHealth,
  WireLiveRate,
  WireStatus,
  WireStrategiesReply,
  WireStrategy,
} from '@lending/dashboard/wire';
import fastify from 'fastify';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { Activity, ActivityReply } from '#records/activity-fields.ts';
import type { Bank, BankHistory } from '#records/bank-fields.ts';
import type { HealthReply } from '#records/health-fields.ts';
import type { historyReplySchema } from '#records/history-fields.ts';
import type { bankLimitsReplySchema } from '#records/limit-fields.ts';
import type { LiveRecords } from '#records/live-fields.ts';
import type { Account, PositionsReply } from '#records/position-fields.ts';
import type { AsOf, Warning } from '#records/reply-fields.ts';
import type { StrategyRecord } from '#records/strategy-fields.ts';
import type { getBanksOutput } from '#tools/get-banks.ts';
import type { statusSchema } from '#tools/get-status.ts';
import type { getStrategiesOutput } from '#tools/get-strategies.ts';
import { addErrorHandlers } from '../rest/error-handlers.ts';
import { pageRoutes } from './page-routes.ts';

async function pagesApp() {
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true } });
  addErrorHandlers(app, { logger: { error: () => {} } as never, bodyLimitBytes: 1_000 });
  await app.register(pageRoutes);
  return app;
}

describe('pageRoutes', () => {
  it('answers every page path with the pages', async () => {
    const app = await pagesApp();
    for (const url of [
      '/',
      '/banks/anything',
      '/strategies?order=score',
      '/accounts',
      '/accounts/x',
      '/pipeline',
      '/pipeline/',
    ]) {
      const reply = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
      expect([url, reply.statusCode, reply.headers['content-encoding']]).toEqual([url, 200, 'br']);
      expect(reply.headers['content-type']).toContain('text/html');
    }
  });

  it('leaves other paths the errors of the wire', async () => {
    const app = await pagesApp();
    for (const url of ['/bank', '/banks', '/banks/a/b', '/v2/banks', '/assets/../package.json', '/assets/none.js']) {
      const reply = await app.inject({ url });
      expect([url, reply.statusCode, reply.json().code]).toEqual([url, 404, 'NOT_FOUND']);
    }
  });

  it('answers 304 without a body to who has the page', async () => {
    const app = await pagesApp();
    const { headers } = await app.inject({ url: '/' });
    const reply = await app.inject({ url: '/strategies', headers: { 'if-none-match': String(headers.etag) } });
    expect([reply.statusCode, reply.body]).toEqual([304, '']);
    const head = await app.inject({ method: 'HEAD', url: '/', headers: { 'if-none-match': String(headers.etag) } });
    expect([head.statusCode, head.body]).toEqual([304, '']);
    expect(reply.headers['content-security-policy']).toBe(headers['content-security-policy']);
  });

  it('serves what the page names', async () => {
    const app = await pagesApp();
    const { body } = await app.inject({ url: '/' });
    const urls = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, url]) => url as string);
    for (const url of new Set(urls)) {
      expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 200]);
    }
  });
});

/** The pages ask without `fields` and in detail, so that rows come whole: `Listed…` is what other questions may be answered with. */
type Whole<Reply, Rows extends object> = Omit<Reply, keyof Rows> & Rows;

describe('what the pages read of answers', () => {
  it('is what strategies have', () => {
    expectTypeOf<StrategyRecord>().toExtend<WireStrategy>();
    expectTypeOf<
      Whole<z.infer<typeof getStrategiesOutput>, { strategies: StrategyRecord[] }>
    >().toExtend<WireStrategiesReply>();
  });

  it('is what banks have, with their history and limits', () => {
    type WithHistory = Bank & { history: BankHistory };
    expectTypeOf<WithHistory>().toExtend<WireListedBank>();
    expectTypeOf<Whole<z.infer<typeof getBanksOutput>, { banks: WithHistory[] }>>().toExtend<WireBanksReply>();
    expectTypeOf<Bank & { as_of: AsOf; warnings: Warning[] }>().toExtend<WireBankReply>();
    expectTypeOf<z.infer<typeof historyReplySchema>>().toExtend<WireHistoryReply>();
    expectTypeOf<z.infer<typeof bankLimitsReplySchema>>().toExtend<WireLimitsReply>();
    expectTypeOf<LiveRecords['rate']>().toExtend<WireLiveRate>();
    expectTypeOf<LiveRecords['bank']>().toExtend<WireLiveBank>();
  });

  it('is what accounts, their health and their activity have', () => {
    type Detailed = Omit<Account, 'health'> & { health: LiveRecords['health']['health'] };
    expectTypeOf<Whole<PositionsReply, { accounts: Detailed[] }>>().toExtend<WireAccountsReply>();
    expectTypeOf<HealthReply>().toExtend<WireHealthReply>();
    expectTypeOf<Whole<ActivityReply, { activity?: Activity[] | undefined }>>().toExtend<WireActivityReply>();
    expectTypeOf<LiveRecords['health']>().toExtend<WireLiveHealth>();
  });

  it('is what the status has', () => {
    expectTypeOf<z.infer<typeof statusSchema>>().toExtend<WireStatus>();
  });
});
