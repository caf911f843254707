import { readFileSync } from 'node:fs';
import { WIRE_CODES } from '@lending/errors';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { envelopeSchema } from '#records/envelope-fields.ts';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { createAccountsApp } from '../testing/accounts-app.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { buildOf, compiled, PROGRAM } from '../testing/fake-builds.ts';
import { wireTransaction } from '../testing/wire-transaction.ts';

const page = readFileSync(new URL('../../../../docs/guide/building.md', import.meta.url), 'utf8');

/** First cells of a section's tables, taken apart into the names in backticks. */
function namesUnder(heading: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''));
}

interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Every field of a schema that has none inside, with the way to it. */
function leavesOf(shape: Shape, path: string): string[] {
  const inner = shape.anyOf?.find(({ properties }) => properties !== undefined) ?? shape;
  if (inner.properties !== undefined) {
    const fields = Object.entries(inner.properties);
    return fields.flatMap(([name, field]) => leavesOf(field, path === '' ? name : `${path}.${name}`));
  }
  return inner.items?.properties === undefined ? [path] : leavesOf(inner.items, `${path}[]`);
}

let app: FastifyInstance;
beforeAll(async () => {
  const wire = new Uint8Array(Buffer.from(wireTransaction(PROGRAM), 'base64'));
  app = await createAccountsApp({
    accounts: [accountRow()],
    builders: { buildAction: async (request) => buildOf(request, { transactions: [compiled({ wire })] }) },
  });
});
afterAll(() => app.close());

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });

describe('docs/guide/building.md', () => {
  it('names every field of the envelope, and no other', () => {
    const groups = ['simulation.pre_health', 'simulation.post_health'];
    const known = leavesOf(z.toJSONSchema(envelopeSchema) as Shape, '');
    expect(new Set(namesUnder('The envelope').filter((name) => !/^[A-Z_]+$/.test(name)))).toEqual(
      new Set([...known, ...groups]),
    );
  });

  it('names every argument of the builders, and no other', async () => {
    const document = (await app.inject('/v1/openapi.json')).json();
    const bodies = ['create-account', 'deposit', 'withdraw', 'borrow', 'repay'].map(
      (kind) => document.paths[`/v1/tx/${kind}`].post.requestBody.content['application/json'].schema.properties,
    );
    expect(namesUnder('Arguments').sort()).toEqual([...new Set(bodies.flatMap(Object.keys))].sort());
  });

  it('names only codes that there are', () => {
    for (const code of namesUnder('Errors and what to do')) expect(Object.keys(WIRE_CODES)).toContain(code);
  });

  it('shows only calls that are answered', async () => {
    const deposit = { authority: WALLET, bank: SOL_BANK, amount: 1 };
    const { plan_id: planId } = (await post('/v1/tx/deposit', deposit)).json();
    const examples = [...page.matchAll(/^```json POST (\S+)\n([\s\S]*?)^```$/gm)];
    expect(examples.length).toBeGreaterThanOrEqual(4);
    for (const [, path = '', body = ''] of examples) {
      const response = await post(path, JSON.parse(body.replace('{plan_id}', planId)));
      expect(response.statusCode, `${path}: ${response.payload}`).toBe(200);
    }
  });
});
