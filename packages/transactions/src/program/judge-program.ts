import {
  BUILT_VERSIONS,
  NEWEST_VERSION,
  PROGRAM_VERSIONS,
  type ProgramVersion,
  RELEASES,
  releaseOf,
} from '@lending/programs';

/**
 * How far it is certain which version runs. `known`: the slot of its deployment says it, or lies where only one release was deployed.
 * `inferred`: the lengths of its accounts and an instruction that it dispatches agree, and nothing speaks against it; of the newest version
 * known here a successor looks the same.
 * `upgrading`: it was deployed, and accounts are not as long yet as it takes them to be. `unknown`: anything else.
 */
export type ProgramStanding = 'known' | 'inferred' | 'upgrading' | 'unknown';

/** The lending program as it runs on the chain. */
export interface RunningProgram {
  /** Null while it is not known; of an upgrade the version that is coming. */
  readonly version: ProgramVersion | null;
  /** The slot of its last deployment; null where the chain does not say. */
  readonly deploySlot: bigint | null;
  readonly standing: ProgramStanding;
  /** What speaks against building; null where nothing does. */
  readonly reason: string | null;
}

/** What is read of the program's accounts at one slot: when it was deployed, and how long they are. */
export interface ProgramReading {
  readonly slot: bigint;
  /** When it was last deployed; null where the chain does not say. */
  readonly deploySlot: bigint | null;
  /** Bytes; null for an account that is missing. */
  readonly feeState: number | null;
  readonly group: number | null;
  readonly banks: readonly number[];
}

/** Why it cannot be told. */
export interface Unclear {
  readonly unclear: string;
}

/** What is asked where the slot does not tell the version. */
export interface ProgramQuestions {
  /** Whether the program dispatches an instruction of this name. */
  dispatches(instruction: string): Promise<boolean | Unclear>;
  /** The version that the IDL beside the program names; null without one that can be read. It may be ahead of what runs. */
  readIdlVersion(): Promise<string | null>;
}

/** Versions by the slot of their deployment, as an operator knows them besides those of the releases. */
export type PinnedSlots = ReadonlyMap<bigint, ProgramVersion>;

export interface JudgeOptions {
  readonly pinned?: PinnedSlots;
  /** A state or an oracle of a bank that no version known here writes, in words. */
  readonly unknownNumber?: string | null;
}

/** An instruction that no program has. */
const CONTROL = 'no_program_has_this_instruction';

/**
 * Which version of the program runs.
 * @throws what the questions throw; they are asked only where the slot is not a known one.
 */
export async function judgeProgram(
  reading: ProgramReading,
  questions: ProgramQuestions,
  { pinned = new Map(), unknownNumber = null }: JudgeOptions = {},
): Promise<RunningProgram> {
  const { deploySlot } = reading;
  if (deploySlot === null) {
    return { version: null, deploySlot, standing: 'unknown', reason: 'The program has no data account of its own' };
  }
  const unknown = (reason: string): RunningProgram => ({ version: null, deploySlot, standing: 'unknown', reason });
  const foreign = findForeignLength(reading);
  if (foreign !== null) return unknown(foreign);
  const known = versionOfSlot(deploySlot, pinned);
  if (reading.slot <= deploySlot) {
    return { version: known, deploySlot, standing: 'upgrading', reason: 'The program was deployed in this slot' };
  }
  const version = known ?? (await probe(questions));
  if (version === null) return unknown('The program dispatches no instruction that tells a version that is built for');
  if (typeof version !== 'string') return unknown(version.unclear);
  const { short, long } = compareLengths(reading, version);
  if (short !== null) return { version, deploySlot, standing: 'upgrading', reason: short };
  if (long !== null) return unknown(long);
  if (known === null) {
    if (unknownNumber !== null) return unknown(unknownNumber);
    const named = await questions.readIdlVersion();
    if (named !== null && isNewer(named)) {
      return unknown(`The program's IDL names version ${named}, the newest that is known here is ${NEWEST_VERSION}`);
    }
  }
  if (!BUILT_VERSIONS.includes(version)) return unknown(`Nothing is built for ${version}`);
  return { version, deploySlot, standing: known === null ? 'inferred' : 'known', reason: null };
}

/** The version whose slot it is, or the only one that was deployed between two slots that are known. */
function versionOfSlot(slot: bigint, pinned: PinnedSlots): ProgramVersion | null {
  const slots = new Map(pinned);
  for (const { version, deploySlot } of RELEASES) if (deploySlot !== null) slots.set(deploySlot, version);
  const exact = slots.get(slot);
  if (exact !== undefined) return exact;
  const known = [...slots].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const before = known.findLast(([at]) => at < slot)?.[1];
  const after = known.find(([at]) => at > slot)?.[1];
  if (before === undefined || after === undefined) return null;
  const between = PROGRAM_VERSIONS.slice(PROGRAM_VERSIONS.indexOf(before) + 1, PROGRAM_VERSIONS.indexOf(after));
  return between.length === 1 ? (between[0] ?? null) : null;
}

/** The newest version that has its own instruction. */
async function probe({ dispatches }: ProgramQuestions): Promise<ProgramVersion | Unclear | null> {
  const control = await dispatches(CONTROL);
  if (control !== false)
    return control === true ? { unclear: 'The node runs instructions that no program has' } : control;
  for (const { version, firstInstruction } of RELEASES.toReversed()) {
    if (firstInstruction === null) continue;
    const answer = await dispatches(firstInstruction);
    if (answer !== false) return answer === true ? version : answer;
  }
  return null;
}

const KINDS = [
  ['feeState', 'The fee state'],
  ['group', 'The group'],
  ['bank', 'A bank'],
] as const;

function lengthsOf({ feeState, group, banks }: ProgramReading) {
  return { feeState: feeState === null ? [] : [feeState], group: group === null ? [] : [group], bank: banks };
}

/** An account that is as long as no version makes it. */
function findForeignLength(reading: ProgramReading): string | null {
  const lengths = lengthsOf(reading);
  for (const [kind, label] of KINDS) {
    const sizes = new Set<number>(RELEASES.map((release) => release.sizes[kind]));
    const foreign = lengths[kind].find((length) => !sizes.has(length));
    if (foreign !== undefined) return `${label} has ${foreign} bytes, which no version known here writes`;
  }
  return null;
}

/**
 * Accounts that are shorter or longer than a version makes them. A short bank keeps nobody from building elsewhere: banks are lengthened one
 * by one, some perhaps never.
 */
function compareLengths(reading: ProgramReading, version: ProgramVersion) {
  const { sizes } = releaseOf(version);
  const lengths = lengthsOf(reading);
  const find = (kinds: readonly (typeof KINDS)[number][], differs: (length: number, size: number) => boolean) => {
    for (const [kind, label] of kinds) {
      const length = lengths[kind].find((each) => differs(each, sizes[kind]));
      if (length !== undefined) return `${label} has ${length} bytes, ${version} takes it to have ${sizes[kind]}`;
    }
    return null;
  };
  const shared = KINDS.filter(([kind]) => kind !== 'bank');
  return { short: find(shared, (length, size) => length < size), long: find(KINDS, (length, size) => length > size) };
}

/** Whether a version that an IDL names came after all that are known here. */
function isNewer(named: string): boolean {
  const [found, newest] = [named, NEWEST_VERSION].map((text) => text.replace(/-.*/, '').split('.').map(Number));
  if (found === undefined || newest === undefined || found.some(Number.isNaN)) return false;
  for (let index = 0; index < Math.max(found.length, newest.length); index += 1) {
    const difference = (found[index] ?? 0) - (newest[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
