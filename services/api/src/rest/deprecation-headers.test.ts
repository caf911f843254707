import fastify from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAnswerCall, type Recorder } from '#tools/answer-call.ts';
import { defineOperation } from '#tools/tool.ts';
import { addVisitors } from '../visitors/add-visitors.ts';
import { addOpenApi } from './openapi.ts';
import { operationRoutes } from './operation-routes.ts';

const NOBODY_RECORDS: Recorder = { assertConversation: async () => {}, record: async () => {} };
const made = {
  name: 'old',
  title: 'Old',
  description: 'Old.',
  rest: { method: 'GET' as const, path: '/v1/old' },
  input: z.strictObject({}),
  output: z.strictObject({ n: z.int() }),
  handle: async () => ({ n: 1 }),
};

async function appWith(deprecated?: { since: string; sunset: string; successor?: string }) {
  const app = fastify();
  app.setSerializerCompiler(serializerCompiler);
  addVisitors(app);
  await addOpenApi(app, '0.1.0');
  const operation = defineOperation({ ...made, ...(deprecated !== undefined && { deprecated }) });
  await app.register(operationRoutes, { operations: [operation], answerCall: createAnswerCall(NOBODY_RECORDS) });
  return app;
}

describe('an operation that will end', () => {
  it('says since when, until when and what takes its place, in every answer and in the description', async () => {
    const app = await appWith({ since: '2027-01-01', sunset: '2028-01-01T00:00:00Z', successor: '/v1/new' });
    for (const url of ['/v1/old', '/v1/old?unknown=1']) {
      expect((await app.inject(url)).headers).toMatchObject({
        deprecation: '@1798761600',
        sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
        link: '</v1/new>; rel="successor-version"',
      });
    }
    const { get } = (await app.inject('/v1/openapi.json')).json().paths['/v1/old'];
    expect(get).toMatchObject({ deprecated: true, 'x-sunset': '2028-01-01T00:00:00Z' });
    expect(get.responses[200].headers).toMatchObject({ Deprecation: {}, Sunset: {} });
    await app.close();
  });

  it('says nothing of it where it stays', async () => {
    const app = await appWith();
    expect((await app.inject('/v1/old')).headers).not.toHaveProperty('deprecation');
    const { get } = (await app.inject('/v1/openapi.json')).json().paths['/v1/old'];
    expect(get).not.toHaveProperty('deprecated');
    await app.close();
  });
});
