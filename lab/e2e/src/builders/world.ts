import { createTurns, type LeverageDeps } from '@lending/api';
import { createChain } from '@lending/chain';
import { NONE_RELAXED } from '@lending/domain';
import {
  createModelEngine,
  type Engine,
  type Ledger,
  type OpenedLocalnet,
  openLocalnet,
  SWAP_PROGRAM,
} from '@lending/localnet';
import {
  MARGINFI_MAIN_GROUP,
  MARGINFI_MAIN_LOOKUP_TABLES,
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  type ProgramVersion,
} from '@lending/programs';
import { createLogger } from '@lending/runtime';
import {
  createBankCache,
  createLimitMemory,
  createSimulator,
  createSwapFinder,
  createSwitchboardCranker,
} from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { createGivenTime, type GivenTime, pass as passTime } from '../history/given-time.ts';
import { setFeedAge } from './chain-edits.ts';
import { createLedgerTables, listBanks, listFeeds } from './ledger-tables.ts';

/** The local chain and everything a build needs, both aggregators too, in one process. Time, prices and slots move when they are told to. */
export interface BuildersWorld {
  readonly localnet: OpenedLocalnet;
  readonly ledger: Ledger;
  readonly deps: LeverageDeps;
  readonly banks: readonly P0Bank[];
  readonly feeds: readonly Address[];
  readonly time: GivenTime;
  /** Makes what was written and landed the confirmed state; nothing else changes. */
  settle(): void;
  /** Lets so many seconds pass, then makes every feed fresh at its old price. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

/** Slots are few here; their pace is not measured. */
const SLOT_MICROS = 400_000n;
const SECOND_MS = 1_000;
/** As the service has them by default: half a percent of slippage, one of impact, three of deviation. */
const SWAP_BOUNDS: LeverageDeps['swapBounds'] = {
  slippageBps: 50,
  maxPriceImpactE18: 10n ** 16n,
  maxDeviationE18: 3n * 10n ** 16n,
};
/** Any key will do: the doubles of the aggregators take all of them. */
const KEYS = { jupiter: null, dflow: 'key-of-the-service' };

export interface BuildersWorldOptions {
  /** Of the lending program; default the newest known. */
  readonly programVersion?: ProgramVersion;
  /** What runs the programs; default: our models of them. */
  readonly engine?: Engine;
  /** Changes what the demo market has, before anything is read. */
  readonly prepare?: (ledger: Ledger) => void;
}

export async function openBuildersWorld(options: BuildersWorldOptions = {}): Promise<BuildersWorld> {
  const { programVersion = NEWEST_VERSION, engine = createModelEngine(), prepare } = options;
  const time = createGivenTime(Math.floor(Date.now() / SECOND_MS) * SECOND_MS);
  let still: Ledger | null = null;
  const localnet = await openLocalnet({
    genesis: { kind: 'demo' },
    engine: createStillEngine(engine, () => still?.slot('confirmed') ?? null),
    slotMs: null,
    nowMs: () => time.chainMs,
    programVersion,
  });
  await localnet.start();
  const { ledger } = localnet;
  still = ledger;
  prepare?.(ledger);
  const feeds = listFeeds(ledger);
  const pools = [...ledger.accountsOwnedBy(SWAP_PROGRAM, 'confirmed')].map(([address]) => address);
  const settle = () => {
    const before = [...feeds, ...pools].map((address) => [address, ledger.account(address)] as const);
    ledger.advanceSlot();
    // The market moved its prices with the slot, at oracles and in pools; here they stay.
    ledger.writeAccounts(before);
  };
  const logger = createLogger({ level: 'silent', name: 'builders' });
  const chain = createChain({
    rpcUrls: [localnet.rpcUrl],
    wsUrl: localnet.wsUrl,
    source: 'localnet',
    maxParallelReads: 8,
  });
  const simulator = createSimulator({ chain });
  const deps: LeverageDeps = {
    chain,
    tables: createLedgerTables(ledger),
    simulator,
    cranker: createSwitchboardCranker({ crossbarUrl: crossbarOf(localnet), gatewayHosts: ['127.0.0.1'] }),
    banks: createBankCache(),
    limits: createLimitMemory(),
    slotTime: async () => SLOT_MICROS,
    turns: createTurns(),
    program: MARGINFI_PROGRAM,
    programWatch: { version: async () => programVersion, confirm: async () => undefined, deploySlot: async () => null },
    relaxed: () => NONE_RELAXED,
    audits: { get: async () => new Map() },
    overruledUntil: () => null,
    group: MARGINFI_MAIN_GROUP,
    lookupTables: MARGINFI_MAIN_LOOKUP_TABLES,
    maxMicroLamportsPerUnit: 1_000_000n,
    tipLamports: 10_000n,
    logger,
    now: Date.now,
    swaps: createSwaps(localnet),
    swapPrograms: [SWAP_PROGRAM],
    swapBounds: SWAP_BOUNDS,
  };
  const pass = (seconds: number) => {
    passTime(time, seconds * SECOND_MS);
    // The open slot takes the time, and the next one makes it a block.
    settle();
    for (const feed of feeds) setFeedAge(ledger, feed, 0n);
    settle();
  };
  const stop = async () => {
    await simulator.close();
    await localnet.stop();
  };
  pass(0);
  return { localnet, ledger, deps, banks: listBanks(ledger), feeds, time, settle, pass, stop };
}

function crossbarOf({ switchboardUrl }: OpenedLocalnet): string {
  if (switchboardUrl === null) throw new TypeError('The demo market has a double of Switchboard');
  return switchboardUrl;
}

/** A finder that remembers nothing of what aggregators said to others. */
export function createSwaps(
  { aggregatorUrls: urls }: Pick<OpenedLocalnet, 'aggregatorUrls'>,
  patience: { readonly deadlineMs?: number; readonly patienceMs?: number } = {},
): LeverageDeps['swaps'] {
  if (urls === null) throw new TypeError('The demo market has doubles of the aggregators');
  return createSwapFinder({ urls, keys: KEYS, swapPrograms: [SWAP_PROGRAM], ...patience });
}

/**
 * An engine for which time stands still between a simulation and a landing: every transaction runs as of `slotOf()`, the slot a simulation
 * ran in, though it lands in the one after. What accrues by the slot at a venue is then the same for both, and a promise can be kept to
 * the base unit. The ledger goes on counting its own slots.
 */
function createStillEngine(engine: Engine, slotOf: () => bigint | null): Engine {
  return {
    execute(wire, accounts, context, options) {
      return engine.execute(wire, accounts, { ...context, slot: slotOf() ?? context.slot }, options);
    },
  };
}
