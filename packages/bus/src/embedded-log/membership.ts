import type { Pool } from 'pg';
import type { GroupMember } from './assign-partitions.ts';

/** Channel that says a group changed: its name. */
export const GROUP_CHANNEL = 'lending_log_group';

/** What a member learns from its heartbeat. */
export interface GroupView {
  /** Members that are alive, itself included. */
  readonly members: readonly GroupMember[];
  /** Partition id → who reads it. */
  readonly claims: ReadonlyMap<number, bigint>;
}

/**
 * Enters a group as a new member.
 * @param sessionPid backend of the session whose end means that this member is gone
 * @returns null when that session is already over
 */
export async function joinGroup(
  pool: Pool,
  group: string,
  topics: readonly string[],
  sessionPid: number,
): Promise<bigint | null> {
  const { rows } = await pool.query<{ member: string }>(
    `insert into log_member (consumer_group, topics, session_pid, session_start)
     select $1, $2, pid, backend_start from pg_stat_activity where pid = $3
     returning member, pg_notify('${GROUP_CHANNEL}', $1::text)`,
    [group, topics, sessionPid],
  );
  return rows[0] === undefined ? null : BigInt(rows[0].member);
}

/**
 * Says that the member is alive, removes members that are not, and looks at the group.
 * @returns null when the member was itself removed: its partitions may be read by others
 */
export async function beatMember(
  pool: Pool,
  group: string,
  member: bigint,
  sessionTimeoutMs: number,
): Promise<GroupView | null> {
  await removeDeadMembers(pool, group, member, sessionTimeoutMs);
  const { rows } = await pool.query<{ member: string; topics: string[]; claimed: number[] }>({
    name: 'beat-member',
    text: `
      with beat as (
        update log_member set heartbeat_at = now() where consumer_group = $1 and member = $2
      )
      select m.member, m.topics,
        coalesce((select array_agg(c.partition_id) from log_claim c
          where c.consumer_group = m.consumer_group and c.member = m.member), '{}') as claimed
      from log_member m
      where m.consumer_group = $1`,
    values: [group, member],
  });
  const members = rows.map((row) => ({ member: BigInt(row.member), topics: row.topics }));
  if (!members.some((other) => other.member === member)) return null;
  const claims = new Map(rows.flatMap((row) => row.claimed.map((id) => [id, BigInt(row.member)] as const)));
  return { members, claims };
}

/**
 * A member is dead when it is silent for the session timeout, or when its database session is over: the latter shows at
 * once after a kill. A session of another role shows no start time; then its pid alone has to do.
 */
async function removeDeadMembers(pool: Pool, group: string, self: bigint, sessionTimeoutMs: number): Promise<void> {
  await pool.query({
    name: 'remove-dead-members',
    text: `
      with dead as (
        delete from log_member m
        where m.consumer_group = $1 and m.member <> $2
          and (m.heartbeat_at < now() - $3 * interval '1 millisecond'
            or not exists (
              select from pg_stat_activity a
              where a.pid = m.session_pid and coalesce(a.backend_start = m.session_start, true)))
        returning 1
      )
      select pg_notify('${GROUP_CHANNEL}', $1::text) where exists (select from dead)`,
    values: [group, self, sessionTimeoutMs],
  });
}

/** Takes the partitions that nobody reads. @returns ids of those that are now the member's */
export async function claimPartitions(
  pool: Pool,
  group: string,
  member: bigint,
  ids: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await pool.query<{ partition_id: number }>(
    `insert into log_claim (consumer_group, partition_id, member)
     select $1, id, $2 from unnest($3::int[]) as id
     on conflict do nothing
     returning partition_id`,
    [group, member, ids],
  );
  return rows.map((row) => row.partition_id);
}

/** Gives partitions back; whoever should read them is told. */
export async function releasePartitions(
  pool: Pool,
  group: string,
  member: bigint,
  ids: readonly number[],
): Promise<void> {
  await pool.query(
    `with released as (
       delete from log_claim where consumer_group = $1 and member = $2 and partition_id = any ($3::int[])
     )
     select pg_notify('${GROUP_CHANNEL}', $1::text)`,
    [group, member, ids],
  );
}

/** Leaves at once, with everything the member read. */
export async function leaveGroup(pool: Pool, group: string, member: bigint): Promise<void> {
  await pool.query(
    `with gone as (delete from log_member where consumer_group = $1 and member = $2)
     select pg_notify('${GROUP_CHANNEL}', $1::text)`,
    [group, member],
  );
}
