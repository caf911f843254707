/** How the age of answers went on, at each instance and at all of them. */
export interface Freshness {
  /**
   * @param beganMs when it was asked: what was answered before that is what it may not be behind.
   * @returns what is wrong, or null.
   */
  note(question: string, instance: string, slot: number, beganMs: number): string | null;
  /** Slots that an answer of one instance was behind an earlier one of another, at most. */
  readonly furthestBack: () => number;
}

interface Answered {
  readonly atMs: number;
  /** The newest slot up to then. */
  readonly slot: number;
}

/** An instance never goes back; of two, one may know a little less. */
export function createFreshness(mostSlotsBack: number): Freshness {
  const answered = new Map<string, Answered[]>();
  let furthest = 0;

  function knownBefore(subject: string, beganMs: number, slot: number): number {
    const all = answered.get(subject) ?? [];
    const before = all.findLast(({ atMs }) => atMs < beganMs)?.slot ?? 0;
    all.push({ atMs: performance.now(), slot: Math.max(slot, all.at(-1)?.slot ?? 0) });
    answered.set(subject, all);
    return before;
  }

  return {
    note(question, instance, slot, beganMs) {
      const own = `${question} at ${instance}`;
      const before = knownBefore(own, beganMs, slot);
      const anywhere = knownBefore(question, beganMs, slot);
      furthest = Math.max(furthest, anywhere - slot);
      if (slot < before) return `${own} went back from slot ${before} to ${slot}`;
      return anywhere - slot > mostSlotsBack ? `${own} answered slot ${slot} after another had ${anywhere}` : null;
    },
    furthestBack: () => furthest,
  };
}
