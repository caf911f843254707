import type { AddressInfo } from 'node:net';
import { type Audit, serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGraphqlApp } from './testing/ask.ts';

/** The suite of the people who write GraphQL over HTTP, over a socket. */
describe('GraphQL over HTTP', async () => {
  const app = await createGraphqlApp();
  let url = '';
  beforeAll(async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
  });
  afterAll(() => app.close());

  const audits: readonly Audit[] = serverAudits({ url: () => url });

  it('has all its audits', () => {
    expect(audits.length).toBeGreaterThanOrEqual(61);
  });

  it.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('%s %s', async (_id, _name, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? result : { ...result, response: undefined }).toMatchObject({ status: 'ok' });
  });
});
