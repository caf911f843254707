import { Client } from 'pg';
import { openWorld, type World } from '../builds/open-world.ts';

/** As the goal has it. */
const BANKS = 120;
/** About the beat of the poller. */
const BEAT_MS = 5_000;

/**
 * A local chain, the service that indexes it, and an api of its own, with copies of the demo market's banks under other addresses in
 * the tables until there are 120, sampled whenever those are: what the api serves changes as it does anywhere.
 */
export async function openBanks(): Promise<World> {
  const world = await openWorld({ accounts: 0 });
  const client = new Client({ connectionString: world.connectionString });
  try {
    await client.connect();
    await untilSampled(world.baseUrl);
    await copyBanks(client);
    await copySamples(client);
    const beat = setInterval(() => void copySamples(client).catch(() => undefined), BEAT_MS);
    await untilServed(world.baseUrl);
    return {
      ...world,
      async stop() {
        clearInterval(beat);
        await client.end();
        await world.stop();
      },
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    await world.stop();
    throw error;
  }
}

/** An address of the same length that no bank has: the last letters say which copy it is. */
const COPY = `left(bank.address, 40) || lpad(translate(copy::text, '0', 'a'), length(bank.address) - 40, 'z')`;

async function copyBanks(client: Client): Promise<void> {
  await client.query(`
    create table bench_copy as
      select bank.address as original, ${COPY} as address
      from bank cross join generate_series(1, ${BANKS}) as copy
      order by copy, bank.address
      limit greatest(${BANKS} - (select count(*) from bank), 0)
  `);
  for (const [table, key] of [
    ['bank', 'address'],
    ['oracle_price', 'bank'],
  ] as const) {
    const names = await columnsOf(client, table, [key]);
    await client.query(`
      insert into ${table} (${key}, ${names.join(', ')})
      select bench_copy.address, ${names.map((name) => `original.${name}`).join(', ')}
      from bench_copy join ${table} as original on original.${key} = bench_copy.original
    `);
  }
  await client.query(`
    insert into rate_series (address, kind, venue, source)
    select bench_copy.address, kind, venue, source
    from bench_copy join rate_series on rate_series.address = bench_copy.original
  `);
}

/** The newest sample of each original for its copies, and the notice that a projector would give. */
async function copySamples(client: Client): Promise<void> {
  const names = await columnsOf(client, 'rate_sample', ['series']);
  await client.query(`
    insert into rate_sample (series, ${names.join(', ')})
    select copied.id, ${names.map((name) => `sample.${name}`).join(', ')}
    from bench_copy
    join rate_series as copied on copied.address = bench_copy.address
    join rate_series as original on original.address = bench_copy.original
    join lateral (
      select * from rate_sample where rate_sample.series = original.id order by time desc, slot desc limit 1
    ) as sample on true
    on conflict do nothing
  `);
  await client.query(`select pg_notify('projected', '{"topic":"rate.sampled.v1","keys":null}')`);
}

async function columnsOf(client: Client, table: string, without: readonly string[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and not column_name = any($2) order by ordinal_position`,
    [table, without],
  );
  return rows.map(({ name }) => name);
}

async function untilSampled(baseUrl: string): Promise<void> {
  await until(baseUrl, ({ banks, coverage }) => banks.length > 0 && coverage.complete);
}

async function untilServed(baseUrl: string): Promise<void> {
  await until(baseUrl, ({ banks }) => banks.length >= BANKS);
}

interface BanksReply {
  readonly banks: readonly unknown[];
  readonly coverage: { readonly complete: boolean };
}

async function until(baseUrl: string, holds: (reply: BanksReply) => boolean): Promise<void> {
  let last = '';
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await fetch(`${baseUrl}/v1/banks`);
    last = await response.text();
    if (response.status === 200 && holds(JSON.parse(last) as BanksReply)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, 250);
    await promise;
  }
  throw new Error(`The banks did not come: ${last.slice(0, 2_000)}`);
}
