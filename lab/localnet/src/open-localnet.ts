import { createHash } from 'node:crypto';
import { NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import { createTraffic } from '#actors/traffic.ts';
import { beginUpgrade, type Upgrade } from '#actors/upgrade.ts';
import type { AggregatorFault } from '#aggregators/aggregator-fault.ts';
import { type AggregatorRequest, createAggregators } from '#aggregators/aggregators.ts';
import type { AggregatorName } from '#aggregators/find-route.ts';
import type { AccountState, Engine } from '#engine/engine.ts';
import { createLiteSvmEngine } from '#engine/litesvm-engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { type Genesis, loadGenesis } from '#genesis/load-genesis.ts';
import type { ClockSource } from '#ledger/clock.ts';
import { createDemoMarket, type DemoMarket, type DemoMarketOptions } from '#market/demo-market.ts';
import { deployedBefore, lengthened, programAccounts } from '#market/program-accounts.ts';
import type { DemoWallet } from '#market/wallets.ts';
import type { SwitchboardFault } from '#switchboard/switchboard-fault.ts';
import { createSwitchboardServer } from '#switchboard/switchboard-server.ts';
import { createLocalnet, type Localnet, type LocalnetOptions } from './localnet.ts';

type ChainOptions = Pick<
  LocalnetOptions,
  'slotMs' | 'startSlot' | 'relaxesFeePayer' | 'folder' | 'history' | 'nowMs' | 'port' | 'report'
>;

export interface OpenLocalnetOptions extends ChainOptions {
  /** What the chain holds: the demo market, or accounts from a folder of dumps or a manifest. */
  readonly genesis:
    | {
        readonly kind: 'demo';
        readonly seed?: number;
        /** How many lending accounts hold what the banks were lent, besides those of the people; for load, default 0. */
        readonly crowd?: number;
      }
    | { readonly kind: 'dumps'; readonly path: string; readonly fixturesDir: string };
  /** Default: LiteSVM with the code of `elfFolder` when that is given, else our own model of the programs. */
  readonly engine?: Engine;
  /** Of the lending program, at the beginning; default the newest known. Code of `elfFolder` is of its own. */
  readonly programVersion?: ProgramVersion;
  readonly elfFolder?: string;
  /** How many transactions a second the people of the demo market send; default 0. */
  readonly transactionsPerSecond?: number;
}

export interface OpenedLocalnet extends Localnet {
  /** Wallets with money; none on a chain of dumps. */
  readonly wallets: readonly DemoWallet[];
  /** What a person should know about the accounts; often nothing. */
  readonly notes: readonly string[];
  /**
   * Deploys another version of the lending program while the chain runs: for some slots nothing of it loads, then account by account
   * what is lengthened. A version that is not modelled runs as the newest that is.
   * @param perSlot accounts that are lengthened in a slot; default 1.
   * @returns when all are as long as the version takes them to be, where slots pass.
   */
  upgrade(version: string, perSlot?: number): Promise<void>;
  /** Stops the people of the demo market from acting until `act`; slots and prices go on. */
  rest(): void;
  /** Lets them act again, from the next slot on. */
  act(): void;
  /**
   * Crossbar of the double of Switchboard, which names its gateways on the same host; known once started. Null where there is none: with
   * dumps, and on the LiteSVM engine, which has no Switchboard program; there all feeds are pushed.
   */
  readonly switchboardUrl: string | null;
  /** Makes Switchboard fail on purpose, until called with null. */
  setSwitchboardFault(fault: SwitchboardFault | null): void;
  /**
   * The doubles of the swap aggregators, which trade through `SWAP_PROGRAM`; known once started. Null where there are none: with dumps,
   * and on the LiteSVM engine, which has no such program.
   */
  readonly aggregatorUrls: Readonly<Record<AggregatorName, string>> | null;
  /** What an aggregator was asked, oldest first; the last thousand. */
  aggregatorRequests(aggregator: AggregatorName): readonly AggregatorRequest[];
  /** Makes an aggregator fail, or lie, on purpose, until called with null. */
  setAggregatorFault(aggregator: AggregatorName, fault: AggregatorFault | null): void;
}

/** Changes whenever the demo market begins otherwise, so that a chain stored by an older build is not continued. */
const DEMO_GENESIS = 9;
/** What a person should know of a demo market on program code. */
const NO_SWITCHBOARD =
  'This engine has no Switchboard program: all its feeds are pushed, and nothing has to be cranked';
const NO_SWAPS = 'This engine has no swap program: nobody quotes swaps';
/** A slot as mainnet has it in late 2026, so that what is tried here meets numbers of that width. */
const START_SLOT = 450_000_000n;

/**
 * The local chain with something on it, built but not started. A stored chain continues only while its genesis is the same.
 * @throws LOCALNET__GENESIS_INVALID when the dumps cannot be used, LOCALNET__PROGRAM_INVALID when program code cannot.
 */
export async function openLocalnet(options: OpenLocalnetOptions): Promise<OpenedLocalnet> {
  const { genesis: source, elfFolder, startSlot = START_SLOT, transactionsPerSecond = 0, ...rest } = options;
  const { programVersion = NEWEST_VERSION } = options;
  const { slotMs = 400, nowMs = Date.now, report = (line) => process.stderr.write(`localnet: ${line}\n`) } = options;
  const engine = options.engine ?? (await createEngine(elfFolder));
  const { genesis, market, cluster } = await readSource(source, nowMs(), {
    transactionsPerSecond,
    slotMs: slotMs ?? 400,
    pushesAll: elfFolder !== undefined,
    programVersion,
  });
  const localnet = createLocalnet({
    ...rest,
    engine,
    cluster,
    clock: clockOf(genesis),
    startSlot: startSlot > START_SLOT ? startSlot : START_SLOT,
    // Dumps come without the programs they belong to.
    genesis: () =>
      new Map([
        ...programAccounts(deployedBefore(START_SLOT, programVersion)),
        ...lengthened(genesis.accounts, programVersion),
      ]),
  });
  const { ledger } = localnet;
  const traffic = market === null ? null : createTraffic(ledger, market.turns, { spreadMs: slotMs ?? 0, report });
  const hasDoubles = market !== null && elfFolder === undefined;
  const switchboard = hasDoubles ? createSwitchboardServer({ ledger, priceAt: market.priceAt }) : null;
  const aggregators = hasDoubles ? createAggregators(ledger) : null;
  let switchboardUrl: string | null = null;
  let aggregatorUrls: OpenedLocalnet['aggregatorUrls'] = null;
  let isResting = false;
  const upgrades: { readonly upgrade: Upgrade; readonly done: () => void }[] = [];
  ledger.onSlot((slot) => {
    market?.onSlot(ledger, slot);
    for (const { upgrade, done } of upgrades.splice(0)) {
      if (upgrade.onSlot()) done();
      else upgrades.push({ upgrade, done });
    }
    if (!isResting) traffic?.onSlot(slot);
  });
  return {
    ledger,
    start: async () => {
      await localnet.start();
      switchboardUrl = (await switchboard?.listen(0)) ?? null;
      aggregatorUrls = (await aggregators?.listen()) ?? null;
    },
    stop: async () => {
      traffic?.stop();
      await switchboard?.close();
      await aggregators?.close();
      await localnet.stop();
    },
    setFault: localnet.setFault,
    openNode: localnet.openNode,
    openGeyser: localnet.openGeyser,
    get rpcUrl() {
      return localnet.rpcUrl;
    },
    get wsUrl() {
      return localnet.wsUrl;
    },
    wallets: market?.wallets ?? [],
    notes: market === null || hasDoubles ? genesis.notes : [...genesis.notes, NO_SWITCHBOARD, NO_SWAPS],
    get switchboardUrl() {
      return switchboardUrl;
    },
    setSwitchboardFault: (fault) => switchboard?.setFault(fault),
    get aggregatorUrls() {
      return aggregatorUrls;
    },
    aggregatorRequests: (aggregator) => aggregators?.requestsOf(aggregator) ?? [],
    setAggregatorFault: (aggregator, fault) => aggregators?.setFault(aggregator, fault),
    upgrade: (version, perSlot = 1) =>
      new Promise((done) => upgrades.push({ upgrade: beginUpgrade(ledger, version, perSlot), done })),
    rest() {
      isResting = true;
      traffic?.stop();
    },
    act() {
      isResting = false;
    },
  };
}

function createEngine(elfFolder: string | undefined): Engine | Promise<Engine> {
  return elfFolder === undefined ? createModelEngine() : createLiteSvmEngine({ folder: elfFolder });
}

interface Source {
  readonly genesis: Genesis;
  readonly market: DemoMarket | null;
  readonly cluster: string;
}

async function readSource(
  source: OpenLocalnetOptions['genesis'],
  nowMs: number,
  pace: Required<Pick<DemoMarketOptions, 'transactionsPerSecond' | 'slotMs' | 'pushesAll' | 'programVersion'>>,
): Promise<Source> {
  if (source.kind === 'dumps') {
    const genesis = await loadGenesis(source.path, source.fixturesDir);
    return { genesis, market: null, cluster: `dumps of ${pace.programVersion}, ${fingerprint(genesis)}` };
  }
  const { seed = 1, crowd = 0 } = source;
  const unixTimestamp = BigInt(Math.floor(nowMs / 1000));
  const market = await createDemoMarket({ unixTimestamp, slot: START_SLOT, seed, crowd, ...pace });
  const name = `demo market ${DEMO_GENESIS} of ${pace.programVersion}, seed ${seed}`;
  return { genesis: market.genesis, market, cluster: crowd === 0 ? name : `${name}, crowd ${crowd}` };
}

function clockOf({ clock }: Genesis): ClockSource {
  return clock === null ? { kind: 'real' } : { kind: 'frozen', unixTimestamp: clock };
}

/** Changes with any byte of the accounts and with the clock. */
function fingerprint({ accounts, clock }: Genesis): string {
  const hash = createHash('sha256').update(String(clock));
  const byAddress = ([a]: readonly [Address, AccountState], [b]: readonly [Address, AccountState]) => (a < b ? -1 : 1);
  for (const [address, { lamports, owner, data, executable }] of [...accounts].toSorted(byAddress)) {
    hash.update(`\n${address} ${lamports} ${owner} ${executable} ${data.length} `).update(data);
  }
  return hash.digest('hex').slice(0, 16);
}
