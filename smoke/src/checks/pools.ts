import type { Service } from '#service/service.ts';
import type { Check, Told } from './check.ts';
import { readPages } from './read-pages.ts';

const HOUR_MS = 3_600_000;
/** Rates of a minute ago and of now. */
const MOST_CHANGE_PCT = 25;

interface Point {
  readonly deposit_apy_pct: number | null;
  readonly gap: boolean;
}

/** The largest of each venue by itself, with its history and the changes of its limits. */
async function lookInto(
  service: Service,
  kind: 'bank' | 'reserve',
  of: readonly { readonly address: string; readonly venue: string }[],
): Promise<Told> {
  const venues = [...new Set(of.map(({ venue }) => venue))];
  const faults: string[] = [];
  const figures: Record<string, string> = {};
  for (const venue of venues) {
    const { address } = of.find((one) => one.venue === venue) as { address: string };
    const path = { [kind]: address };
    const found = await service.ask(`get_${kind}`, { path });
    if ((found[kind] ?? found).address !== address) faults.push(`${address} is answered with another ${kind}`);
    const start = new Date(Date.now() - HOUR_MS).toISOString();
    const history = await service.ask(`get_${kind}_history`, { path, query: { interval: '1m', start } });
    const points = (history.points as readonly Point[]).filter(({ gap }) => !gap);
    if (points.length === 0) faults.push(`${address} on ${venue} has no history of this hour`);
    const newest = points.at(-1)?.deposit_apy_pct;
    const now = (found[kind] ?? found).rates?.interest_deposit_apy_pct;
    if (newest != null && now != null && Math.abs(newest - now) > MOST_CHANGE_PCT)
      faults.push(`${address} on ${venue} earns ${now} %, and ${newest} % by its newest minute`);
    const limits = await service.ask(`get_${kind}_limits`, { path });
    figures[venue] =
      `${address}: ${points.length} minutes, ${limits.changes?.length ?? limits.limits?.length ?? 0} changes of limits`;
  }
  return { faults, figures };
}

export const eachBank: Check = {
  name: 'the largest bank of each venue, its history and limits',
  run: ({ service, findings }) => lookInto(service, 'bank', findings.banks),
};

export const reserves: Check = {
  name: 'reserves of every venue, the largest with history and limits',
  async run({ service, findings }) {
    const { rows } = await readPages<{ readonly address: string; readonly venue: string }>(
      service,
      'get_reserves',
      'reserves',
      { limit: 100, sort: 'deposits_usd' },
    );
    findings.reserves = rows;
    const missing = ['Kamino', 'JupLend', 'Solend', 'Drift'].filter(
      (venue) => !rows.some((reserve) => reserve.venue === venue),
    );
    const { faults, figures } = await lookInto(service, 'reserve', rows);
    return { faults: [...missing.map((venue) => `no reserve of ${venue}`), ...faults], figures: { ...figures } };
  },
};
