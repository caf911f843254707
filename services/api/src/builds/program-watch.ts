import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { type ProgramVersion, releaseOf } from '@lending/programs';
import { type Logger, type Metrics, runBeat } from '@lending/runtime';
import {
  type ActionState,
  askProgram,
  judgeProgram,
  type LendingProgram,
  type PinnedSlots,
  type ProgramReading,
  type ProgramStanding,
  type RunningProgram,
  readProgram,
} from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { ProgramStatus } from '#records/program-status.ts';

/** Knows which version of the lending program runs, and sees when that changes. */
export interface ProgramWatch {
  /** As it was last judged; null before the first time. */
  latest(): ProgramStatus | null;
  /**
   * The version to build for. Waits for the node only before the first answer.
   * @throws ACTION__PROGRAM_UPGRADING, ACTION__PROGRAM_UNSUPPORTED, and what reading the chain throws.
   */
  version(signal?: AbortSignal): Promise<ProgramVersion>;
  /**
   * Asks the chain whether that version still runs; to be sent beside a build's own reads.
   * @throws the same, and ACTION__PROGRAM_UPGRADING where another one runs by now.
   */
  confirm(version: ProgramVersion, signal?: AbortSignal): Promise<void>;
  /** When the program was last deployed, read now; null where the chain does not say. */
  deploySlot(signal?: AbortSignal): Promise<bigint | null>;
  close(): Promise<void>;
}

export interface ProgramWatchOptions extends LendingProgram {
  readonly chain: Pick<Chain, 'rpc' | 'fetchAccounts'>;
  /** The banks that are known: an upgrade is over when all of them are as long as it takes them to be. */
  readonly listBanks: () => Promise<readonly WatchedBank[]>;
  /** Deploy slots that an operator knows. */
  readonly pinned?: PinnedSlots;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly everyMs?: number;
}

export interface WatchedBank {
  readonly address: Address;
  /** Whether a number in it is one that no version known here writes. */
  readonly isForeign: boolean;
}

const EVERY_MS = 10_000;
const STANDINGS: readonly ProgramStanding[] = ['known', 'inferred', 'upgrading', 'unknown'];

interface Judged {
  readonly key: string;
  readonly running: RunningProgram;
}

export function createProgramWatch(options: ProgramWatchOptions): ProgramWatch {
  const { chain, listBanks, pinned, logger, metrics, everyMs = EVERY_MS } = options;
  let last: Judged | null = null;
  metrics.gauge({
    name: 'program.version.slot',
    help: 'Slot in which the lending program was last deployed; 0 before it was read',
    collect: () => Number(last?.running.deploySlot ?? 0n),
  });
  metrics.gauge({
    name: 'program.version.standing',
    help: 'How far it is certain which version of the lending program runs: 1 for what holds',
    labels: ['standing'],
    collectEach: () =>
      STANDINGS.map((standing) => [{ standing }, last?.running.standing === standing ? 1 : 0] as const),
  });

  async function judge(signal?: AbortSignal): Promise<RunningProgram> {
    const ask = signal === undefined ? {} : { signal };
    const banks = await listBanks();
    const foreign = banks.find(({ isForeign }) => isForeign);
    const foreignNumber =
      foreign === undefined ? null : `The bank ${foreign.address} has a number that is not known here`;
    const reading = await readProgram(
      chain,
      options,
      banks.map(({ address }) => address),
      ask,
    );
    const key = `${keyOf(reading)} ${foreignNumber}`;
    // What was not clear may be by now.
    if (last?.key === key && last.running.reason === null) return last.running;
    const running = await judgeProgram(reading, askProgram(chain, options, ask), {
      ...(pinned && { pinned }),
      foreignNumber,
    });
    report(running);
    last = { key, running };
    return running;
  }

  function report({ version, deploySlot, standing, reason }: RunningProgram): void {
    const before = last?.running;
    if (before?.deploySlot === deploySlot && before.standing === standing && before.reason === reason) return;
    const isWell = standing === 'known' || standing === 'inferred';
    logger[isWell ? 'info' : 'error']('program.version.change', { version, deploySlot, standing, reason });
  }

  const stopping = new AbortController();
  const watching = runBeat(everyMs, stopping.signal, async () => {
    try {
      await judge(stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) logger.debug('program.version.fail', { error });
    }
  });

  return {
    latest: () => (last === null ? null : describeProgram(last.running)),
    async version(signal) {
      return versionOf(last?.running.reason === null ? last.running : await judge(signal));
    },
    async confirm(version, signal) {
      const reading = await readProgram(chain, options, [], signal === undefined ? {} : { signal });
      // While accounts are lengthened one by one, only all of them tell whether that is over.
      const isSame = last?.key.startsWith(`${programKeyOf(reading)} `) && last.running.reason === null;
      const running = isSame && last !== null ? last.running : await judge(signal);
      if (versionOf(running) !== version) throw upgrading(running, `${running.version} runs now, it was ${version}`);
    },
    deploySlot: async (signal) => (await judge(signal)).deploySlot,
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

function programKeyOf({ slot, programData, feeState, group }: ProgramReading): string {
  const data = programData === null ? '' : Buffer.from(programData).toString('hex');
  const isNew = programData !== null && slot <= Buffer.from(programData).readBigUInt64LE(4);
  return `${data} ${feeState} ${group} ${isNew}`;
}

/** Two readings of which one has been judged tell the same. */
function keyOf(reading: ProgramReading): string {
  return `${programKeyOf(reading)} ${[...new Set(reading.banks)].sort().join()}`;
}

function versionOf(running: RunningProgram): ProgramVersion {
  const { version, standing, reason } = running;
  if (standing === 'upgrading') throw upgrading(running, reason ?? 'it was just deployed');
  if (version !== null && reason === null) return version;
  throw new LendingError('ACTION__PROGRAM_UNSUPPORTED', {
    message: `Nothing is built for the lending program as it runs: ${reason} — allowed: everything that reads — report details.program to the operator, and wait until the service was upgraded`,
    context: { program: describeProgram(running) },
  });
}

function upgrading(running: RunningProgram, reason: string): LendingError {
  return new LendingError('ACTION__PROGRAM_UPGRADING', {
    message: `The lending program is being upgraded: ${reason} — allowed: everything that reads — make the same call again in a minute`,
    context: { program: describeProgram(running) },
  });
}

/**
 * Banks are lengthened one by one, and until then no transaction of the new version loads them.
 * @throws ACTION__PROGRAM_UPGRADING naming the first that is short.
 */
export function refuseShortBanks(
  state: Pick<ActionState, 'accounts' | 'held' | 'version'> & Partial<Pick<ActionState, 'target'>>,
): void {
  const size = releaseOf(state.version).sizes.bank;
  const banks = [...state.held.keys(), ...(state.target ? [state.target.bank.address] : [])];
  const short = banks.find((bank) => (state.accounts.get(bank)?.data.length ?? size) < size);
  if (short === undefined) return;
  const running = { version: state.version, deploySlot: null, standing: 'upgrading', reason: null } as const;
  throw upgrading(running, `the bank ${short} is not as long yet as ${state.version} takes it to be`);
}

/** What `P0_PROGRAM_SLOTS` says. */
export function pinnedSlots(items: readonly string[] = []): PinnedSlots {
  return new Map(
    items.map((item) => {
      const [slot = '', version] = item.split('=');
      return [BigInt(slot), version as ProgramVersion];
    }),
  );
}

/** As it is shown. */
function describeProgram({ version, deploySlot, standing, reason }: RunningProgram): ProgramStatus {
  return { version, deploy_slot: deploySlot === null ? null : Number(deploySlot), standing, reason };
}
