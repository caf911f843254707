import { builderChecks } from './builders/builder-checks.ts';
import { activity, health, wallets } from './checks/accounts.ts';
import { banks, eachBank, prices, reserves, strategies } from './checks/banks.ts';
import { candidates } from './checks/candidates.ts';
import { type Check, noFindings, type World } from './checks/check.ts';
import { conversations, everyTool, graphql, mcp, stream } from './checks/interfaces.ts';
import { simulateAgain, verify, verifyPlan } from './checks/landing.ts';
import { docs, everyOperation, noErrors, nothingSent, status } from './checks/status.ts';
import { vaults } from './checks/vaults.ts';
import type { Settings } from './config.ts';
import type { Place } from './first-contact/market.ts';
import { type Contacted, runContact } from './first-contact/run-contact.ts';
import { judge } from './first-contact/verdict.ts';
import { connectNode, identifyNode, toChain } from './node/node.ts';
import { startRefusingNode } from './node/start-refusing-node.ts';
import type { Arguments } from './read-arguments.ts';
import type { Checked, Report } from './report/report.ts';
import { connectService, untilReady } from './service/service.ts';
import { startService } from './service/start-service.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * Asks the chain of a node how the program behaves there, and everything of a service on it, and says how it went. Stops what it started, also when it fails.
 * @throws Error with one line where the node is none, the service cannot be asked at all, or `signal` aborts.
 */
export async function runSmoke(
  given: Arguments,
  settings: Settings,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly report: Report; readonly contacted: Contacted; readonly place: Place }> {
  const startMs = performance.now();
  const at = new Date().toISOString();
  const node = connectNode(given.rpcUrl, given.callsPerSecond);
  const cluster = await identifyNode(node);
  say(`${cluster.name ?? 'A chain'} at ${cluster.host}, slot ${cluster.slot}`);
  const { program, group, lookupTables } = settings;
  const { callsPerSecond, isFresh, out: folder } = given;
  const place = { node, chain: toChain(node), program, group, lookupTables };
  const contacted = await unlessAborted(
    runContact({ ...place, cluster, folder, isFresh, callsPerSecond, say }),
    signal,
  );

  await using stack = new AsyncDisposableStack();
  const started = given.apiUrl === null ? await startOwn(given, settings, stack, signal) : null;
  const url = started?.service.url ?? given.apiUrl ?? '';
  const checks: Checked[] = [];
  const service = await connectService(url);
  const world: World = {
    arguments: given,
    settings,
    cluster,
    node,
    refusing: started?.refusing ?? null,
    service,
    token: (await started?.service.issueToken()) ?? settings.token,
    errors: started?.service.errors ?? null,
    findings: noFindings(contacted.scan),
  };
  for (const check of [untilReady, ...ALL_CHECKS]) {
    const checked = await unlessAborted(runCheck(check, world), signal);
    checks.push(checked);
    const { outcome, reasons } = checked;
    say(`${outcome.padEnd(8)}${check.name}${reasons[0] === undefined ? '' : `: ${reasons[0]}`}`);
  }
  const { report: contact } = contacted;
  const { verdict, exceptions } = judge(contact, checks);
  const report: Report = {
    verdict,
    exceptions,
    relaxed: contact.answers.filter(({ relaxes }) => relaxes === true).map(({ id }) => id),
    at,
    ms: performance.now() - startMs,
    outcome: checks.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'ok',
    versions: {
      service: String(checks.find(({ figures }) => figures.version !== undefined)?.figures.version ?? 'unknown'),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    service: given.apiUrl === null ? 'started for this' : url,
    cluster,
    aggregators: settings.aggregators,
    contact,
    checks,
    operations: Object.fromEntries(service.uses),
    tools: [...world.findings.tools].sort(),
  };
  return { report, contacted, place };
}

/** A service of our own, and one between it and the node who lets nothing through that is sent. */
async function startOwn(
  { rpcUrl, wsUrl }: Arguments,
  { environment }: Settings,
  stack: AsyncDisposableStack,
  signal: AbortSignal,
) {
  const refusing = stack.adopt(await startRefusingNode(rpcUrl), (one) => one.close());
  const surroundings = { rpcUrl: refusing.url, wsUrl, environment };
  const service = stack.adopt(await startService(surroundings, signal), (one) => one.stop());
  return { refusing, service };
}

/** In this order: what one finds the next ones need, and the last ones look back at all. */
const ALL_CHECKS: readonly Check[] = [
  ...[status, banks, eachBank, reserves, strategies, vaults, prices, docs],
  ...[candidates, wallets, health, activity],
  ...builderChecks,
  ...[simulateAgain, verifyPlan, verify, conversations, stream, graphql, mcp],
  ...[everyTool, everyOperation, noErrors, nothingSent],
];

/** A report is read by people: after so many of a kind the rest is counted. */
const MOST_REASONS = 20;

/** Makes a check; one that throws failed. */
async function runCheck(check: Check, world: World): Promise<Checked> {
  const startMs = performance.now();
  const { name } = check;
  const ended = (
    outcome: Checked['outcome'],
    reasons: readonly string[],
    figures: Checked['figures'] = {},
  ): Checked => ({
    name,
    outcome,
    reasons: shorten(reasons),
    figures,
    ms: Math.round(performance.now() - startMs),
  });
  try {
    const told = await check.run(world);
    if ('skipped' in told) return ended('skipped', [told.skipped]);
    return ended(told.faults.length === 0 ? 'ok' : 'failed', told.faults, told.figures);
  } catch (error) {
    return ended('failed', [error instanceof Error ? error.message : String(error)]);
  }
}

function shorten(reasons: readonly string[]): readonly string[] {
  if (reasons.length <= MOST_REASONS) return reasons;
  return [...reasons.slice(0, MOST_REASONS), `and ${reasons.length - MOST_REASONS} more`];
}
