import type { Check } from './check.ts';
import { readEvents } from './read-events.ts';

/** Rates of Project 0 are read every ten seconds. */
const WITHIN_MS = 45_000;

/** What happens, as it is told: rates and banks at once, the health of an account where one is known. */
export const stream: Check = {
  name: 'the stream tells rates, banks and health',
  async run({ service, findings }) {
    const account = findings.candidates.flatMap(({ accounts }) => accounts)[0]?.address;
    const asked = new URLSearchParams({
      rates: 'all',
      banks: 'all',
      ...(account !== undefined && { health: account, activity: account }),
    });
    const kinds = ['rate', 'bank', ...(account === undefined ? [] : ['health'])];
    // As many as tell each kind: the state now comes first.
    const count = 2 * findings.banks.length + findings.reserves.length + 1;
    const events = await readEvents(`${service.url}/v1/stream?${asked}`, { count, withinMs: WITHIN_MS });
    const told = Map.groupBy(events, ({ event }) => event);
    findings.isStreamHeard = events.length > 0;
    return {
      faults: kinds.filter((kind) => !told.has(kind)).map((kind) => `nothing of kind ${kind} was told`),
      figures: Object.fromEntries([...told].map(([kind, its]) => [kind, its.length])),
    };
  },
};
