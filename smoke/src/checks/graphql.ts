import type { Check, World } from './check.ts';
import type { Findings } from './findings.ts';
import { type AsOf, freshnessFaults } from './freshness.ts';
import { readEvents } from './read-events.ts';

const WITHIN_MS = 30_000;
const AS_OF = 'asOf { slot ageSeconds stale source }';
const quoted = (text: string | undefined) => JSON.stringify(text ?? '11111111111111111111111111111111');
const accountOf = ({ candidates }: Findings) => candidates.flatMap(({ accounts }) => accounts)[0]?.address;

/** How each root field is asked. */
const QUERIES: Readonly<Record<string, (findings: Findings) => string>> = {
  bank: ({ banks }) =>
    `{ bank(address: ${quoted(banks[0]?.address)}) { address ${AS_OF} history(interval: _1h) { points { time } } } }`,
  banks: () => `{ banks(first: 100) { nodes { address venue } totalCount ${AS_OF} } }`,
  reserve: ({ reserves }) => `{ reserve(address: ${quoted(reserves[0]?.address)}) { address ${AS_OF} } }`,
  reserves: () => `{ reserves(first: 100) { nodes { address } ${AS_OF} } }`,
  strategies: () => `{ strategies(first: 5) { nodes { maxLeverage } ${AS_OF} } }`,
  account: (findings) => `{ account(address: ${quoted(accountOf(findings))}) { address } }`,
  accounts: () => '{ accounts(first: 5) { nodes { address } } }',
  balances: () => '{ balances(first: 5) { nodes { __typename } } }',
  activity: () => '{ activity(first: 5) { nodes { signature } } }',
  groupChanges: () => '{ groupChanges(first: 5) { nodes { id } } }',
  status: () => '{ status { ready banks } }',
};

const SUBSCRIPTIONS: Readonly<Record<string, (findings: Findings) => string>> = {
  rateSampled: () => 'subscription { rateSampled { address } }',
  bankChanged: () => 'subscription { bankChanged { __typename } }',
  healthChanged: (findings) =>
    `subscription { healthChanged(accounts: [${quoted(accountOf(findings))}]) { __typename } }`,
  activityRecorded: (findings) =>
    `subscription { activityRecorded(addresses: [${quoted(accountOf(findings))}]) { signature } }`,
};
/** Tells what happens from then on, which may be nothing. */
const MAY_BE_SILENT = 'activityRecorded';
const NEED_AN_ACCOUNT = ['account', 'healthChanged', MAY_BE_SILENT];

async function query<T>({ service }: World, text: string): Promise<T> {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  const { data, errors } = (await response.json()) as { data?: T; errors?: readonly { message: string }[] };
  if (errors !== undefined || data == null) throw new Error(errors?.[0]?.message ?? `it answers ${response.status}`);
  return data;
}

/** Every root field of GraphQL is asked; one that nobody wrote a query for is a fault. */
export const graphql: Check = {
  name: 'GraphQL answers every query and subscription',
  async run(world) {
    const { node, findings } = world;
    const { __schema: schema } = await query<{ __schema: Record<string, { fields: readonly { name: string }[] }> }>(
      world,
      '{ __schema { queryType { fields { name } } subscriptionType { fields { name } } } }',
    );
    const namesOf = (type: string) => schema[type]?.fields.map(({ name }) => name) ?? [];
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    const faults: string[] = [];
    const left: string[] = [];
    async function attempt(name: string, written: boolean, ask: () => Promise<readonly string[]>): Promise<void> {
      if (!written) faults.push(`nobody wrote down how ${name} is asked`);
      else if (NEED_AN_ACCOUNT.includes(name) && accountOf(findings) === undefined) left.push(name);
      else {
        findings.fields.add(name);
        faults.push(...(await ask().catch((error: Error) => [`${name}: ${error.message}`])));
      }
    }
    for (const name of namesOf('queryType')) {
      await attempt(name, name in QUERIES, async () => {
        const data = await query<Record<string, { asOf?: AsOf } | null>>(world, QUERIES[name]?.(findings) ?? '');
        const answer = data[name];
        if (answer == null) return [`${name} is null`];
        return answer.asOf === undefined ? [] : freshnessFaults(name, answer.asOf, slot);
      });
    }
    for (const name of namesOf('subscriptionType')) {
      await attempt(name, name in SUBSCRIPTIONS, async () => {
        const isSilent = name === MAY_BE_SILENT;
        const events = await readEvents(`${world.service.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
          body: JSON.stringify({ query: SUBSCRIPTIONS[name]?.(findings) }),
          count: 1,
          withinMs: isSilent ? 2_000 : WITHIN_MS,
        });
        const [first] = events as readonly { data: { errors?: readonly { message: string }[] } }[];
        if (first?.data.errors !== undefined) return [`${name}: ${first.data.errors[0]?.message}`];
        return first === undefined && !isSilent ? [`${name} tells nothing`] : [];
      });
    }
    return {
      faults,
      figures: { asked: findings.fields.size, ...(left.length > 0 && { without_an_account: left }) },
    };
  },
};
