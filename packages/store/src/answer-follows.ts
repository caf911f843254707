import type { FollowAspect } from '@lending/domain';
import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { newestByKey } from './newest-by-key.ts';

/** The chain was read for a followed address at a slot. `slotTime` is an ISO-8601 instant. */
export interface FollowAnswer {
  readonly address: string;
  readonly aspect: FollowAspect;
  /** The lending accounts it is, or owns. */
  readonly accounts: readonly string[];
  readonly isComplete: boolean;
  readonly slot: bigint;
  readonly slotTime: string;
}

/** Notes the answers of those that are still followed. An older answer than the one known changes nothing. */
export async function answerFollows(transaction: Transaction, answers: readonly FollowAnswer[]): Promise<void> {
  const rows = newestByKey(answers, ({ address, aspect }) => `${address} ${aspect}`);
  if (rows.length === 0) return;
  const column = <K extends keyof FollowAnswer>(name: K): FollowAnswer[K][] => rows.map((row) => row[name]);
  await sql`
    with seen as (
      select *
      from unnest(
        ${column('address')}::text[],
        ${column('aspect')}::text[],
        ${column('accounts').map((accounts) => JSON.stringify(accounts))}::jsonb[],
        ${column('isComplete')}::boolean[],
        ${column('slot')}::bigint[],
        ${column('slotTime')}::timestamptz[]
      ) as seen (address, aspect, accounts, is_complete, slot, slot_time)
    ),
    -- In the order in which everybody else locks several.
    known as (
      select followed.address, followed.aspect
      from followed_address as followed
      join seen using (address, aspect)
      where followed.answered_slot is null or followed.answered_slot <= seen.slot
      order by followed.address, followed.aspect
      for update of followed
    )
    update followed_address as followed set
      answered_slot = seen.slot,
      answered_time = seen.slot_time,
      accounts = array(select jsonb_array_elements_text(seen.accounts)),
      is_complete = seen.is_complete
    from seen join known using (address, aspect)
    where followed.address = seen.address and followed.aspect = seen.aspect
  `.execute(transaction);
}
