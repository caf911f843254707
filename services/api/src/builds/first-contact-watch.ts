import { stat } from 'node:fs/promises';
import { isStrictRule, NONE_RELAXED, type RelaxedRules } from '@lending/domain';
import { type Logger, runBeat } from '@lending/runtime';
import { type FirstContact, readFirstContact } from '@lending/runtime/first-contact-file.ts';
import type { VerifiedOnChain } from '#records/verified-on-chain.ts';
import type { ProgramWatch } from './program-watch.ts';

/** Knows whether a run of first contact stands for the lending program as it runs. */
export interface FirstContactWatch {
  /** Null where no run does: there is no file, it cannot be read, or the program is another or was deployed again since. */
  latest(): VerifiedOnChain | null;
  /** The strict rules that the same run relaxes: none where none stands. */
  relaxed(): RelaxedRules;
  close(): Promise<void>;
}

export interface FirstContactWatchOptions {
  /** The file that the run wrote; undefined: none is named. */
  readonly path: string | undefined;
  readonly source: 'chain' | 'localnet';
  readonly program: string;
  readonly programWatch: Pick<ProgramWatch, 'latest'>;
  readonly logger: Logger;
  /** How often it is looked whether the file was changed. Default a minute. */
  readonly everyMs?: number;
}

const EVERY_MS = 60_000;
const LOCAL_CHAIN: VerifiedOnChain = {
  kind: 'local_chain',
  at: null,
  verdict: null,
  exceptions: null,
  deploy_slot: null,
};

/** Without a run. */
const NONE: FirstContactWatch = {
  latest: () => null,
  relaxed: () => NONE_RELAXED,
  close: async () => undefined,
};

/** Resolves when the file was read once. A file that cannot be read is logged once for each of its versions. */
export async function watchFirstContact(options: FirstContactWatchOptions): Promise<FirstContactWatch> {
  const { path, source, program, programWatch, logger, everyMs = EVERY_MS } = options;
  if (source === 'localnet') return { ...NONE, latest: () => LOCAL_CHAIN };
  if (path === undefined) return NONE;
  let report: FirstContact | null = null;
  let relaxed = NONE_RELAXED;
  let readVersion: string | null = null;

  async function look(file: string): Promise<void> {
    const version = await versionOf(file);
    if (version === readVersion) return;
    readVersion = version;
    try {
      report = await readFirstContact(file);
      if (report === null) return;
      logger.info('program.contact.read', { ...report });
      relaxed = new Set(report.relaxed.filter(isStrictRule));
      const unknown = report.relaxed.filter((id) => !isStrictRule(id));
      if (unknown.length > 0) logger.warn('program.contact.unknown', { rules: unknown });
    } catch (error) {
      report = null;
      logger.error('program.contact.fail', { error });
    }
  }

  await look(path);
  const stopping = new AbortController();
  const watching = runBeat(everyMs, stopping.signal, () => look(path));
  const latest = () => (report === null ? null : judge(report, program, programWatch.latest()?.deploy_slot ?? null));
  return {
    latest,
    relaxed: () => (latest() === null ? NONE_RELAXED : relaxed),
    async close() {
      stopping.abort();
      await watching;
    },
  };
}

/** Null where there is no such file. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

function judge(report: FirstContact, program: string, deploySlot: number | null): VerifiedOnChain | null {
  if (report.program !== program || deploySlot === null || report.deploy_slot !== String(deploySlot)) return null;
  const { at, verdict, exceptions } = report;
  return { kind: 'run', at, verdict, exceptions, deploy_slot: deploySlot };
}
