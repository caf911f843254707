import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { processorMs } from '../measure/process.ts';
import { percentilesOf, spreadOf } from '../measure/statistics.ts';
import { markMeasuring } from '../report/result.ts';
import type { AskerTally, AskerTask } from './asker.ts';

/** One server and one request, asked again and again over connections that stay open. */
export interface Contender {
  readonly url: string;
  /** Process that answers, all of it. */
  readonly pid: number | undefined;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default 200. */
  readonly status?: number;
}

export interface AskOptions {
  readonly rounds: number;
  /** Of one contender in one round, seconds. */
  readonly seconds: number;
  readonly connections: number;
}

interface Turn {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of an answer, all threads. */
  readonly processorMs: number;
  /** Share of one core that the server had in use: well below one, and not the server was what was slow. */
  readonly busy: number;
  readonly bytes: number;
}

/** What the contender did in each round. */
export type Turns = readonly Turn[];

/** Threads that ask: one is as busy as a server that sends 200 kB from memory. */
const ASKERS = 2;

/**
 * Asks each contender in turns, who was first being the last in the next round. The first round warms up and is not counted.
 * @throws Error where an answer has another status than it must.
 */
export async function askOften<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  options: AskOptions,
): Promise<Readonly<Record<Name, Turns>>> {
  const names = Object.keys(contenders) as Name[];
  const turns = Object.fromEntries(names.map((name) => [name, [] as Turn[]])) as Record<Name, Turn[]>;
  markMeasuring();
  for (let round = 0; round <= options.rounds; round += 1) {
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) {
      const turn = await ask(contenders[name], options);
      if (round > 0) turns[name].push(turn);
    }
  }
  return turns;
}

async function ask(contender: Contender, { seconds, connections }: AskOptions): Promise<Turn> {
  const { url, pid, status = 200 } = contender;
  const { hostname, port } = new URL(url);
  const askers = Math.min(ASKERS, connections);
  const task: AskerTask = {
    host: hostname,
    port: Number(port),
    request: requestOf(contender),
    status,
    connections: Math.ceil(connections / askers),
    ms: seconds * 1_000,
  };
  const before = processorMs(pid);
  const from = performance.now();
  const tallies = await Promise.all(Array.from({ length: askers }, () => askInThread(task)));
  const tookMs = performance.now() - from;
  const usedMs = processorMs(pid) - before;
  const ms = tallies.flatMap((tally) => tally.ms);
  const wrong = tallies.reduce((sum, tally) => sum + tally.wrong, 0);
  if (wrong > 0) throw new Error(`${url}: ${wrong} of ${ms.length} answers had another status than ${status}`);
  const { p50Ms, p99Ms } = percentilesOf(ms, 0);
  return {
    perSecond: ms.length / (tookMs / 1_000),
    p50Ms,
    p99Ms,
    processorMs: usedMs / ms.length,
    busy: usedMs / tookMs,
    bytes: Math.round(tallies.reduce((sum, tally) => sum + tally.bytes, 0) / ms.length),
  };
}

async function askInThread(task: AskerTask): Promise<AskerTally> {
  const worker = new Worker(new URL('./asker.ts', import.meta.url), { workerData: task });
  const [tally] = (await once(worker, 'message')) as [AskerTally];
  return tally;
}

function requestOf({ url, method = 'GET', headers = {}, body = '' }: Contender): string {
  const { host, pathname, search } = new URL(url);
  const length = body === '' ? {} : { 'content-length': `${Buffer.byteLength(body)}` };
  const all = Object.entries({ host, connection: 'keep-alive', ...headers, ...length });
  return `${method} ${pathname}${search} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** For people: medians and extremes of all that was seen of one contender. */
export function describeTurns(turns: Turns) {
  const of = (name: keyof Turn) => spreadOf(turns.map((turn) => turn[name]));
  return {
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    processorMs: of('processorMs'),
    busy: of('busy'),
    bytes: of('bytes'),
  };
}

/** How many answers one gave for each of the other, round by round. */
export function ratioOf(ours: Turns, other: Turns) {
  return spreadOf(ours.map(({ perSecond }, round) => perSecond / (other[round]?.perSecond ?? Number.NaN)));
}
