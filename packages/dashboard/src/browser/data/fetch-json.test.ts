import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchJson } from './fetch-json.ts';

function answer(status: number, body: string): void {
  vi.stubGlobal('fetch', async () => new Response(body, { status }));
}

const ask = () => fetchJson('/v1/banks', new AbortController().signal);

describe('fetchJson', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('gives what was answered', async () => {
    answer(200, '{"banks":[]}');
    expect(await ask()).toEqual({ banks: [] });
  });

  it('fails with the words, the code and the patience of the service', async () => {
    answer(429, '{"error":"Too many","code":"RATE_LIMITED","retry_after_s":7}');
    await expect(ask()).rejects.toMatchObject({
      message: 'Too many',
      code: 'RATE_LIMITED',
      status: 429,
      retryAfterSeconds: 7,
    });
  });

  it('names the status where something between answered in its own way', async () => {
    answer(502, '<html>Bad gateway</html>');
    await expect(ask()).rejects.toMatchObject({ code: 'UNREADABLE', status: 502, message: /502/ });
  });

  it('says that nothing answered', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')));
    await expect(ask()).rejects.toMatchObject({ code: 'UNREACHABLE', status: 0 });
  });

  it('is no failure of the service when the page was left', async () => {
    const controller = new AbortController();
    vi.stubGlobal('fetch', () => {
      controller.abort();
      return Promise.reject(controller.signal.reason);
    });
    await expect(fetchJson('/v1/banks', controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
