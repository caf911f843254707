import { describe, expect, it } from 'vitest';
import { issueToken, openConversation } from '../src/clients/issue-token.ts';
import { useDemo } from '../src/cluster/demo.ts';
import { eventually } from '../src/eventually.ts';
import { type DemoValues, readDemoValues } from '../src/fuzzer/demo-values.ts';
import { lintOpenApi } from '../src/fuzzer/lint-openapi.ts';
import { FUZZER_NEEDS, hasFuzzer, runFuzzer } from '../src/fuzzer/run-fuzzer.ts';
import { getJson } from '../src/http.ts';

/** Longer finds more: FUZZ_SECONDS=600 FUZZ_SEED=7 npm test -- lab/e2e/scenarios/openapi */
const { FUZZ_SECONDS, FUZZ_SEED: SEED } = process.env;
const SECONDS = FUZZ_SECONDS === undefined ? undefined : Number(FUZZ_SECONDS);
/** Cases of a run of a minute and more, and of the sample that is tried without it. */
const [LEAST, LEAST_OF_SAMPLE] = [1_000, 150];

/**
 * That the answer is none of ours to be ashamed of, and as described: its status, type, headers and body.
 *
 * Left out is what a description cannot say: an address is 32 bytes behind its letters, a cursor one of ours, and one field may forbid
 * another, so values that it allows are refused (`positive_data_acceptance`).
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
];

const PARAMETERS = {
  'path.bank': 'bank',
  'query.bank': 'bank',
  'path.reserve': 'reserve',
  'path.address': 'address',
  'path.account': 'account',
  'query.account': 'account',
  'query.authority': 'wallet',
  'path.signature': 'signature',
  'path.slug': 'slug',
  'path.id': 'conversation',
  'body.authority': 'wallet',
  'body.account': 'account',
  'body.bank': 'bank',
  'body.deposit_bank': 'bank',
  'body.borrow_bank': 'bank',
} as const;

const isSkipped = !hasFuzzer() && process.env.CI !== 'true';

describe('the description of the interface', () => {
  let values: DemoValues & { readonly slug: readonly string[]; readonly conversation: readonly string[] };
  let token: string;
  const demo = useDemo('openapi', { LOG_LEVEL: 'warn' }, async ({ url, dataDir }) => {
    token = await issueToken(dataDir, 'fuzzer');
    const { docs } = await getJson<{ docs: readonly { slug: string }[] }>(`${url}/v1/docs`);
    const found = await eventually(async () => {
      const known = await readDemoValues(dataDir);
      if (known.signature.length < 10 || known.account.length < 10) throw new Error('too little has happened yet');
      return known;
    });
    const conversation = await Promise.all(Array.from({ length: 10 }, () => openConversation(url, token)));
    values = { ...found, slug: docs.map(({ slug }) => slug), conversation };
  });

  it('[openapi-lint] has nothing that a linter of OpenAPI objects to', async () => {
    const document = await getJson<{ info: object }>(`${demo.url}/v1/openapi.json`);
    const [problems, spoiled] = await Promise.all([lintOpenApi(document), lintOpenApi({ ...document, info: {} })]);
    expect(problems).toEqual([]);
    expect(spoiled).not.toEqual([]);
  });

  describe.skipIf(isSkipped)(isSkipped ? `tried at random (${FUZZER_NEEDS})` : 'tried at random', () => {
    it(
      '[openapi-fuzz] is what every answer keeps to, whatever is asked',
      async () => {
        const report = await runFuzzer({
          url: `${demo.url}/v1/openapi.json`,
          dictionaries: { ...values },
          parameters: PARAMETERS,
          checks: CHECKS,
          // Every call is kept besides, and conversations answer.
          headers: { authorization: `Bearer ${token}` },
          seconds: SECONDS,
          seed: SEED,
        });
        expect(report.failures, `FUZZ_SEED=${report.seed}\n${report.printed}`).toEqual([]);
        expect(report.errors, report.printed).toEqual([]);
        const { total, tested, errored } = report.operations;
        expect({ tested, errored }).toEqual({ tested: total, errored: 0 });
        expect(report.test_cases.generated).toBeGreaterThan(SECONDS === undefined ? LEAST_OF_SAMPLE : LEAST);
      },
      ((SECONDS ?? 0) + 300) * 1_000,
    );
  });
});
