import {
  type Believed,
  believe,
  type Doubt,
  findImplausibleChange,
  findImpossible,
  type Sighting,
} from './judge-sample.ts';

/** So many readings in a row that go with each other are believed, however far they are from what was believed before. */
const BELIEVED_AFTER = 5;

export interface QuarantineOptions {
  /**
   * Milliseconds that have passed for us, from any beginning. Default: a steady clock, and the calendar for the time
   * that the machine slept.
   */
  readonly elapsedMs?: () => number;
}

/** What came of one sighting. */
export type Verdict =
  | {
      readonly kind: 'believed';
      /** It was doubted until now. */
      readonly hasSettled: boolean;
    }
  | {
      readonly kind: 'doubted';
      readonly doubt: Doubt;
      /** The one before of the same address was believed. */
      readonly isNew: boolean;
    };

/** Holds every sighting against what is believed of the same bank or reserve. */
export interface Quarantine {
  judge(address: string, sighting: Sighting): Verdict;
}

interface Timed<T> {
  readonly sighting: T;
  readonly seenAtMs: number;
}

interface Candidate extends Timed<Believed> {
  readonly count: number;
  readonly sinceMs: number;
  /** How long it has to stay, judged when it was first seen. */
  readonly staysMs: number;
}

/** Of one bank or reserve. */
interface Record {
  believed: Timed<Believed> | null;
  /** Doubted, and so far in a row consistent with each other; null where the last one was believed or impossible. */
  candidate: Candidate | null;
  isDoubted: boolean;
}

export function createQuarantine({ elapsedMs = ourElapsedMs() }: QuarantineOptions = {}): Quarantine {
  const records = new Map<string, Record>();

  function judge(record: Record, sighting: Sighting): Doubt | null {
    const seenAtMs = elapsedMs();
    const impossible = findImpossible(sighting);
    if (impossible !== null) {
      record.candidate = null;
      return impossible;
    }
    const doubt = doubtAfter(record.believed, sighting, seenAtMs);
    const { candidate } = record;
    if (doubt !== null) {
      const isConsistent = candidate !== null && doubtAfter(candidate, sighting, seenAtMs) === null;
      const before = isConsistent ? candidate : null;
      const { count, sinceMs, staysMs } = before ?? { count: 0, sinceMs: seenAtMs, staysMs: doubt.staysMs ?? 0 };
      record.candidate = { ...follow(before, sighting, seenAtMs), count: count + 1, sinceMs, staysMs };
      if (count + 1 < BELIEVED_AFTER || seenAtMs - sinceMs < staysMs) return doubt;
      record.believed = record.candidate;
    } else {
      record.believed = follow(record.believed, sighting, seenAtMs);
    }
    record.candidate = null;
    return null;
  }

  return {
    judge(address, sighting) {
      const record = records.get(address) ?? { believed: null, candidate: null, isDoubted: false };
      records.set(address, record);
      const wasDoubted = record.isDoubted;
      const doubt = judge(record, sighting);
      record.isDoubted = doubt !== null;
      return doubt === null
        ? { kind: 'believed', hasSettled: wasDoubted }
        : { kind: 'doubted', doubt, isNew: !wasDoubted };
    },
  };
}

function doubtAfter(before: Timed<Believed> | null, now: Sighting, seenAtMs: number): Doubt | null {
  return before === null ? null : findImplausibleChange(before.sighting, now, seenAtMs - before.seenAtMs);
}

function follow(before: Timed<Believed> | null, now: Sighting, seenAtMs: number): Timed<Believed> {
  return { sighting: believe(before?.sighting ?? null, now, seenAtMs - (before?.seenAtMs ?? 0)), seenAtMs };
}

/** A calendar that gets this far ahead of a steady clock between two looks was moved, or the machine slept; milliseconds. */
const SLEPT_MS = 5_000;

function ourElapsedMs(): () => number {
  let [steady, calendar] = [performance.now(), Date.now()];
  let total = 0;
  return () => {
    const [steadyNow, calendarNow] = [performance.now(), Date.now()];
    const [passed, byCalendar] = [steadyNow - steady, calendarNow - calendar];
    [steady, calendar] = [steadyNow, calendarNow];
    total += byCalendar - passed > SLEPT_MS ? byCalendar : passed;
    return total;
  };
}
