import { setTimeout as sleep } from 'node:timers/promises';
import { ACTIONS, type Borrower, LEVERAGES } from '../builds/borrower.ts';
import type { World } from '../builds/open-world.ts';

/** What came of using the service for a while. */
export interface Usage {
  readonly answered: number;
  /** Statuses other than 200, each counted. */
  readonly refused: Readonly<Record<string, number>>;
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

const CALLERS = 4;
/** One build of each that many requests: people read more than they build. */
const READS_PER_BUILD = 8;

/**
 * Uses a service as its callers do, a few at once and without pause: every read of REST about other people each time, MCP, GraphQL, and
 * every builder where it shall build.
 */
export async function useService(
  world: World,
  { sdk, account }: Borrower,
  { seconds, isBuilding }: { readonly seconds: number; readonly isBuilding: boolean },
): Promise<Usage> {
  const until = performance.now() + seconds * 1_000;
  const owner = { authority: sdk.wallet, account };
  const refused: Record<string, number> = {};
  let answered = 0;
  let next = 0;
  const caller = async () => {
    while (performance.now() < until) {
      const { path, body } = requestOf(world, owner, next++, isBuilding);
      const status = await ask(`${world.baseUrl}${path}`, body);
      if (status === 200) {
        answered += 1;
        continue;
      }
      const what = `${status} ${path.replace(/\?.*/, '').replace(/[1-9A-HJ-NP-Za-km-z]{32,44}/, '…')}`;
      refused[what] = (refused[what] ?? 0) + 1;
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return { answered, refused };
}

const GRAPHQL =
  '{ banks(first: 50) { nodes { symbol venue rates { totalDepositApyPct } history(interval: _1h) { points { time depositApyPct } } } } }';

function requestOf(
  world: World,
  owner: { readonly authority: string; readonly account: string },
  nth: number,
  isBuilding: boolean,
): Request {
  const subject = world.subjects[nth % world.subjects.length] ?? owner;
  const turn = Math.floor(nth / READS_PER_BUILD);
  const bank = ACTIONS[turn % ACTIONS.length]?.bank ?? '';
  const reads: readonly Request[] = [
    { path: '/v1/banks' },
    { path: `/v1/account/${subject.authority}` },
    { path: `/v1/health/${subject.account}` },
    { path: `/v1/activity/${subject.authority}` },
    { path: `/v1/wallet/${owner.authority}` },
    { path: turn % 2 === 0 ? '/v1/strategies?limit=5' : `/v1/banks/${bank}/history?interval=1m` },
    { path: '/graphql', body: { query: GRAPHQL } },
  ];
  const read = reads[nth % READS_PER_BUILD];
  return read ?? (isBuilding ? buildOf(owner, turn) : { path: '/v1/reserves' });
}

function buildOf(owner: object, turn: number): Request {
  const all: readonly Request[] = [
    ...ACTIONS.map(({ kind, bank, amount }) => ({ path: `/v1/tx/${kind}`, body: { ...owner, bank, amount } })),
    ...LEVERAGES.flatMap((action) => {
      const { depositBank: deposit_bank, borrowBank: borrow_bank, amount } = action;
      if (action.kind !== 'loop') return [];
      return [
        { path: '/v1/tx/loop', body: { ...owner, deposit_bank, borrow_bank, amount, leverage: action.leverage } },
      ];
    }),
  ];
  return all[turn % all.length] ?? { path: '/v1/banks' };
}

async function ask(url: string, body: unknown): Promise<number> {
  const sent =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, sent);
  await response.arrayBuffer();
  return response.status;
}
