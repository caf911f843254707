import type { PermitAnswer, PermitRequest } from '@lending/store';
import type { RateStore } from '../rate-store.ts';

interface Entry {
  readonly scope: string;
  readonly count: number;
  readonly endsMs: number;
}

/** The table as its database keeps it, in memory, with a clock that can be set and a line that can be cut. */
export class SharedTable implements RateStore {
  /** Milliseconds that the database's clock is ahead. */
  skewMs = 0;
  isAway = false;
  asked = 0;
  tidied = 0;
  readonly #now: () => number;
  readonly #clients = new Map<string, readonly Entry[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async takePermits(client: string, requests: readonly PermitRequest[]): Promise<PermitAnswer> {
    this.asked += 1;
    if (this.isAway) throw new Error('the line is cut');
    const nowMs = this.#now() + this.skewMs;
    const latestOf = (scope: string) => {
      const asked = requests.find((request) => request.scope === scope);
      return asked === undefined ? Number.POSITIVE_INFINITY : nowMs + asked.countsMs;
    };
    const counted = (this.#clients.get(client) ?? [])
      .filter(({ endsMs }) => endsMs > nowMs)
      .map((entry) => ({ ...entry, endsMs: Math.min(entry.endsMs, latestOf(entry.scope)) }));
    const roomOf = ({ scope, limit }: PermitRequest) =>
      limit - counted.filter((entry) => entry.scope === scope).reduce((sum, { count }) => sum + count, 0);
    const granted = requests.every((request) => roomOf(request) >= request.need);
    const added = requests.map((request) => ({
      scope: request.scope,
      count: Math.min(request.want, roomOf(request)),
      endsMs: nowMs + request.countsMs,
    }));
    const all = granted ? [...counted, ...added] : counted;
    this.#clients.set(client, all);
    return {
      granted,
      counted: all
        .filter(({ scope }) => requests.some((request) => request.scope === scope))
        .map(({ scope, count, endsMs }) => ({ scope, count, endsInMs: endsMs - nowMs })),
    };
  }

  /** As after a crash of the server. */
  forget(): void {
    this.#clients.clear();
  }

  async deleteLapsedWindows(): Promise<number> {
    this.tidied += 1;
    return 0;
  }
}
