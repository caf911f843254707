import { setTimeout as sleep } from 'node:timers/promises';
import { apiSecrets } from '@lending/api';
import { indexerSecrets } from '@lending/indexer';
import { runProcess } from '@lending/runtime';
import { type BannerFacts, renderBanner } from './banner.ts';
import { type Composition, compose } from './compose.ts';
import { readConfig } from './config.ts';

/** How long the banner waits for the first bank. */
const PATIENCE_MS = 10_000;
const LATECOMERS_MS = 2_000;

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

await runProcess({
  name: 'embedded',
  readConfig,
  secretsOf: (config) => [...(config.SOLANA_RPC_URL ?? []), ...indexerSecrets(config), ...apiSecrets(config)],
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
  const notReady = await waitForFirstSample(running.baseUrl, signal);
  const { localChain } = running;
  return {
    baseUrl: running.baseUrl,
    chain: localChain?.name ?? 'Solana',
    rpcUrl: running.rpcUrl,
    slot: running.chain.getHighestSlot() ?? 0n,
    wallet: localChain?.wallet ?? null,
    bank: await firstBank(running.baseUrl),
    databaseUrlFile: running.databaseUrlFile,
    notes: localChain?.notes ?? [],
    notReady,
  };
}

/**
 * Waits for the first sampled bank, or as long as our patience lasts. Null when all is well then, else what /readyz says: on a
 * chain whose clock stands in the past, banks are served and their rates are still called stale.
 */
async function waitForFirstSample(baseUrl: string, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const reason = await readinessOf(baseUrl);
    if (reason === null || signal.aborted || performance.now() > deadline) return reason;
    if (await hasSample(baseUrl)) return waitUntilReady(baseUrl, signal);
    await sleep(50);
  }
}

/** Rates of some venues come a moment after the first ones. */
async function waitUntilReady(baseUrl: string, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + LATECOMERS_MS;
  for (;;) {
    const reason = await readinessOf(baseUrl);
    if (reason === null || signal.aborted || performance.now() > deadline) return reason;
    await sleep(50);
  }
}

async function readinessOf(baseUrl: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
  if (response === null) return 'the api does not answer';
  if (response.ok) return null;
  const { details } = (await response.json()) as { details?: { reasons?: readonly { reason: string }[] } };
  return details?.reasons?.map(({ reason }) => reason).join('; ') ?? `/readyz answers ${response.status}`;
}

async function hasSample(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/banks?venue=P0`).catch(() => null);
  if (!response?.ok) return false;
  const { banks } = (await response.json()) as { banks: readonly { rates: { utilization_pct?: number | null } }[] };
  return banks.some(({ rates }) => rates.utilization_pct != null);
}

async function firstBank(baseUrl: string): Promise<BannerFacts['bank']> {
  const response = await fetch(`${baseUrl}/v1/banks?venue=P0&limit=1`).catch(() => null);
  if (!response?.ok) return null;
  const { banks } = (await response.json()) as { banks: { address: string; symbol: string | null }[] };
  return banks[0] ?? null;
}
