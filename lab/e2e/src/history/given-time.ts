/** Two clocks that stand still until they are moved: the chain's and our own. */
export interface GivenTime {
  /** ms since 1970. */
  chainMs: number;
  oursMs: number;
}

export function createGivenTime(startMs: number): GivenTime {
  return { chainMs: startMs, oursMs: startMs };
}

/** Lets time pass for both. */
export function pass(time: GivenTime, ms: number): void {
  time.chainMs += ms;
  time.oursMs += ms;
}
