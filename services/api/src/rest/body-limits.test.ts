import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp, fakeStore } from '../testing/test-app.ts';

const MAX_BODY_BYTES = 10_000;

const app = await createTestApp({ store: fakeStore([]), maxBodyBytes: MAX_BODY_BYTES });
afterAll(() => app.close());

describe('a body', () => {
  it.each(['/v1/tx/deposit', '/v1/tx/simulate', '/v1/conversations', '/graphql', '/mcp'])(
    'takes no body above the limit at %s',
    async (url) => {
      const ask = (length: number) =>
        app.inject({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          payload: `{"a":"${'a'.repeat(length - 8)}"}`,
        });
      const [short, long] = [await ask(MAX_BODY_BYTES), await ask(MAX_BODY_BYTES + 1)];
      expect(long.statusCode).toBe(413);
      expect(long.payload).toMatch(/too large|exceeds/i);
      expect(short.payload).not.toMatch(/too large|exceeds/i);
    },
  );
});
