import { readCertificate } from '@lending/api';
import { runProcess } from '@lending/runtime';
import { type BannerFacts, renderBanner, renderHeadline } from './banner.ts';
import { type Composition, compose } from './compose.ts';
import { embeddedSettings } from './config.ts';
import { waitUntilReady, waitUntilSettled } from './wait-until-settled.ts';

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
    const sinceStartMs = () => performance.now() - startedAt;
    process.stdout.write(renderBanner({ ...facts, startedInMs: sinceStartMs() }));
    if (facts.notReady === null || !(await waitUntilReady(running.ask, shutdown.signal))) return;
    process.stdout.write(`\n  ${renderHeadline({ notReady: null, startedInMs: sinceStartMs() })}\n`);
  },
});

async function gatherFacts(running: Composition, signal: AbortSignal): Promise<Omit<BannerFacts, 'startedInMs'>> {
  const notReady = await waitUntilSettled(running.ask, signal);
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

async function firstBank(ask: Ask): Promise<BannerFacts['bank']> {
  const { status, body } = await ask('/v1/banks?venue=P0&limit=1');
  if (status !== 200) return null;
  const { banks } = JSON.parse(body) as { banks: { address: string; symbol: string | null }[] };
  return banks[0] ?? null;
}
