import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { SERVICES, type Service } from '../services.ts';
import { type Answer, notReadyParts } from './ask-as-user.ts';
import type { FaultCell, Seen } from './fault-cell.ts';
import type { FaultWorld } from './fault-world.ts';
import { untruthsOf } from './honesty.ts';
import { STALE_AFTER_MS } from './struck-services.ts';

/** What one cell came to. */
export interface CellReport {
  readonly name: string;
  /** From the strike until all that has to be seen was, and from the healing until all worked again, ms. */
  readonly seenMs: number;
  readonly recoveredMs: number;
  readonly missing: readonly string[];
  readonly untruths: readonly string[];
  /** Parts that probes named, each wording once. */
  readonly parts: readonly string[];
  /** What was logged, by service. */
  readonly lines: Readonly<Record<Service, readonly string[]>>;
  readonly refusedWith: readonly string[];
}

/** Long enough that services meet it. */
const LASTS_MS = 2_500;
const SEEN_WITHIN_MS = 90_000;
const RECOVERED_WITHIN_MS = 240_000;

/** A stretch of time in which nothing could be read of the chain. */
export interface Outage {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Of which the last cell said that all works. */
const working = new WeakSet<FaultWorld>();

/** Strikes, waits until it shows, heals, waits until all works again by itself, and tells what was seen meanwhile. */
export async function runCell(cell: FaultCell, world: FaultWorld, outages: Outage[]): Promise<CellReport> {
  if (!working.delete(world)) await untilAllWorks(world);
  const { users, services } = world;
  const from = { answers: users.answers.length, probes: users.probes.length };
  const linesFrom = new Map(SERVICES.map((service) => [service, services.linesOf(service).length]));
  const told = (service: Service) => services.linesOf(service).slice(linesFrom.get(service));
  const startMs = Date.now();
  let healedMs = startMs;
  let missing: readonly string[] = [];
  try {
    await cell.strike(world);
    const shown = (): readonly string[] =>
      missingOf(cell.seen, world, { startMs, from, told }).filter((one) => !one.startsWith('after'));
    await Promise.all([
      sleep(cell.lastsMs ?? LASTS_MS),
      eventually(async () => {
        missing = shown();
        if (missing.length > 0) throw new Error('not yet');
      }, SEEN_WITHIN_MS).catch(() => undefined),
    ]);
  } finally {
    healedMs = Date.now();
    await cell.heal(world);
  }
  const seenMs = healedMs - startMs;
  const recoveryFrom = Date.now();
  const late: string[] = [];
  await untilAllWorks(world).catch((error: unknown) => late.push(`it does not recover: ${String(error)}`));
  if (late.length === 0) working.add(world);
  const recoveredMs = Date.now() - recoveryFrom;
  outages.push({ name: cell.name, fromMs: startMs, toMs: Date.now() });
  if (late.length === 0) {
    await eventually(async () => {
      const left = missingOf(cell.seen, world, { startMs, from, told });
      if (left.some((one) => one.startsWith('after'))) throw new Error('not yet');
    }, 40_000).catch(() => undefined);
    missing = [
      ...missing,
      ...missingOf(cell.seen, world, { startMs, from, told }).filter((one) => one.startsWith('after')),
    ];
  }
  const answers = users.answers.slice(from.answers);
  const ended = SERVICES.filter((service) => !services.runs(service)).map((service) => `${service} ended`);
  return {
    name: cell.name,
    seenMs,
    recoveredMs,
    missing: [...missing, ...late, ...ended],
    untruths: [...new Set(answers.flatMap((answer) => untruthsOf(answer, world, cell.seen.refusals ?? [])))],
    parts: [
      ...new Set(
        users.probes
          .slice(from.probes)
          .flatMap(({ service, body }) =>
            notReadyParts(body).map((part) => `${service} ${part.replaceAll(/\d+ s/g, '# s')}`),
          ),
      ),
    ],
    lines: Object.fromEntries(SERVICES.map((service) => [service, told(service)])) as unknown as CellReport['lines'],
    refusedWith: [
      ...new Set(
        answers.filter(isRefused).map(({ kind, status, body }) => `${kind} ${status} ${body.code}: ${body.error}`),
      ),
    ],
  };
}

interface Since {
  readonly startMs: number;
  readonly from: { readonly answers: number; readonly probes: number };
  told(service: Service): readonly string[];
}

/** What has to be seen and was not yet; what is of the end begins with `after`. */
function missingOf(seen: Seen, { users }: FaultWorld, { startMs, from, told }: Since): readonly string[] {
  const answers = users.answers.slice(from.answers).filter(({ askedMs }) => askedMs >= startMs);
  const probes = users.probes.slice(from.probes).filter(({ askedMs }) => askedMs >= startMs);
  const of = (kind: Answer['kind']) => answers.filter((answer) => answer.kind === kind);
  const missing: string[] = [];
  for (const kind of ['banks', 'account'] as const) if (of(kind).length === 0) missing.push(`no answer of ${kind}`);
  for (const [service, pattern] of Object.entries(seen.parts ?? {})) {
    const named = probes.filter((probe) => probe.service === service).flatMap(({ body }) => notReadyParts(body));
    if (!named.some((part) => pattern.test(part))) missing.push(`/readyz of ${service} does not name ${pattern}`);
  }
  for (const { service, begins, ends } of seen.lines ?? []) {
    const lines = told(service);
    const began = lines.filter((line) => begins.test(line)).length;
    if (began === 0) missing.push(`${service} does not say ${begins}`);
    if (!lines.some((line) => ends.test(line))) missing.push(`after: ${service} does not say ${ends}`);
  }
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
    if (wish === 'go on' && !of(kind).some(({ status }) => status === 200)) missing.push(`no ${kind} is built`);
  }
  return missing;
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
