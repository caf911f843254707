import {
  decodeSecp256k1Offsets,
  getAddressBytes,
  SECP256K1_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SWITCHBOARD_VERIFIED,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { loadAccount } from '#programs/anchor/account-reader.ts';
import { check, fail, ORACLE, ORACLE_STATS } from './switchboard-state.ts';

const ETH_ADDRESS_SIZE = 20;
const STATS_SEED = new TextEncoder().encode('OracleStats');

/** What the signatures of the transaction say: who signed, and what. */
export interface SignedMessage {
  readonly ethAddresses: readonly Uint8Array[];
  readonly message: Uint8Array;
}

/**
 * Reads the secp256k1 instruction of the transaction. The runtime has checked its signatures: a transaction with a wrong one never gets
 * here.
 * @throws AnchorError MissingSecpIx, ChecksumMismatch when the signatures are not of one message
 */
export function readSignedMessage({ transaction }: InvokeContext): SignedMessage {
  const { instructions } = transaction;
  const instruction = instructions.find(({ programId }) => programId === SECP256K1_PROGRAM) ?? fail('MissingSecpIx');
  const signed = decodeSecp256k1Offsets(instruction.data).map((offsets) => ({
    ethAddress: slice(
      instructions[offsets.ethAddressInstructionIndex]?.data,
      offsets.ethAddressOffset,
      ETH_ADDRESS_SIZE,
    ),
    message: slice(
      instructions[offsets.messageInstructionIndex]?.data,
      offsets.messageDataOffset,
      offsets.messageDataSize,
    ),
  }));
  const [first] = signed;
  if (first === undefined) return fail('InvalidSecpSignatureOraclesCount');
  for (const { message } of signed) check(areBytesEqual(message, first.message), 'ChecksumMismatch');
  return { ethAddresses: signed.map(({ ethAddress }) => ethAddress), message: first.message };
}

/**
 * Checks that an account is an oracle of the queue whose enclave is verified, and that its key signed.
 * @throws AnchorError InvalidOracleQueue, InvalidQuote, InvalidEthAddress
 */
export function assertOracleSigned(
  context: InvokeContext,
  oracleAccount: InstructionAccount,
  queue: Address,
  ethAddress: Uint8Array,
): void {
  const oracle = loadAccount(context, oracleAccount, ORACLE).load().read();
  check(oracle.queue === queue, 'InvalidOracleQueue');
  const isVerified = oracle.enclave.verificationStatus === SWITCHBOARD_VERIFIED;
  check(isVerified && oracle.enclave.validUntil > context.slot.unixTimestamp, 'InvalidQuote');
  check(areBytesEqual(Uint8Array.from(oracle.enclave.ethSigner), ethAddress), 'InvalidEthAddress');
}

/** Counts a signature of an oracle. @throws AnchorError InvalidOracleFeedStats */
export function countSignature(context: InvokeContext, statsAccount: InstructionAccount, oracle: Address): void {
  const { address } = findProgramAddress([STATS_SEED, getAddressBytes(oracle)], SWITCHBOARD_ON_DEMAND_PROGRAM);
  check(statsAccount.address === address, 'InvalidOracleFeedStats');
  const loaded = loadAccount(context, statsAccount, ORACLE_STATS).loadMut();
  const stats = loaded.read();
  const { megaSlotInfo } = stats;
  const currentSignatureCount = megaSlotInfo.currentSignatureCount + 1n;
  loaded.write({ ...stats, megaSlotInfo: { ...megaSlotInfo, currentSignatureCount } });
}

function slice(data: Uint8Array | undefined, start: number, size: number): Uint8Array {
  return data?.slice(start, start + size) ?? new Uint8Array();
}
