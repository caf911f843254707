import type { FollowAspect } from '@lending/domain';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type Listener, type ListenOptions, listenChannel } from './listen-channel.ts';

const FOLLOWED_CHANNEL = 'followed';

/** How often asking again is written down. Idle follows lapse after many times this. */
const TOUCH_SECONDS = 30;

/** An address that somebody asked for, and what the indexer answered; `answered_slot` null: nothing yet. */
export interface FollowRow {
  readonly address: string;
  readonly aspect: FollowAspect;
  readonly followed_at: Date;
  readonly answered_slot: bigint | null;
  readonly answered_time: Date | null;
  /** The lending accounts it is, or owns. */
  readonly accounts: readonly string[] | null;
  readonly is_complete: boolean | null;
}

export interface FollowRequest {
  readonly address: string;
  readonly aspect: FollowAspect;
  /** A new one is refused when this many are followed already; several at once may be a few more. */
  readonly maxFollowed: number;
}

/** `new`: asked for now, and the indexer was told. `known`: followed already. `full`: refused, there are too many. */
export type FollowOutcome =
  | { readonly kind: 'new' | 'known'; readonly follow: FollowRow }
  | { readonly kind: 'full'; readonly follow: null };

const COLUMNS = sql.raw('address, aspect, followed_at, answered_slot, answered_time, accounts, is_complete');

/**
 * Asks the indexer to follow an address, and keeps it from lapsing where it is followed. One round trip where it is, else two.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function requestFollow(db: QueryExecutorProvider, request: FollowRequest): Promise<FollowOutcome> {
  const { address, aspect, maxFollowed } = request;
  const known = await touchFollow(db, address, aspect);
  if (known !== null) return { kind: 'known', follow: known };
  const { rows } = await sql<FollowRow>`
    with added as (
      insert into followed_address (address, aspect)
      select ${address}, ${aspect}
      where (select count(*) from followed_address) < ${maxFollowed}::bigint
      on conflict (address, aspect) do nothing
      returning ${COLUMNS}
    )
    select ${COLUMNS} from added
    cross join lateral (select pg_notify(${FOLLOWED_CHANNEL}, ${JSON.stringify({ address, aspect })})) as told
  `.execute(db);
  const [added] = rows;
  if (added !== undefined) return { kind: 'new', follow: added };
  const meanwhile = await readFollow(db, address, aspect);
  return meanwhile === null ? { kind: 'full', follow: null } : { kind: 'known', follow: meanwhile };
}

async function touchFollow(
  db: QueryExecutorProvider,
  address: string,
  aspect: FollowAspect,
): Promise<FollowRow | null> {
  const { rows } = await sql<FollowRow>`
    with touched as (
      update followed_address set asked_at = now()
      where address = ${address} and aspect = ${aspect}
        and asked_at < now() - make_interval(secs => ${sql.lit(TOUCH_SECONDS)})
    )
    select ${COLUMNS} from followed_address where address = ${address} and aspect = ${aspect}
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * An address as it is followed; null when it is not.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readFollow(
  db: QueryExecutorProvider,
  address: string,
  aspect: FollowAspect,
): Promise<FollowRow | null> {
  const { rows } = await sql<FollowRow>`
    select ${COLUMNS} from followed_address where address = ${address} and aspect = ${aspect}
  `.execute(db);
  return rows[0] ?? null;
}

/**
 * Everything that is followed, oldest first.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function listFollowedAddresses(db: QueryExecutorProvider): Promise<readonly FollowRow[]> {
  const { rows } = await sql<FollowRow>`
    select ${COLUMNS} from followed_address order by followed_at, address, aspect
  `.execute(db);
  return rows;
}

/** What is followed is an address and what is asked of it. */
export interface FollowedNotice {
  readonly address: string;
  readonly aspect: FollowAspect;
}

/**
 * Forgets what nobody asked for in a while.
 * @returns what is not followed any more.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function dropIdleFollows(db: QueryExecutorProvider, idleMs: number): Promise<readonly FollowedNotice[]> {
  const { rows } = await sql<FollowedNotice>`
    -- In the order in which everybody else locks several.
    with idle as (
      select address, aspect from followed_address
      where asked_at < now() - make_interval(secs => ${idleMs}::float8 / 1000)
      order by address, aspect
      for update
    )
    delete from followed_address using idle
    where followed_address.address = idle.address and followed_address.aspect = idle.aspect
    returning followed_address.address, followed_address.aspect
  `.execute(db);
  return rows;
}

export interface ListenFollowedOptions extends Omit<ListenOptions, 'channel' | 'onNotice'> {
  readonly onFollowed: (notice: FollowedNotice) => void;
}

/** Hears of addresses that somebody newly asks for. What was asked for before, or while not listening, is in `listFollowedAddresses`. */
export function listenFollowed({ onFollowed, ...options }: ListenFollowedOptions): Listener {
  return listenChannel({
    ...options,
    channel: FOLLOWED_CHANNEL,
    onNotice: (notice) => onFollowed(notice as FollowedNotice),
  });
}
