import { WIRE_CODES } from '@lending/errors';
import { SWAP_FAILURES, SWAP_REFUSALS } from '@lending/transactions';
import { afterAll, describe, expect, it } from 'vitest';
import { actionEnvelopeSchema, leverageEnvelopeSchema } from '#records/envelope-fields.ts';
import { accountRow, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { buildOf, compiled, PROGRAM } from '../testing/fake-builds.ts';
import { fieldsOf, readGuidePage } from '../testing/guide-page.ts';
import { createAccountsApp } from '../testing/test-app.ts';
import { wireTransaction } from '../testing/wire-transaction.ts';

const building = readGuidePage('building');
const leverage = readGuidePage('leverage');

const wire = new Uint8Array(Buffer.from(wireTransaction(PROGRAM), 'base64'));
const app = await createAccountsApp({
  accounts: [accountRow()],
  builders: { buildAction: async (request) => buildOf(request, { transactions: [compiled({ wire })] }) },
});
afterAll(() => app.close());

const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload });

async function argumentsOf(kinds: readonly string[]): Promise<Set<string>> {
  const document = (await app.inject('/v1/openapi.json')).json();
  const bodies = kinds.map(
    (kind) => document.paths[`/v1/tx/${kind}`].post.requestBody.content['application/json'].schema.properties,
  );
  return new Set(bodies.flatMap(Object.keys));
}
const SINGLE = ['create-account', 'deposit', 'withdraw', 'borrow', 'repay'];

describe('docs/guide/building.md', () => {
  it('names every field of the envelope, and no other', () => {
    const groups = ['simulation.pre_health', 'simulation.post_health'];
    const named = building.namesUnder('The envelope').filter((name) => !/^[A-Z_]+$/.test(name));
    expect(new Set(named)).toEqual(new Set([...fieldsOf(actionEnvelopeSchema), ...groups]));
  });

  it('names every argument of the builders, and no other', async () => {
    expect(new Set(building.namesUnder('Arguments'))).toEqual(await argumentsOf(SINGLE));
  });
});

describe('docs/guide/leverage.md', () => {
  it('names every field that leverage adds to the envelope, and no other', () => {
    const groups = ['swap', 'swaps', 'simulation.position'];
    const known = new Set(fieldsOf(actionEnvelopeSchema));
    // Those of several swaps are those of one.
    const isNew = (field: string) => !known.has(field) && !field.startsWith('swaps[].');
    const added = fieldsOf(leverageEnvelopeSchema).filter(isNew);
    expect(new Set(leverage.namesUnder('What the envelope adds'))).toEqual(new Set([...added, ...groups]));
  });

  it('says what every reason for not taking an offer means, and no other', () => {
    expect(leverage.namesUnder('Swaps').sort()).toEqual([...SWAP_FAILURES, ...SWAP_REFUSALS].sort());
  });

  it('names every argument of the two that the other page does not explain, and no other', async () => {
    const shared = ['authority', 'account', 'policy', 'priority_fee', 'transaction_version', 'preview_only'];
    const taken = await argumentsOf(['loop', 'close-position']);
    const named = [...leverage.namesUnder('Arguments'), ...shared, 'idempotency_key'];
    expect(named.sort()).toEqual([...taken].sort());
  });
});

describe.each([
  ['building', building],
  ['leverage', leverage],
])('docs/guide/%s.md', (_name, page) => {
  it('names only codes that there are', () => {
    const codes = page.namesUnder('Errors and what to do');
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(Object.keys(WIRE_CODES)).toContain(code);
  });

  it('shows only calls that are answered', async () => {
    const { plan_id: planId } = (await post('/v1/tx/deposit', { authority: WALLET, bank: SOL_BANK, amount: 1 })).json();
    expect(page.examples.length).toBeGreaterThanOrEqual(4);
    for (const { path, body } of page.examples) {
      const response = await post(path, JSON.parse(body.replace('{plan_id}', planId)));
      expect(response.statusCode, `${path}: ${response.payload}`).toBe(200);
    }
  });
});
