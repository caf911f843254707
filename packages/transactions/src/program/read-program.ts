import { gunzipSync, inflateSync } from 'node:zlib';
import type { Chain } from '@lending/chain';
import {
  encodeInstruction,
  findFeeState,
  findProgramIdl,
  instruction,
  METADATA_COMPRESSION,
  METADATA_DIRECT,
  marginfiGroupLayout,
  PROGRAM_METADATA_PROGRAM,
  programMetadataLayout,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { type Address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit';
import { compileTransaction } from '#compile/compile-transaction.ts';
import { MAX_COMPUTE_UNITS } from '#compile/limit-memory.ts';
import { deploySlotOf, PROGRAM_DATA_HEADER_BYTES } from '#simulate/in-process/program-account.ts';
import { UPGRADEABLE_LOADER } from '#simulate/in-process/runtime-addresses.ts';
import { simulateOnNode } from '#simulate/simulate-on-node.ts';
import type { ProgramQuestions, ProgramReading, Unclear } from './judge-program.ts';

/** Which program's, and of which group. */
export interface LendingProgram {
  readonly program: Address;
  readonly group: Address;
}

interface AskOptions {
  readonly signal?: AbortSignal;
  /** A node that has not come so far is not asked what the program dispatches. */
  readonly minContextSlot?: bigint;
}

/** As many accounts as a node answers in one call; the first three are the program's, its fee state's and its group's. */
const MOST_ACCOUNTS = 100;
const NO_BLOCKHASH = { value: '1'.repeat(32), lastValidBlockHeight: 0n };
/** Anchor's error for an instruction that the program does not have. */
const NO_SUCH_INSTRUCTION = 101;
/** A signature, and what keeps a wallet open besides. */
const ENOUGH_LAMPORTS = 10_000_000n;
const NO_PAYER: Unclear = { unclear: 'No wallet of the group can pay for a simulation that tells the version' };
const NO_ANSWER: Unclear = { unclear: 'The node does not say which instructions the program dispatches' };
/** An IDL of a megabyte and more is none of this program's. */
const MOST_IDL_BYTES = 4_000_000;

/**
 * How long the program's accounts are, and when it was deployed, in one call, with as many banks as fit beside; others in calls
 * before it.
 * @throws what reading the chain throws.
 */
export async function readProgram(
  { rpc }: Pick<Chain, 'rpc'>,
  { program, group }: LendingProgram,
  banks: readonly Address[],
  { signal }: AskOptions = {},
): Promise<ProgramReading> {
  const [programData] = await getProgramDerivedAddress({
    programAddress: UPGRADEABLE_LOADER,
    seeds: [getAddressEncoder().encode(program)],
  });
  const [feeState] = await findFeeState(program);
  const read = (addresses: readonly Address[]) =>
    rpc
      .getMultipleAccounts(addresses, {
        encoding: 'base64',
        commitment: 'confirmed',
        dataSlice: { offset: 0, length: PROGRAM_DATA_HEADER_BYTES },
      })
      .send(signal === undefined ? {} : { abortSignal: signal });
  const wanted = [programData, feeState, group, ...banks];
  const calls = Array.from({ length: Math.ceil(wanted.length / MOST_ACCOUNTS) }, (_, nth) =>
    wanted.slice(nth * MOST_ACCOUNTS, (nth + 1) * MOST_ACCOUNTS),
  );
  // The deployment is read last: a bank that is longer than its version makes it is then none that was lengthened in between.
  const [first = [], ...others] = calls;
  const further = await Promise.all(others.map(read));
  const answers = [await read(first), ...further];
  const [data, fees, groupAccount, ...bankAccounts] = answers.flatMap(({ value }) => value);
  const lengthOf = (account: typeof data | undefined) => (account?.owner === program ? Number(account.space) : null);
  return {
    slot: BigInt(answers[0]?.context.slot ?? 0n),
    deploySlot: data?.owner === UPGRADEABLE_LOADER ? deploySlotOf(Buffer.from(data.data[0], 'base64')) : null,
    feeState: lengthOf(fees),
    group: lengthOf(groupAccount),
    banks: bankAccounts.flatMap((bank) => lengthOf(bank) ?? []),
  };
}

/** Asks the node, where the slot of the deployment does not say the version. */
export function askProgram(
  chain: Pick<Chain, 'rpc' | 'fetchAccounts'>,
  { program, group }: LendingProgram,
  { signal, minContextSlot }: AskOptions = {},
): ProgramQuestions {
  let payer: Promise<Address | null> | undefined;
  return {
    async dispatches(name) {
      payer ??= findPayer(chain, group, signal);
      const paying = await payer;
      if (paying === null) return NO_PAYER;
      const probe = encodeInstruction(instruction(name, '', {}), program, {}, {});
      const transaction = compileTransaction(
        { type: 'SETUP', label: name, instructions: [probe] },
        {
          ...{ payer: paying, version: 0, microLamportsPerUnit: 0n, lookupTables: {} },
          ...{ computeUnitLimit: MAX_COMPUTE_UNITS, blockhash: NO_BLOCKHASH },
        },
      );
      const outcome = await simulateOnNode(chain, transaction, [], {
        ...(signal && { signal }),
        ...(minContextSlot !== undefined && { minContextSlot }),
      });
      if (outcome.kind === 'passed') return true;
      const failure = outcome.error?.[1];
      return typeof failure === 'object' ? failure.Custom !== NO_SUCH_INSTRUCTION : NO_ANSWER;
    },
    async readIdlVersion() {
      const [address] = await findProgramIdl(program);
      const [batch] = await chain.fetchAccounts([address], signal === undefined ? {} : { signal });
      const account = batch?.accounts[0] ?? null;
      return account?.owner === PROGRAM_METADATA_PROGRAM ? versionInIdl(account.data) : null;
    },
  };
}

/** A wallet that can pay for a simulation: the one that takes the program's fees, or one of those who govern the group. */
export async function findPayer(
  chain: Pick<Chain, 'fetchAccounts'>,
  group: Address,
  signal?: AbortSignal,
): Promise<Address | null> {
  const options = signal === undefined ? {} : { signal };
  const [groups] = await chain.fetchAccounts([group], options);
  const data = groups?.accounts[0]?.data;
  const isGroup = data !== undefined && marginfiGroupLayout.discriminator.every((byte, nth) => data[nth] === byte);
  if (!isGroup || data.length < marginfiGroupLayout.fixedSize) return null;
  const { feeStateCache, admin, riskAdmin, delegateFlowAdmin } = marginfiGroupLayout.decode(data);
  const candidates = [...new Set([feeStateCache.globalFeeWallet, admin, riskAdmin, delegateFlowAdmin])];
  const [wallets] = await chain.fetchAccounts(candidates, options);
  const isRich = (nth: number) => {
    const wallet = wallets?.accounts[nth];
    return wallet?.owner === SYSTEM_PROGRAM && wallet.data.length === 0 && wallet.lamports >= ENOUGH_LAMPORTS;
  };
  return candidates.find((_, nth) => isRich(nth)) ?? null;
}

/** The version that a published IDL names; null for anything that is none: it is a hint and no more. */
function versionInIdl(data: Uint8Array): string | null {
  try {
    const { compression, dataSource, dataLength } = programMetadataLayout.decode(data);
    if (dataSource !== METADATA_DIRECT) return null;
    const text = data.subarray(programMetadataLayout.fixedSize, programMetadataLayout.fixedSize + dataLength);
    const { metadata } = JSON.parse(Buffer.from(unpack(text, compression)).toString('utf8'));
    return typeof metadata?.version === 'string' ? metadata.version.slice(0, 20) : null;
  } catch {
    return null;
  }
}

function unpack(text: Uint8Array, compression: number): Uint8Array {
  const options = { maxOutputLength: MOST_IDL_BYTES };
  if (compression === METADATA_COMPRESSION.zlib) return inflateSync(text, options);
  return compression === METADATA_COMPRESSION.gzip ? gunzipSync(text, options) : text;
}
