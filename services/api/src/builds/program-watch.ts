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
  /** Whether its state or its oracle's setup is a number that no version known here writes. A flag alone does not speak against building. */
  readonly hasUnknownNumber: boolean;
}

const EVERY_MS = 10_000;
/** What is inferred is asked for again: an IDL may come after the program that it is of. */
const INFER_AGAIN_MS = 300_000;
const STANDINGS: readonly ProgramStanding[] = ['known', 'inferred', 'upgrading', 'unknown'];

interface Judged {
  readonly key: string;
  readonly atMs: number;
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
    const foreign = banks.find(({ hasUnknownNumber }) => hasUnknownNumber);
    const unknownNumber =
      foreign === undefined ? null : `The bank ${foreign.address} has a state or an oracle that is not known here`;
    const reading = await readProgram(
      chain,
      options,
      banks.map(({ address }) => address),
      ask,
    );
    const key = `${keyOf(reading)} ${unknownNumber}`;
    if (last !== null && isBehind(reading, last.running)) return last.running;
    // What was not clear may be by now.
    if (last?.key === key && !isDoubtful(last)) return last.running;
    const questions = askProgram(chain, options, { ...ask, minContextSlot: reading.slot });
    const running = await judgeProgram(reading, questions, {
      ...(pinned && { pinned }),
      unknownNumber,
    });
    report(running);
    last = { key, running, atMs: performance.now() };
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
    async deploySlot(signal) {
      return (await readProgram(chain, options, [], signal === undefined ? {} : { signal })).deploySlot;
    },
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

function programKeyOf({ slot, deploySlot, feeState, group }: ProgramReading): string {
  return `${deploySlot} ${feeState} ${group} ${deploySlot !== null && slot <= deploySlot}`;
}

/** Whether a node that is behind answered: a program is not deployed backwards. */
function isBehind({ deploySlot }: ProgramReading, running: RunningProgram): boolean {
  return deploySlot !== null && running.deploySlot !== null && deploySlot < running.deploySlot;
}

function isDoubtful({ running: { standing, reason }, atMs }: Judged): boolean {
  return reason !== null || (standing === 'inferred' && performance.now() - atMs > INFER_AGAIN_MS);
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
 * @param acted the banks that the transaction acts on, whether the account holds them or not.
 * @throws ACTION__PROGRAM_UPGRADING naming the first that is short.
 */
export function refuseShortBanks(
  { accounts, held, version }: Pick<ActionState, 'accounts' | 'held' | 'version'>,
  acted: readonly Address[],
): void {
  const size = releaseOf(version).sizes.bank;
  const short = [...held.keys(), ...acted].find((bank) => (accounts.get(bank)?.data.length ?? size) < size);
  if (short === undefined) return;
  const running = { version, deploySlot: null, standing: 'upgrading', reason: null } as const;
  throw upgrading(running, `the bank ${short} is not as long yet as ${version} takes it to be`);
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
