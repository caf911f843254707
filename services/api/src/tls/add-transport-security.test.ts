import fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createProxyTrust } from '../visitors/trusted-proxies.ts';
import { addTransportSecurity } from './add-transport-security.ts';

const HEADER = 'strict-transport-security';
const PROXY = '10.0.0.1';

function createApp(): FastifyInstance {
  const app = fastify({ trustProxy: createProxyTrust([PROXY]) });
  addTransportSecurity(app);
  app.get('/', async () => 'answer');
  app.get('/hijacked', async (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/plain' }).end('answer');
  });
  return app;
}

const ask = async (remoteAddress: string, headers: Record<string, string>, url = '/') =>
  (await createApp().inject({ url, remoteAddress, headers: { host: 'lending.example', ...headers } })).headers[HEADER];

describe('addTransportSecurity', () => {
  it('says nothing over plain HTTP, whatever a stranger says of it', async () => {
    expect(await ask('10.0.0.2', {})).toBeUndefined();
    expect(await ask('10.0.0.2', { 'x-forwarded-proto': 'https' })).toBeUndefined();
    expect(await ask(PROXY, {})).toBeUndefined();
  });

  it('believes a proxy that was named, either way', async () => {
    expect(await ask(PROXY, { 'x-forwarded-proto': 'https' })).toBe('max-age=31536000');
    expect(await ask(PROXY, { 'x-forwarded-proto': 'HTTPS' })).toBe('max-age=31536000');
    expect(await ask(PROXY, { 'x-forwarded-proto': 'http' })).toBeUndefined();
    // What a client said of itself, the proxy added to.
    expect(await ask(PROXY, { 'x-forwarded-proto': 'https, http' })).toBeUndefined();
  });

  it('is in answers that are written by others', async () => {
    expect(await ask(PROXY, { 'x-forwarded-proto': 'https' }, '/hijacked')).toBe('max-age=31536000');
    expect(await ask(PROXY, { 'x-forwarded-proto': 'https' }, '/nowhere')).toBe('max-age=31536000');
  });

  it.each(['localhost', 'localhost:8080', 'api.localhost'])(
    'leaves alone what %s speaks at other ports',
    async (host) => {
      expect(await ask(PROXY, { 'x-forwarded-proto': 'https', host })).toBeUndefined();
    },
  );
});
