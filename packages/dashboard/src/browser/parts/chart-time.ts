const DAY_S = 86_400;
/** Steps from here on are months: days would all be the first. */
const MONTH_S = 28 * DAY_S;

const hour = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' });

/** What stands below an axis of time, in the reader's zone: hours, and the date where a day begins. `stepSeconds` is what lies between two. */
export function timeTicks(times: readonly number[], stepSeconds: number): readonly string[] {
  return times.map((seconds) => {
    const date = new Date(seconds * 1000);
    if (stepSeconds >= MONTH_S) return month.format(date);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return stepSeconds >= DAY_S || isMidnight ? day.format(date) : hour.format(date);
  });
}

/** From the first time to the last, s; a single one stands in the middle of an hour. */
export function timeExtent(times: readonly number[]): readonly [first: number, last: number] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  return first === last ? [first - 1_800, last + 1_800] : [first, last];
}
