import { readFileSync } from 'node:fs';
import { createLogger } from '@lending/runtime';
import { type Heard, hear } from '@lending/testing';
import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { afterAll, describe, expect, it } from 'vitest';
import { LIVE_KINDS } from '#records/live-fields.ts';
import { ACCOUNT } from '../testing/account-rows.ts';
import { readGuidePage } from '../testing/guide-page.ts';
import { addVisitors } from '../visitors/add-visitors.ts';
import { streamRoutes } from './stream-routes.ts';
import { createLiveWorld } from './testing/live-world.ts';

const page = readFileSync(new URL('../../../../docs/guide/live.md', import.meta.url), 'utf8');
const guide = readGuidePage('live');
const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
const calls = blockOf('sh').trim().split('\n');

const heard: Heard[] = [];

const world = createLiveWorld();
const app = fastify();
addVisitors(app);
app.setSerializerCompiler(serializerCompiler);
const logger = createLogger({ level: 'silent', name: 'test' });
await app.register(streamRoutes, { hub: world.instance().hub, stallMs: 30_000, logger });
const base = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  for (const one of heard) one.leave();
  await app.close();
});

/** Does what the command line says, which has no option that is not read here. */
async function run(call: string, variables: Readonly<Record<string, string>>): Promise<Heard> {
  const filled = call.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? '');
  const [, header, url = ''] =
    /^curl -N (?:-H "Last-Event-ID: (\S+)" )?"http:\/\/localhost:8080(\S+)"$/.exec(filled) ?? [];
  const stream = await hear(base + url, header === undefined ? {} : { 'last-event-id': header });
  heard.push(stream);
  return stream;
}

describe('docs/guide/live.md', () => {
  it('shows calls that tell something', async () => {
    expect(calls).toHaveLength(3);
    const [state = '', account = '', resumed = ''] = calls;
    expect(new Set((await (await run(state, {})).take(4)).map(({ event }) => event))).toEqual(
      new Set(['rate', 'bank']),
    );
    const [health] = await (await run(account, { ACCOUNT })).take(1);
    expect(health).toMatchObject({ event: 'health', data: { account: ACCOUNT, from: null, to: 'healthy' } });
    const again = await run(resumed, { ACCOUNT, LAST_ID: health?.id ?? '' });
    expect(again.response.status).toBe(200);
    expect(await again.take(1, 200)).toEqual([]);
  });

  it('shows a page that reads what is told', async () => {
    const shown: string[] = [];
    const listeners = new Map<string, (event: { readonly data: string }) => void>();
    const opened: string[] = [];
    class EventSourceDouble {
      constructor(url: string) {
        opened.push(url);
      }
      addEventListener(kind: string, listener: (event: { readonly data: string }) => void): void {
        listeners.set(kind, listener);
      }
    }
    // What the page says is run as it stands.
    new Function('EventSource', 'account', 'show', blockOf('js'))(EventSourceDouble, ACCOUNT, (text: string) =>
      shown.push(text),
    );
    const stream = await hear(`${base}${opened[0]}`);
    heard.push(stream);
    for (const { event, data } of await stream.take(3)) listeners.get(event)?.({ data: JSON.stringify(data) });
    expect(shown.sort()).toEqual([
      expect.stringMatching(/^SOL: [\d.]+ %$/),
      expect.stringMatching(/^USDC: [\d.]+ %$/),
      expect.stringMatching(/^now → healthy, health ratio [\d.]+$/),
    ]);
  });

  it('names every argument and every event, and no other', async () => {
    expect(guide.namesUnder('What is told').sort()).toEqual([...LIVE_KINDS].sort());
    const reply = await app.inject('/v1/stream?no_such=1');
    const asked = guide.namesUnder('What can be asked for');
    expect(asked).toEqual(['rates', 'banks', 'health', 'activity', 'last_event_id']);
    for (const name of asked) expect(reply.payload).toContain(name);
  });
});
