import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  bankLayout,
  feeStateLayout,
  findFeeState,
  marginfiAccountLayout,
  marginfiGroupLayout,
  orderLayout,
} from '@lending/programs';
import {
  type Address,
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from '@solana/kit';
import type { Place } from '#first-contact/market.ts';
import type { Contacted } from '#first-contact/run-contact.ts';
import type { Report } from '#report/report.ts';

/** Of the lending program's accounts the names that the fixtures have for them. */
const KINDS = [
  ['mfi:Bank', bankLayout],
  ['mfi:MarginfiAccount', marginfiAccountLayout],
  ['mfi:MarginfiGroup', marginfiGroupLayout],
  ['mfi:FeeState', feeStateLayout],
  ['mfi:Order', orderLayout],
] as const;

const FOLDER = 'first-contact';
const MOST_TRANSACTIONS = 1_000;
const SAID_EVERY = 100;

/**
 * Makes sure that a folder can be written, before minutes are spent on what would go there.
 * @throws Error with one line.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await write(folder, '.try', '\n');
}

/**
 * Writes what was seen into a folder in the form of the fixtures: accounts as they are now, the last transactions of the group with their
 * logs, the slot of the deployment and all answers. Transactions that are there already are not read again.
 * @throws Error with one line where the folder cannot be written, or the node does not answer.
 */
export async function recordContact(
  place: Place,
  { market, report: contact }: Contacted,
  report: Pick<Report, 'at' | 'verdict' | 'exceptions' | 'relaxed' | 'cluster'>,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  const [feeState] = await findFeeState(market.program);
  const addresses = new Set<Address>([
    ...[feeState, market.group.address, ...market.banks.keys()],
    ...[...market.banks.values()].flatMap(({ oracle, mint, venueAccount }) => [
      mint,
      venueAccount ?? mint,
      ...oracle.keys,
    ]),
    ...contact.healths.map(({ account }) => account as Address),
    ...[...market.orders, ...market.rebalanceOrders].map(({ address }) => address),
  ]);
  const batches = await place.chain.fetchAccounts([...addresses]);
  let accounts = 0;
  for (const account of batches.flatMap((batch) => batch.accounts)) {
    if (account === null) continue;
    const { address, owner, lamports, data, slot } = account;
    const kind = KINDS.find(
      ([, layout]) => owner === market.program && layout.discriminator.every((byte, nth) => data[nth] === byte),
    );
    const dump = {
      ...{ address, owner, lamports: Number(lamports), executable: false, rentEpoch: null, space: data.length },
      data: [Buffer.from(data).toString('base64'), 'base64'],
      source: `chain ${report.cluster.genesis_hash}, slot ${slot}`,
      note: 'Recorded by npm run smoke --record.',
    };
    const name = `accounts/${FOLDER}/${address}`;
    await writeJson(folder, `${name}.json`, dump);
    const essentials = { compared: comparedOf(contact, address) };
    await writeJson(folder, `${name}.expected.json`, {
      ...{ fixture: `${address}.json`, kind: kind?.[0] ?? 'other', decoder: 'lending service', essentials },
    });
    accounts += 1;
  }
  const transactions = await recordTransactions(place, folder, say);
  const { at, verdict, exceptions, relaxed, cluster } = report;
  const { genesis_hash: genesis, name, slot, node_version: node } = cluster;
  await writeJson(folder, `${FOLDER}.json`, {
    at,
    verdict,
    exceptions,
    relaxed,
    cluster: { genesis, name, slot, node },
    contact,
  });
  say(`Recorded ${accounts} accounts and ${transactions} transactions in ${folder}`);
}

/** What was found of an account: ours beside the program's own. */
function comparedOf({ healths, banks }: Contacted['report'], address: string): unknown {
  return healths.find(({ account }) => account === address) ?? banks.find(({ bank }) => bank === address) ?? null;
}

async function recordTransactions(
  { node, group }: Place,
  folder: string,
  say: (line: string) => void,
): Promise<number> {
  const options = { limit: MOST_TRANSACTIONS, commitment: 'confirmed' };
  const signatures = await node.ask<readonly { readonly signature: string }[]>('getSignaturesForAddress', [
    group,
    options,
  ]);
  for (const [nth, { signature }] of signatures.entries()) {
    if (nth > 0 && nth % SAID_EVERY === 0) say(`        transactions recorded: ${nth} of ${signatures.length}`);
    const name = `transactions/${FOLDER}-${signature}`;
    if (await isThere(join(folder, `${name}.expected.json`))) continue;
    const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const answered = await node.ask<AnsweredTransaction | null>('getTransaction', [signature, config]);
    if (answered === null) continue;
    const { fixture, expected } = toFixture(answered);
    await writeJson(folder, `${name}.json`, fixture);
    await writeJson(folder, `${name}.expected.json`, { fixture: `${FOLDER}-${signature}.json`, ...expected });
  }
  return signatures.length;
}

function writeJson(folder: string, name: string, value: unknown): Promise<void> {
  return write(folder, name, `${JSON.stringify(value, null, 1)}\n`);
}

async function write(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`--record ${folder} cannot be written: ${code === 'ENOSPC' ? 'the disk is full' : code}`, {
      cause: error,
    });
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** As `getTransaction` answers with base64. */
interface AnsweredTransaction {
  readonly slot: number;
  readonly blockTime: number | null;
  readonly version: unknown;
  readonly transaction: readonly [string, string];
  readonly meta: unknown;
}

/** A transaction in the form of the fixtures, and what is to be found in it: as its message says, and not as anything of ours reads it. */
function toFixture({ slot, blockTime, version, transaction, meta }: AnsweredTransaction) {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(transaction[0]));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const base58 = getBase58Decoder();
  const calls =
    message.version === 1
      ? message.instructionHeaders.map(({ programAccountIndex }, nth) => ({
          programIndex: programAccountIndex,
          data: message.instructionPayloads[nth]?.instructionData,
        }))
      : message.instructions.map(({ programAddressIndex, data }) => ({ programIndex: programAddressIndex, data }));
  const [feePayer = ''] = message.staticAccounts;
  return {
    fixture: {
      ...{ version, slot, blockTime },
      transaction: {
        signatures: Object.values(signatures).map((each) => (each === null ? '1'.repeat(64) : base58.decode(each))),
        message: { accountKeys: message.staticAccounts, header: message.header },
      },
      ...{ meta, raw: transaction },
      source: `slot ${slot}`,
      note: 'Recorded by npm run smoke --record.',
    },
    expected: {
      decoder: '@solana/kit',
      feePayer,
      accountKeyCount: message.staticAccounts.length,
      instructions: calls.map(({ programIndex, data }, index) => ({
        ...{ index, program: null, programId: message.staticAccounts[programIndex] ?? null },
        dataHex: Buffer.from(data ?? []).toString('hex'),
      })),
    },
  };
}
