import type { ChainProgressRow, SourceRow, VenueBeatRow } from '@lending/store';
import type { ReadStore } from './read-store.ts';

/** What one process hears from. Null is unknown. */
export interface SourceStatus {
  readonly role: string;
  readonly instance: string;
  readonly kind: SourceRow['kind'];
  readonly host: string;
  readonly state: SourceRow['state'];
  readonly in_use: boolean;
  readonly newest_slot: number | null;
  readonly slots_behind: number | null;
  readonly last_answer_seconds: number | null;
  readonly error: string | null;
}

/** What every process hears from, and the newest slot that any of it showed. */
export interface SourceStatuses {
  readonly sources: readonly SourceStatus[];
  readonly bestSlot: bigint | null;
}

/** Processes tell every five seconds. */
const BELIEVED_MS = 30_000;

/**
 * What this process hears from, and what others told of theirs.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function readSourceStatuses(
  {
    store,
    ownSources,
  }: { readonly store: Pick<ReadStore, 'listSources'>; readonly ownSources: () => readonly SourceRow[] },
  slotUs: number | null,
): Promise<SourceStatuses> {
  const told = await store.listSources(BELIEVED_MS);
  const rows = [...ownSources(), ...told];
  const seen = rows.filter(({ slotAgeMs }) => slotAgeMs !== null && slotAgeMs <= BELIEVED_MS);
  const best = seen.reduce<SourceRow | null>(
    (most, row) => ((row.slot ?? 0n) > (most?.slot ?? -1n) ? row : most),
    null,
  );
  return {
    bestSlot: best?.slot ?? null,
    sources: rows.map((row) => ({
      role: row.role,
      instance: row.instance,
      kind: row.kind,
      host: row.host,
      state: row.state,
      in_use: row.inUse,
      newest_slot: row.slot === null ? null : Number(row.slot),
      slots_behind: slotsBehind(row, best, slotUs),
      last_answer_seconds: row.answerAgeMs === null ? null : Math.round(row.answerAgeMs / 100) / 10,
      error: row.error,
    })),
  };
}

/** How long a slot lasts, as whoever samples measured it last. */
export function slotMicros(beats: readonly VenueBeatRow[]): number | null {
  return beats.find(({ slot_us: us }) => us !== null)?.slot_us ?? null;
}

/**
 * How far one is behind the one that is furthest. They showed their slots at different moments: the chain's pace makes up for that, as
 * far as one showed its slot earlier. One that is not asked falls no further behind.
 */
function slotsBehind({ slot, slotAgeMs }: SourceRow, best: SourceRow | null, slotUs: number | null): number | null {
  if (slot === null || slotAgeMs === null || best?.slot == null || best.slotAgeMs === null) return null;
  const earlierMs = slotAgeMs - best.slotAgeMs;
  if (slotUs === null) return null;
  const between = Math.trunc((earlierMs * 1000) / slotUs);
  return Math.max(0, Number(best.slot - slot) - between);
}

/** The newest slot anybody knows of: what rates and accounts are held against. */
export function newestSlot(
  { bestSlot }: Pick<SourceStatuses, 'bestSlot'>,
  chain: ChainProgressRow | null,
): bigint | null {
  const tip = chain?.tip_slot ?? null;
  if (bestSlot === null || tip === null) return bestSlot ?? tip;
  return bestSlot > tip ? bestSlot : tip;
}
