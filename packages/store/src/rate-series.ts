import type { Venue } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Whose samples they are: a bank or a reserve, by its address. */
export interface SeriesSubject {
  readonly bank: string;
  readonly kind: 'bank' | 'reserve';
  readonly venue: Venue;
  readonly source: 'chain' | 'localnet';
}

/**
 * The numbers by which samples name their banks and reserves; one that has none yet gets one. Asked anew for every batch: a number
 * that was remembered could be of a transaction that was rolled back.
 */
export async function resolveSeries(
  transaction: Transaction,
  subjects: readonly SeriesSubject[],
): Promise<ReadonlyMap<string, number>> {
  const byAddress = new Map(subjects.map((subject) => [subject.bank, subject]));
  // In order of the addresses, so that two transactions that add the same ones never wait for each other in a ring.
  const addresses = [...byAddress.keys()].sort();
  const known = await readSeries(transaction, addresses);
  const missing = addresses.filter((address) => !known.has(address)).map((address) => subjectOf(byAddress, address));
  if (missing.length === 0) return known;
  const column = <K extends keyof SeriesSubject>(name: K): SeriesSubject[K][] =>
    missing.map((subject) => subject[name]);
  await sql`
    insert into rate_series (address, kind, venue, source)
    select * from unnest(
      ${column('bank')}::text[],
      ${column('kind')}::text[],
      ${column('venue')}::text[],
      ${column('source')}::text[]
    )
    on conflict (address) do nothing
  `.execute(transaction);
  return await readSeries(transaction, addresses);
}

async function readSeries(transaction: Transaction, addresses: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; address: string }>`
    select id, address from rate_series where address = any(${[...addresses]}::text[])
  `.execute(transaction);
  return new Map(rows.map(({ id, address }) => [address, id]));
}

function subjectOf(byAddress: ReadonlyMap<string, SeriesSubject>, address: string): SeriesSubject {
  const subject = byAddress.get(address);
  if (subject === undefined) throw new LendingError('STORE__ROW_INVALID', { message: `${address} is of no sample` });
  return subject;
}
