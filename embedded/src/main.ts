import { setTimeout as sleep } from 'node:timers/promises';
import { readCertificate } from '@lending/api';
import { runProcess } from '@lending/runtime';
import { type BannerFacts, renderBanner } from './banner.ts';
import { type Composition, compose } from './compose.ts';
import { embeddedSettings } from './config.ts';

/** How long the banner waits for the first bank. */
const PATIENCE_MS = 10_000;
const LATECOMERS_MS = 2_000;

type Ask = Composition['ask'];

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

await runProcess({
  name: 'embedded',
  settings: embeddedSettings,
  // Before anything is started for an api that could not be.
  check: readCertificate,
  async start(config, parts) {
    const startedAt = performance.now();
    const { shutdown } = parts;
    // The launcher that started this process is gone without a word: nobody would ever stop us.
    process.once('disconnect', () => void shutdown.stop('the launcher is gone'));
    const running = await compose({ config, ...parts, progress });
    const facts = await gatherFacts(running, shutdown.signal);
    if (shutdown.signal.aborted) return;
    process.stdout.write(renderBanner({ ...facts, startedInMs: performance.now() - startedAt }));
  },
});

async function gatherFacts(running: Composition, signal: AbortSignal): Promise<Omit<BannerFacts, 'startedInMs'>> {
  const notReady = await waitForFirstSample(running.ask, signal);
  const { localChain } = running;
  return {
    baseUrl: running.baseUrl,
    chain: localChain?.name ?? 'Solana',
    rpcUrl: running.rpcUrl,
    slot: running.chain.getHighestSlot() ?? 0n,
    wallet: localChain?.wallet ?? null,
    bank: await firstBank(running.ask),
    databaseUrlFile: running.databaseUrlFile,
    notes: localChain?.notes ?? [],
    notReady,
  };
}

/**
 * Waits for the first sampled bank, or as long as our patience lasts. Null when all is well then, else what /readyz says: on a
 * chain whose clock stands in the past, banks are served and their rates are still called stale.
 */
async function waitForFirstSample(ask: Ask, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const reason = await readinessOf(ask);
    if (reason === null || signal.aborted || performance.now() > deadline) return reason;
    if (await hasSample(ask)) return waitUntilReady(ask, signal);
    await sleep(50);
  }
}

/** Rates of some venues come a moment after the first ones. */
async function waitUntilReady(ask: Ask, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + LATECOMERS_MS;
  for (;;) {
    const reason = await readinessOf(ask);
    if (reason === null || signal.aborted || performance.now() > deadline) return reason;
    await sleep(50);
  }
}

async function readinessOf(ask: Ask): Promise<string | null> {
  const { status, body } = await ask('/readyz');
  if (status === 200) return null;
  const { details } = JSON.parse(body) as { details?: { reasons?: readonly { reason: string }[] } };
  return details?.reasons?.map(({ reason }) => reason).join('; ') ?? `/readyz answers ${status}`;
}

async function hasSample(ask: Ask): Promise<boolean> {
  const { status, body } = await ask('/v1/banks?venue=P0');
  if (status !== 200) return false;
  const { banks } = JSON.parse(body) as { banks: readonly { rates: { utilization_pct?: number | null } }[] };
  return banks.some(({ rates }) => rates.utilization_pct != null);
}

async function firstBank(ask: Ask): Promise<BannerFacts['bank']> {
  const { status, body } = await ask('/v1/banks?venue=P0&limit=1');
  if (status !== 200) return null;
  const { banks } = JSON.parse(body) as { banks: { address: string; symbol: string | null }[] };
  return banks[0] ?? null;
}
