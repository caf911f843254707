import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES, type Service } from '../cluster/cluster.ts';
import { eventually } from '../eventually.ts';
import type { Fault, Seen } from './fault.ts';
import { type FaultWorld, STALE_AFTER_MS } from './fault-world.ts';
import { type Answer, notReadyParts, type Probe } from './users.ts';

/** What one fault came to. */
export interface FaultReport {
  /** What had to be seen and was not. */
  readonly missing: readonly string[];
  /** What was answered and is not so. */
  readonly untruths: readonly string[];
  /** What was logged, by service. */
  readonly lines: Readonly<Record<Service, readonly string[]>>;
}

/** Long enough that services meet it. */
const LASTS_MS = 2_500;
const SEEN_WITHIN_MS = 90_000;
const RECOVERED_WITHIN_MS = 240_000;
const SAID_WITHIN_MS = 40_000;

/** A stretch of time in which nothing could be read of the chain. */
export interface Outage {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Of which the last fault said that all works. */
const working = new WeakSet<FaultWorld>();

/** Strikes, waits until it shows, heals, waits until all works again by itself, and tells what was seen meanwhile. */
export async function runFault(fault: Fault, world: FaultWorld, outages: Outage[]): Promise<FaultReport> {
  if (!working.delete(world)) await untilAllWorks(world);
  const { users, cluster } = world;
  const linesOf = (service: Service) => cluster.of(service).process.lines;
  const from = {
    answers: users.answers.length,
    probes: users.probes.length,
    lines: Object.fromEntries(SERVICES.map((service) => [service, linesOf(service).length])),
  };
  const startMs = Date.now();
  const noted = (): Noted => ({
    startMs,
    answers: users.answers.slice(from.answers),
    probes: users.probes.slice(from.probes),
    lines: Object.fromEntries(
      SERVICES.map((service) => [service, linesOf(service).slice(from.lines[service])]),
    ) as unknown as Noted['lines'],
  });
  const missing: string[] = [];
  try {
    await fault.strike(world);
    const [unseen] = await Promise.all([
      untilNone(() => unseenOf(fault.seen, noted()), SEEN_WITHIN_MS),
      sleep(fault.lastsMs ?? LASTS_MS),
    ]);
    missing.push(...unseen);
  } finally {
    await fault.heal(world);
  }
  try {
    await untilAllWorks(world);
    working.add(world);
  } catch (error) {
    missing.push(`it does not recover: ${String(error)}`);
  }
  outages.push({ name: fault.name, fromMs: startMs, toMs: Date.now() });
  if (working.has(world)) missing.push(...(await untilNone(() => unendedOf(fault.seen, noted()), SAID_WITHIN_MS)));
  const isRunning = ({ child }: { child: { exitCode: number | null; signalCode: string | null } }) =>
    child.exitCode === null && child.signalCode === null;
  const ended = SERVICES.filter((service) => !isRunning(cluster.of(service).process));
  const { answers, lines } = noted();
  const untruths = answers.flatMap((answer) => untruthsOf(answer, world, fault.seen.refusals ?? []));
  return {
    missing: [...missing, ...ended.map((service) => `${service} ended`)],
    untruths: [...new Set(untruths)],
    lines,
  };
}

/** Waits until nothing is missing any more. @returns what still was at the end. */
async function untilNone(missing: () => readonly string[], timeoutMs: number): Promise<readonly string[]> {
  await eventually(async () => {
    if (missing().length > 0) throw new Error('not yet');
  }, timeoutMs).catch(() => undefined);
  return missing();
}

/** What was answered, and logged, since a fault began. */
interface Noted {
  readonly startMs: number;
  readonly answers: readonly Answer[];
  readonly probes: readonly Probe[];
  readonly lines: FaultReport['lines'];
}

/** What has to be seen while it lasts, and was not yet. */
function unseenOf(seen: Seen, { startMs, answers, probes, lines }: Noted): readonly string[] {
  const of = (kind: Answer['kind']) => answers.filter((answer) => answer.kind === kind && answer.askedMs >= startMs);
  const missing: string[] = [];
  for (const kind of ['banks', 'account'] as const) if (of(kind).length === 0) missing.push(`no answer of ${kind}`);
  for (const [service, pattern] of Object.entries(seen.parts ?? {})) {
    const asked = probes.filter((probe) => probe.service === service && probe.askedMs >= startMs);
    const named = asked.flatMap(({ body }) => notReadyParts(body));
    if (!named.some((part) => pattern.test(part))) missing.push(`/readyz of ${service} does not name ${pattern}`);
  }
  for (const { service, begins } of seen.lines ?? [])
    if (!lines[service].some((line) => begins.test(line))) missing.push(`${service} does not say ${begins}`);
  const isStale = ({ status, body }: Answer) =>
    status === 200 ? body.as_of?.stale === true : body.code === 'DATA_STALE';
  // What is stale sooner was already when the fault began.
  const agedMs = startMs + STALE_AFTER_MS;
  if (seen.reads === 'aging' && !of('banks').some((answer) => answer.askedMs >= agedMs && isStale(answer)))
    missing.push('no read says that it is stale');
  if (seen.reads === 'go on' && of('banks').every(isRefused)) missing.push('no read is answered');
  for (const [kind, wish] of [
    ['deposit', seen.deposits],
    ['loop', seen.loops],
  ] as const) {
    if (wish === 'refused' && !of(kind).some(isRefused)) missing.push(`no ${kind} is refused`);
    if (wish === 'go on' && of(kind).every(isRefused)) missing.push(`no ${kind} is built`);
  }
  return missing;
}

/** What has to be said once it is over, and was not yet. */
function unendedOf(seen: Seen, { lines }: Noted): readonly string[] {
  return (seen.lines ?? [])
    .filter(({ service, ends }) => !lines[service].some((line) => ends.test(line)))
    .map(({ service, ends }) => `${service} does not say ${ends}`);
}

function isRefused({ status }: Answer): boolean {
  return status !== 200;
}

/** Parts that are late on a machine that is: what they wait for works. */
const LATE = /^(data: the newest rate sample is|accounts: accounts were followed until)/;

/**
 * From here on every service was seen with all its parts, every question was answered, and what was read after this moment is shown. How
 * old that is by then says more of the machine than of the service, and is not asked.
 */
async function untilAllWorks({ users, localnet }: FaultWorld): Promise<void> {
  const fromMs = Date.now();
  const slot = Number(localnet.ledger.slot('confirmed'));
  await eventually(
    async () => {
      for (const service of SERVICES) {
        const probes = users.probes.filter((one) => one.service === service && one.askedMs >= fromMs);
        const works = ({ status, body }: Answer) =>
          status === 200 || (status !== 0 && notReadyParts(body).every((part) => LATE.test(part)));
        if (!probes.some(works))
          throw new Error(`${service}: ${probes.at(-1) && notReadyParts(probes.at(-1)?.body ?? {}).join('; ')}`);
      }
      for (const kind of ['banks', 'account', 'deposit', 'loop'] as const) {
        const answers = users.answers.filter((answer) => answer.kind === kind && answer.askedMs >= fromMs);
        const last = answers.at(-1)?.body;
        if (!answers.some(({ status }) => status === 200)) throw new Error(`${kind}: ${last?.code} ${last?.error}`);
        const isNew = ({ body }: Answer) => (body.as_of?.slot ?? 0) > slot;
        if (kind === 'banks' && !answers.some(isNew))
          throw new Error(`${kind} are of slot ${last?.as_of?.slot} since ${slot}`);
      }
    },
    RECOVERED_WITHIN_MS,
    200,
  );
}

/** A block's time is whole seconds, and ages are shown to a tenth. */
const ROUNDING_SECONDS = 0.3;
/** What a read may be refused with while something is away. */
const READ_REFUSALS: ReadonlySet<string> = new Set(['UPSTREAM_UNAVAILABLE', 'DATA_STALE']);

/** What an answer says that is not so; empty when it is all true. */
export function untruthsOf(
  answer: Answer,
  { localnet, node }: Pick<FaultWorld, 'localnet' | 'node'>,
  refusals: readonly string[],
): readonly string[] {
  const { kind, status, body } = answer;
  if (status === 0) return [`${kind}: no answer came: ${body.error}`];
  if (status !== 200) return refusalFaults(answer, refusals);
  if (kind === 'deposit' || kind === 'loop') {
    const transactions = body.transactions ?? [];
    if (transactions.length === 0) return [`${kind}: an envelope without a transaction`];
    return transactions.every(({ base64 }) => base64 != null && node.hasSimulated(base64))
      ? []
      : [`${kind}: bytes that the node did not simulate, or that fail`];
  }
  if (body.as_of == null) return [];
  const { slot, age_seconds: age, stale } = body.as_of;
  // Nothing was read of it yet.
  if (slot === null) return stale ? [] : [`${kind}: as of no slot, and not stale`];
  const said: string[] = [];
  const newest = localnet.ledger.slot('processed');
  if (BigInt(slot) > newest) said.push(`${kind}: as of slot ${slot} while ${newest} is the newest there is`);
  const seconds = localnet.ledger.blockAt(BigInt(slot))?.unixTimestamp;
  const trueAge = seconds === undefined ? null : answer.askedMs / 1_000 - Number(seconds);
  if (trueAge !== null && age < trueAge - ROUNDING_SECONDS)
    said.push(`${kind}: an age of ${age} s where it is ${trueAge} s at least`);
  if (stale !== age * 1_000 > STALE_AFTER_MS && age * 1_000 !== STALE_AFTER_MS)
    said.push(`${kind}: stale ${stale} at an age of ${age} s`);
  return said;
}

function refusalFaults({ kind, status, body }: Answer, refusals: readonly string[]): readonly string[] {
  const { code = 'no code' } = body;
  const isBuild = kind === 'deposit' || kind === 'loop';
  if (status === 503 && READ_REFUSALS.has(code)) return [];
  if (isBuild && refusals.includes(code)) return [];
  return [`${kind}: ${status} ${code}: ${String(body.error).slice(0, 300)}`];
}
