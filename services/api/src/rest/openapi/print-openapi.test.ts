import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { WIRE_CODES, type WireCode } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { wireErrorSchema } from '#tools/wire-error-schema.ts';
import { bankRow } from '../../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../../testing/test-app.ts';
import { createRestOperations, createTools, type OperationDeps } from '../../tools/registry.ts';
import { answerExample } from './answer-examples.ts';
import { errorExample } from './error-examples.ts';
import { printOpenApi } from './print-openapi.ts';
import { breaksBetween } from './testing/breaks-between.ts';

const PACKAGE = new URL('../../../', import.meta.url);
const kept = readFileSync(new URL('openapi.json', PACKAGE), 'utf8');
const document = JSON.parse(kept);

/** Corrected before the first release, decision 0045: what the wallet does was named as a tool. The first release ends the exception. */
const CORRECTED = /\.next_actions\[\]\.tool is gone$/;

const printed = await printOpenApi(document.info.version);

describe('openapi.json', () => {
  it('is the description: npm run schema:openapi writes it anew', () => {
    expect(printed === kept, 'run: npm run schema:openapi').toBe(true);
  });

  it('is what /v1/openapi.json answers', async () => {
    const app = await createTestApp({ store: fakeStore([bankRow()]) });
    expect((await app.inject('/v1/openapi.json')).json()).toEqual(document);
    await app.close();
  });

  it.each(promised())('changed only by addition since %s', (revision) => {
    const breaks = breaksBetween(keptAt(revision), JSON.parse(printed));
    expect(breaks.filter((each) => !CORRECTED.test(each))).toEqual([]);
  });

  it('shows an answer of every operation, as its schema has it', () => {
    const unused = new Proxy({}, { get: () => unused }) as never;
    const deps: OperationDeps = { reads: unused, builders: unused, guide: unused };
    for (const { name, output, otherMediaTypes = [] } of [...createTools(deps), ...createRestOperations(deps)]) {
      const example = answerExample(name, 'application/json');
      expect(output.safeParse(example).error, `${name}: npm run schema:openapi -- --record URL TOKEN`).toBeUndefined();
      for (const type of otherMediaTypes) expect(answerExample(name, type), `${name} ${type}`).toContain(',');
    }
  });

  it('leaves no answer without an example, but what a stream goes on with', () => {
    const paths = Object.entries<Record<string, { responses: Record<string, { content?: Record<string, object> }> }>>(
      document.paths,
    );
    const answers = paths.flatMap(([path, item]) =>
      Object.values(item).flatMap(({ responses }) =>
        Object.entries(responses)
          .filter(([status]) => status < '300')
          .flatMap(([, { content = {} }]) => Object.entries(content).map(([type, media]) => ({ path, type, media }))),
      ),
    );
    const bare = answers.filter(({ media }) => !('example' in media)).map(({ path, type }) => `${path} ${type}`);
    expect(bare).toEqual(['/v1/stream text/event-stream']);
  });

  it.each(Object.keys(WIRE_CODES) as WireCode[])('shows what %s says', (code) => {
    expect(wireErrorSchema.parse(errorExample(code)).code).toBe(code);
  });

  it('says of every operation how it can fail on the way, and where to find the limits that are left', () => {
    const operations = Object.values<Record<string, { responses: Record<string, { headers?: object }> }>>(
      document.paths,
    );
    for (const { responses } of operations.flatMap((item) => Object.values(item))) {
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '401', '404', '429', '500', '503']));
      const [, good] = Object.entries(responses).find(([status]) => status < '300') ?? [];
      expect(good?.headers).toMatchObject({ 'x-request-id': {}, RateLimit: {} });
    }
  });
});

/** The last release, which callers rely on for good, and the commit before this one, which a release may come to be. */
function promised(): readonly string[] {
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*')?.trim();
  return [...(release === undefined ? [] : [release]), 'HEAD^'];
}

/** As it was kept then; where there was none yet, as it is now. */
function keptAt(revision: string) {
  const text = git('show', `${revision}:./openapi.json`);
  return text === null ? document : JSON.parse(text);
}

/** Null where git has nothing of the kind, or is not there. */
function git(...args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, { cwd: PACKAGE, encoding: 'utf8', maxBuffer: 1 << 26, stdio: 'pipe' });
  } catch {
    return null;
  }
}
