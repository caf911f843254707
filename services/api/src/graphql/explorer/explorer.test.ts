import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { ask, createGraphqlApp } from '../testing/ask.ts';
import { WELCOME_QUERY } from './welcome-query.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('the explorer', async () => {
  const app = await createGraphqlApp();
  afterAll(() => app.close());

  const open = (headers: Readonly<Record<string, string>> = {}) =>
    app.inject({ url: '/graphql', headers: { accept: BROWSER, ...headers } });

  it('is what browsers get at /graphql, and nobody else', async () => {
    const page = await open({ 'accept-encoding': 'gzip, br' });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      vary: 'accept, accept-encoding',
    });
    expect(gunzipSync(page.rawPayload).toString()).toContain('<title>Lending GraphQL</title>');
    const answer = await app.inject({ url: '/graphql?query={__typename}', headers: { accept: '*/*' } });
    expect(answer.json()).toEqual({ data: { __typename: 'Query' } });
  });

  it('loads nothing from another host, and its policy lets it not', async () => {
    const page = await open();
    expect(page.headers['content-encoding']).toBeUndefined();
    const markup = page.payload.replace(/<script>[\s\S]*<\/script>/, '').replace(/<style>[\s\S]*?<\/style>/, '');
    expect(markup.replaceAll(/"data:[^"]*"/g, '').length).toBeLessThan(1_000);
    expect(markup).not.toMatch(/(?:src|href)="(?!data:)/);
    const [styles = ''] = /<style>[\s\S]*?<\/style>/.exec(page.payload) ?? [];
    const loaded = [...styles.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)/g)].map(
      ([, url, at]) => url ?? at,
    );
    expect(loaded.filter((url) => !/^(data:|#)/.test(url ?? ''))).toEqual([]);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    expect(policy).toContain("default-src 'none'");
  });

  it('is sent once to a browser that keeps it', async () => {
    const { headers } = await open();
    const again = await open({ 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  });

  it('is not compressed for who refuses that', async () => {
    const page = await open({ 'accept-encoding': 'gzip;q=0' });
    expect(page.headers['content-encoding']).toBeUndefined();
    expect(page.payload).toContain('</html>');
  });

  it('begins with a query that is answered', async () => {
    const { data, errors } = await ask(app, WELCOME_QUERY);
    expect(errors).toEqual([]);
    expect(data.banks.totalCount).toBe(3);
  });
});
