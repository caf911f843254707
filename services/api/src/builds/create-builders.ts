import { type Chain, createChain } from '@lending/chain';
import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import { chainHooks, declareNodes, type Logger, type Metrics, runBeat, type SourceBoard } from '@lending/runtime';
import { type Database, deleteExpiredPlans } from '@lending/store';
import { createBankCache, createLimitMemory, createSimulator, createSwitchboardCranker } from '@lending/transactions';
import { type Address, address as toAddress } from '@solana/kit';
import type { ReadDeps } from '#reads/read-deps.ts';
import { buildAction } from './build-action.ts';
import type { BuildDeps, LeverageDeps } from './build-deps.ts';
import { type BuildPlaces, createBuildPlaces } from './build-places.ts';
import { isLeverageRequest } from './build-request.ts';
import { type BuildEnvelope, createBuildEnvelope } from './build-service.ts';
import { createBuildTables } from './build-tables.ts';
import { createSwaps, type SwapSettings } from './create-swaps.ts';
import { buildLeverage } from './leverage/build-leverage.ts';
import { createPlanStore, type PlanStore } from './plan-store.ts';
import type { ProgramWatch } from './program-watch.ts';
import { createSlotTime } from './slot-time.ts';
import { createTurns } from './turns.ts';

/** The settings that builds go by, as `config.ts` names them. */
export interface BuildSettings extends SwapSettings {
  readonly P0_PROGRAM: string;
  readonly P0_GROUP: string;
  readonly P0_LOOKUP_TABLES?: readonly string[] | undefined;
  readonly SWITCHBOARD_CROSSBAR_URL?: string | undefined;
  readonly SWITCHBOARD_GATEWAY_HOSTS?: readonly string[] | undefined;
  readonly PRIORITY_FEE_MAX_MICROLAMPORTS: number;
  readonly BUNDLE_TIP_LAMPORTS: number;
  readonly SIMULATION_WORKERS: number;
  readonly BUILDS_MAX: number;
  readonly BUILDS_MAX_PER_CLIENT: number;
}

export interface BuildersOptions {
  readonly settings: BuildSettings;
  readonly chain: Chain;
  readonly reads: ReadDeps;
  readonly programWatch: ProgramWatch;
  readonly relaxed: BuildDeps['relaxed'];
  readonly db: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where it is kept how aggregators stand; default: nowhere. */
  readonly sources?: SourceBoard | undefined;
}

/** Everything that builds, as long as the api runs. */
export interface Builders {
  readonly buildEnvelope: BuildEnvelope;
  readonly tables: BuildDeps['tables'];
  readonly source: Chain['source'];
  readonly verifiedOnChain: ReadDeps['verifiedOnChain'];
  readonly landing: LeverageDeps & {
    readonly plans: PlanStore;
    readonly places: BuildPlaces;
    readonly staleAfterMs: number;
  };
  /** Ends the threads, and what is done from time to time. Safe to call twice. */
  close(): Promise<void>;
}

/** Where Switchboard serves mainnet, and whose machines its oracles' gateways are on. */
const CROSSBAR_URL = 'https://crossbar.switchboard.xyz';
const GATEWAY_HOSTS = ['switchboard.xyz', 'switchboard-oracles.xyz'];
/** How often plans that are over are deleted. */
const TIDY_EVERY_MS = 600_000;
/** How long after a failure the banks are read ahead again. */
const WARM_EVERY_MS = 5_000;

/** Puts the builders together. Nothing is asked of the node before it is needed but the banks, ahead, so that the first build is quick. */
export function createBuilders({
  settings,
  chain,
  reads,
  programWatch,
  relaxed,
  db,
  logger,
  metrics,
  sources,
}: BuildersOptions): Builders {
  const { now } = reads;
  const simulator = createSimulator({ chain, now, inProcess: { workers: settings.SIMULATION_WORKERS } });
  const program = toAddress(settings.P0_PROGRAM);
  const deps: BuildDeps = {
    chain,
    tables: createBuildTables(reads),
    simulator,
    cranker: createSwitchboardCranker({
      crossbarUrl: settings.SWITCHBOARD_CROSSBAR_URL ?? CROSSBAR_URL,
      gatewayHosts: [...(settings.SWITCHBOARD_GATEWAY_HOSTS ?? GATEWAY_HOSTS)],
      onNotice: (notice) => logger.warn('crank.answer.notice', { ...notice }),
    }),
    banks: createBankCache(),
    limits: createLimitMemory(),
    slotTime: createSlotTime(chain, now, logger),
    turns: createTurns(),
    program,
    programWatch,
    relaxed,
    audits: reads.audits,
    overruledUntil: reads.overruledUntil,
    group: toAddress(settings.P0_GROUP),
    lookupTables: settings.P0_LOOKUP_TABLES?.map((table) => toAddress(table)) ?? MARGINFI_MAIN_LOOKUP_TABLES,
    maxMicroLamportsPerUnit: BigInt(settings.PRIORITY_FEE_MAX_MICROLAMPORTS),
    tipLamports: BigInt(settings.BUNDLE_TIP_LAMPORTS),
    logger,
    now,
  };
  const leverageDeps = { ...deps, ...createSwaps(settings, logger, now, sources) };
  const plans = createPlanStore(db);
  const places = countedPlaces(settings, metrics);
  const stopping = new AbortController();
  const tidying = runBeat(TIDY_EVERY_MS, stopping.signal, () => tidy(db, logger));
  const warming = warmUntilDone(deps, reads, stopping.signal);
  let closed: Promise<void> | undefined;
  const staleAfterMs = reads.accountsStaleAfterMs;
  return {
    tables: deps.tables,
    source: chain.source,
    verifiedOnChain: reads.verifiedOnChain,
    landing: { ...leverageDeps, plans, places, staleAfterMs },
    buildEnvelope: createBuildEnvelope({
      chain,
      program,
      logger,
      now,
      plans,
      places,
      slotTime: deps.slotTime,
      staleAfterMs,
      buildAction: (request, options) =>
        isLeverageRequest(request)
          ? buildLeverage(leverageDeps, request, options)
          : buildAction(deps, request, options),
    }),
    close() {
      stopping.abort();
      closed ??= Promise.allSettled([tidying, warming, simulator.close()]).then(() => undefined);
      return closed;
    },
  };
}

/** Places for builds, with how many are taken and refused told to the operator. */
function countedPlaces(
  { BUILDS_MAX: most, BUILDS_MAX_PER_CLIENT: mostPerClient }: BuildSettings,
  metrics: Metrics,
): BuildPlaces {
  const refused = metrics.counter({
    name: 'build.place.refuse',
    help: 'Builds that were not begun, by the limit that they met',
    labels: ['limit'],
  });
  const places = createBuildPlaces({ most, mostPerClient }, { onRefuse: (limit) => refused.inc({ limit }) });
  metrics.gauge({ name: 'build.place.take', help: 'Builds and simulations under way', collect: places.running });
  metrics.gauge({
    name: 'build.place.wait',
    help: 'Builds and simulations that wait for a place',
    collect: places.waiting,
  });
  return places;
}

/** A node for an api that is a process of its own. */
export function openNode(
  settings: {
    readonly SOLANA_RPC_URL: readonly string[];
    readonly RPC_TIMEOUT_MS: number;
    readonly CHAIN_SOURCE: 'chain' | 'localnet';
  },
  logger: Logger,
  metrics: Metrics,
  sources: SourceBoard,
): Chain {
  const { SOLANA_RPC_URL: rpcUrls, RPC_TIMEOUT_MS: requestTimeoutMs, CHAIN_SOURCE: source } = settings;
  declareNodes(sources, rpcUrls);
  return createChain({ rpcUrls, requestTimeoutMs, source }, chainHooks(logger, metrics, sources));
}

async function tidy(db: Database, logger: Logger): Promise<void> {
  try {
    const deleted = await deleteExpiredPlans(db);
    if (deleted > 0) logger.info('build.plan.delete', { deleted });
  } catch (error) {
    logger.warn('build.plan.fail', { error });
  }
}

/** Reads the banks that the tables list, once there are any and the node answers: builds come to know the others as they meet them. */
async function warmUntilDone(deps: BuildDeps, reads: ReadDeps, stop: AbortSignal): Promise<void> {
  const done = new AbortController();
  const signal = AbortSignal.any([stop, done.signal]);
  await runBeat(WARM_EVERY_MS, signal, async () => {
    try {
      const banks = [...(await reads.banks.get()).entries.keys()].map((bank): Address => toAddress(bank));
      if (banks.length === 0) return;
      await deps.banks.warm(deps.chain, deps.program, banks, { signal });
      done.abort();
    } catch (error) {
      if (!signal.aborted) deps.logger.debug('build.bank.warm', { error });
    }
  });
}
