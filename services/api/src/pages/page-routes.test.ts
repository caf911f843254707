import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
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
