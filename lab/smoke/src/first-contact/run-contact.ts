import { BANK_FLAG } from '@lending/domain';
import type { ProgramStanding } from '@lending/transactions';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import type { Address } from '@solana/kit';
import { ACCOUNTS_PER_CALL, type Cluster } from '#node/node.ts';
import { type ComparedBank, type ComparedHealth, compareBank, compareHealth } from './compare.ts';
import { openState, type StateFile } from './files.ts';
import { type Market, type Place, readMarket } from './market.ts';
import { createSimulate, type Simulate } from './pulse.ts';
import { ALL_QUESTIONS } from './questions/all-questions.ts';
import { type Answer, type Contact, open } from './questions/question.ts';
import { listGroupAccounts, type Scan, sampleAccounts, scanAccounts, type Wanted } from './scan.ts';

/** What was found of the program on this chain. */
export interface ContactReport {
  readonly program: {
    readonly address: string;
    readonly group: string;
    readonly version: string | null;
    readonly deploy_slot: string | null;
    readonly standing: ProgramStanding;
    /** What speaks against building for it; null for nothing. */
    readonly reason: string | null;
    /** Slots in which its code was replaced, as far as the node knows. */
    readonly deployments: readonly number[];
  };
  /** Flags of banks that are in use, and states, with how many banks have each. */
  readonly flags: Readonly<Record<string, number>>;
  readonly unreadable: readonly string[];
  readonly answers: readonly (Answer & {
    readonly id: string;
    readonly question: string;
    readonly strict_rule: string;
  })[];
  readonly healths: readonly ComparedHealth[];
  readonly banks: readonly ComparedBank[];
  readonly accounts: {
    readonly total: number;
    readonly seen: number;
    readonly shapes: Readonly<Record<string, number>>;
  };
  readonly calls: number;
}

/** What later parts of a run need besides the report. */
export interface Contacted {
  readonly report: ContactReport;
  readonly market: Market;
  readonly scan: Scan;
  readonly file: StateFile;
}

export interface ContactOptions extends Place {
  readonly cluster: Cluster;
  readonly folder: string;
  readonly isFresh: boolean;
  readonly callsPerSecond: number;
  readonly say: (line: string) => void;
}

const MOST_HEALTHS = 200;
/** Of reading the market, and of the checks of the service that follow; measured on the local chain. */
const OTHER_CALLS = 300;
const CALLS_PER_QUESTION = 6;
const SECOND_MS = 1_000;

/**
 * Reads the chain, asks all questions, and compares health, rates and prices with the program's own. What is found is kept in the folder
 * at once: a run that is interrupted goes on there.
 * @throws Error with one line where the program is not on this chain, or the node does not answer.
 */
export async function runContact(options: ContactOptions): Promise<Contacted> {
  const { node, cluster, say, folder, isFresh, program } = options;
  const before = node.calls;
  const market = await readMarket(options);
  const key = `${program} ${market.running.deploySlot} ${cluster.genesis_hash}`;
  const file = await openState(folder, key, isFresh);
  const { state } = file;
  const { deploySlot, version, standing, reason } = market.running;
  say(`The program is ${version ?? 'of no version known here'}, deployed at slot ${deploySlot} (${standing})`);
  if (file.isResumed)
    say(
      `Going on where an earlier run was: ${Object.keys(state.answers).length} answers, ${Object.keys(state.healths).length} healths`,
    );
  const addresses = await listGroupAccounts(options).catch((error: Error) => {
    say(`Accounts cannot be listed, and what takes one cannot be asked: ${error.message}`);
    return [];
  });
  foretell(options, market, addresses.length - state.scan.seen);
  const step = progress(file, say);
  const questions = ALL_QUESTIONS.filter(
    (question): question is typeof question & Wanted => question.looksFor !== undefined,
  );
  await scanAccounts(options, market, state.scan, addresses, questions, () =>
    step(`accounts read: ${state.scan.seen} of ${state.scan.total}`),
  );
  const simulate = createSimulate(options.chain, market);
  const deployments = await deploymentsOf(options, market);
  const contact: Contact = {
    ...{ market, scan: state.scan, simulate, deployments },
    readAccounts: (wanted) => readAccounts(options, wanted),
  };
  const answers = await askAll(contact, file, say);
  const healths = await compareHealths(contact, file, step);
  const banks = await compareBanks(market, simulate, step);
  await file.save(true);
  const report = {
    program: {
      ...{ address: program, group: options.group, version, standing, reason, deployments },
      deploy_slot: deploySlot === null ? null : String(deploySlot),
    },
    flags: flagsOf(market),
    unreadable: market.unreadable,
    answers: ALL_QUESTIONS.map(({ id, question, strictRule }) => ({
      ...{ id, question, strict_rule: strictRule },
      ...(answers[id] as Answer),
    })),
    healths,
    banks,
    accounts: {
      ...{ total: state.scan.total, seen: state.scan.seen },
      shapes: Object.fromEntries(Object.entries(state.scan.shapes).map(([shape, its]) => [shape, its.length])),
    },
    calls: node.calls - before,
  };
  return { report, market, scan: state.scan, file };
}

/** What this will take, before it begins. */
function foretell({ callsPerSecond, say }: ContactOptions, { banks }: Market, accounts: number): void {
  const pages = Math.ceil(Math.max(accounts, 0) / ACCOUNTS_PER_CALL);
  const calls =
    pages +
    ALL_QUESTIONS.length * CALLS_PER_QUESTION +
    Math.min(MOST_HEALTHS, Math.max(accounts, 0)) +
    banks.size +
    OTHER_CALLS;
  const minutes = Math.ceil(calls / callsPerSecond / 60);
  say(`About ${calls} calls to the node, ${minutes} min at ${callsPerSecond} a second`);
}

/** Keeps what was found, and says how far it is once in a while. */
function progress(file: StateFile, say: (line: string) => void): (line: string) => Promise<void> {
  const EVERY_MS = 5 * SECOND_MS;
  let saidMs = performance.now();
  return async (line) => {
    await file.save();
    if (performance.now() - saidMs < EVERY_MS) return;
    saidMs = performance.now();
    say(`        ${line}`);
  };
}

/** Asks what an earlier run did not; what the node failed at is asked again by the next run. */
async function askAll(
  contact: Contact,
  file: StateFile,
  say: (line: string) => void,
): Promise<Readonly<Record<string, Answer>>> {
  const { answers } = file.state;
  const unanswered: Record<string, Answer> = {};
  for (const { id, question, ask } of ALL_QUESTIONS) {
    try {
      answers[id] ??= await ask(contact);
    } catch (error) {
      unanswered[id] = open((error as Error).message);
    }
    await file.save(true);
    say(`answer  ${question} ${(answers[id] ?? unanswered[id])?.answer}`);
  }
  return { ...unanswered, ...answers };
}

async function compareHealths(
  { market, scan, simulate, readAccounts: read }: Contact,
  file: StateFile,
  step: (line: string) => Promise<void>,
): Promise<readonly ComparedHealth[]> {
  const { healths, answers } = file.state;
  const countsPaused = answers.paused_collateral_zero_weight?.relaxes === true;
  const sample = sampleAccounts(scan, MOST_HEALTHS);
  const accounts = await read(sample.filter((address) => healths[address] === undefined));
  const notCompared: ComparedHealth[] = [];
  for (const account of accounts) {
    const compared = await compareHealth(market, simulate, account, countsPaused);
    if (compared.outcome === 'not_compared') notCompared.push(compared);
    else healths[account.address] = compared;
    await step(`healths compared: ${Object.keys(healths).length + notCompared.length} of ${sample.length}`);
  }
  return [...Object.values(healths), ...notCompared];
}

async function compareBanks(
  market: Market,
  simulate: Simulate,
  step: (line: string) => Promise<void>,
): Promise<readonly ComparedBank[]> {
  const compared: ComparedBank[] = [];
  for (const bank of market.banks.values()) {
    compared.push(await compareBank(market, simulate, bank));
    await step(`banks compared: ${compared.length} of ${market.banks.size}`);
  }
  return compared;
}

async function readAccounts({ chain, program }: Place, addresses: readonly Address[]): Promise<readonly P0Account[]> {
  const batches = await chain.fetchAccounts(addresses);
  return batches.flatMap(({ accounts }) =>
    accounts.flatMap((bytes) => {
      try {
        return bytes === null ? [] : [decodeMarginfiAccount(bytes, program)];
      } catch {
        return [];
      }
    }),
  );
}

const MOST_DEPLOYMENTS = 20;

async function deploymentsOf({ node }: Place, { programData }: Market): Promise<readonly number[]> {
  if (programData === null) return [];
  const options = { limit: MOST_DEPLOYMENTS, commitment: 'confirmed' };
  const signatures = await node
    .ask<readonly { readonly slot: number; readonly err: unknown }[]>('getSignaturesForAddress', [programData, options])
    .catch(() => []);
  return signatures.filter(({ err }) => err === null).map(({ slot }) => slot);
}

function flagsOf({ banks }: Market): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { flags, operationalState } of banks.values()) {
    for (const [name, bit] of Object.entries(BANK_FLAG)) if ((flags & bit) !== 0n) count(name);
    count(`state ${operationalState}`);
  }
  return counts;
}
