import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, WIRE_CODES, type WireCode } from '@lending/errors';
import { ROOT, useDatabase } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVOCATIONS } from '../src/error-codes/provocations.ts';
import { askMcp, askRest, type Refused } from '../src/error-codes/provoked.ts';
import { openTwoDoors, type TwoDoors } from '../src/error-codes/two-doors.ts';

/** No operation of MCP answers so: what is not there is a path of its door. */
const OF_PATHS: WireCode = 'NOT_FOUND';
/** What no source throws yet; once one does, it needs a case. */
const UNSPOKEN: readonly WireCode[] = ['UNAUTHENTICATED'];
/** Limits are not for a suite that asks so much. */
const LIMITS: WireCode = 'RATE_LIMITED';

/** What to do next, in words that every error but the service's own failure has. */
const ADVICE = /\b(call|pass|lower|choose|correct|change|wait|fund|repay|close|reduce|try again|make the same call)\b/i;

const database = useDatabase();
let doors: TwoDoors;

beforeAll(async () => {
  // Long plans are not to fit.
  doors = await openTwoDoors(database.db, { hasTables: false });
}, 120_000);

afterAll(async () => {
  await doors?.stop();
});

describe('[error-codes] every code over both doors', () => {
  it('has a case for every code that there is', () => {
    const cased = new Set<string>([...PROVOCATIONS.map(({ code }) => code), OF_PATHS, LIMITS]);
    expect(Object.keys(WIRE_CODES).filter((code) => !cased.has(code))).toEqual(UNSPOKEN);
  });

  it('leaves out what no source throws', () => {
    const sources = globSync('{services,packages}/*/src/**/*.ts', { cwd: ROOT })
      .filter((path) => !path.startsWith('packages/errors/') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(ROOT, path), 'utf8'));
    const unspoken: readonly string[] = UNSPOKEN;
    const codes = Object.entries(ERRORS).filter(([, entry]) => 'wire' in entry && unspoken.includes(entry.wire));
    expect(codes).toHaveLength(UNSPOKEN.length);
    expect(codes.filter(([code]) => sources.some((text) => text.includes(code)))).toEqual([]);
  });

  it.each(PROVOCATIONS.map((each) => [each.code, each.name, each] as const))(
    '%s: %s',
    async (code, _name, provoked) => {
      const { restore, ...asked } = await provoked.arrange(doors);
      try {
        const rest = await askRest(doors, asked);
        expectRefused(rest, code);
        expect(rest.status).toBe(WIRE_CODES[code].status);
        expect(Object.keys(rest.body.details ?? {})).toEqual(expect.arrayContaining([...(provoked.details ?? [])]));
        const mcp = await askMcp(doors, asked);
        expectRefused(mcp, code);
        expect(withoutWords(mcp)).toEqual(withoutWords(rest));
      } finally {
        restore?.();
        doors.world.settle();
      }
    },
  );

  it('NOT_FOUND: a path that neither door has', async () => {
    const rest = await askRest(doors, { tool: '', method: 'GET', path: '/v1/nothing', args: {} });
    expectRefused(rest, 'NOT_FOUND');
    expect(rest.status).toBe(404);
    const lost = new Client({ name: 'lost', version: '1' });
    const connecting = lost.connect(new StreamableHTTPClientTransport(new URL(`${doors.url}/mcp/nothing`)));
    await expect(connecting).rejects.toThrow('"code":"NOT_FOUND"');
  });
});

function expectRefused({ body }: Refused, code: WireCode): void {
  expect(body.code, JSON.stringify(body)).toBe(code);
  expect(body.error).toMatch(code === 'INTERNAL' ? /operator/ : ADVICE);
  expect(body.details).toBeTypeOf('object');
  expect(body.docs).toBe(`svc://errors/${code}`);
  const { retry } = WIRE_CODES[code];
  if (retry === 'varies') expect(body.retryable).toBeTypeOf('boolean');
  else expect(body.retryable).toBe(retry === 'backoff');
}

/** The chain stands still, so all figures are the same; the words name the call to make next, which is another at each door. */
function withoutWords({ body: { error: _, ...rest } }: Refused) {
  return rest;
}
