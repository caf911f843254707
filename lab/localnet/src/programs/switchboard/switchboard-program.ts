import {
  INSTRUCTIONS_SYSVAR,
  SLOT_HASHES_SYSVAR,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SYSTEM_PROGRAM,
  switchboardSubmitResponses,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { AccountReader, loadAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { consensusMessage } from './consensus-message.ts';
import { computeResult, withSubmission } from './feed-result.ts';
import { assertOracleSigned, countSignature, readSignedMessage } from './signed-oracles.ts';
import { readSlotHashes } from './slot-hashes.ts';
import { check, fail, PULL_FEED, QUEUE, STATE } from './switchboard-state.ts';

/** What stands beside each of a feed's 32 submissions. */
type Timestamps = readonly bigint[];

const submitResponses = defineProgramInstruction({
  layout: switchboardSubmitResponses,
  run(context, { params }) {
    const { queue, slotHashes, remaining } = readAccounts(context);
    const { ethAddresses, message } = readSignedMessage(context);
    const [feedCount, oracleCount] = [params.values.length, ethAddresses.length];
    check(feedCount > 0, 'InvalidSubmissionFeedsCount');
    check(remaining.length === feedCount + 2 * oracleCount, 'InvalidSecpSignatureOraclesCount');
    const feeds = remaining.slice(0, feedCount).map((account) => {
      const loaded = loadAccount(context, account, PULL_FEED).loadMut();
      check(loaded.read().queue === queue, 'InvalidQueue');
      return loaded;
    });
    const oracles = remaining.slice(feedCount, feedCount + oracleCount);
    const signedHash = findSlotHash(slotHashes, params.slot);
    const values = feeds.map((feed, index) => ({ feed: feed.read(), value: params.values[index] ?? 0n }));
    check(areBytesEqual(consensusMessage(signedHash, values), message), 'ChecksumMismatch');
    for (const [index, oracle] of oracles.entries()) {
      assertOracleSigned(context, oracle, queue, ethAddresses[index] ?? new Uint8Array());
      const stats = remaining[feedCount + oracleCount + index];
      if (stats !== undefined) countSignature(context, stats, oracle.address);
    }
    const submitted = { slot: params.slot, oracles: oracles.map(({ address }) => address) };
    for (const [index, feed] of feeds.entries()) submit(context, feed, params.values[index] ?? 0n, submitted);
  },
});

/**
 * Switchboard On-Demand as far as a crank goes: oracles' signatures over a recent slot's hash become a feed's result. Its code is not
 * published: accounts, arguments and error numbers are the IDL's, how a result comes of submissions is read off recorded feeds, the order of
 * its checks and the bytes the oracles sign are the model's own. It pays oracles nothing, and tells no events.
 */
export const switchboardProgram: Program = {
  programId: SWITCHBOARD_ON_DEMAND_PROGRAM,
  handle: createDispatch([submitResponses]),
  units: 50_000n,
};

function readAccounts(context: InvokeContext): {
  readonly queue: Address;
  readonly slotHashes: InstructionAccount;
  readonly remaining: readonly InstructionAccount[];
} {
  const reader = new AccountReader(context);
  const queue = reader.loader('queue', QUEUE);
  reader.loader('program_state', STATE);
  const slotHashes = reader.unchecked('recent_slothashes');
  requireAddress(slotHashes, SLOT_HASHES_SYSVAR);
  const payer = reader.signer('payer');
  reader.program('system_program', SYSTEM_PROGRAM);
  const rewardVault = reader.tokenAccount('reward_vault');
  reader.program('token_program', TOKEN_PROGRAM);
  requireAddress(reader.unchecked('token_mint'), WRAPPED_SOL_MINT);
  requireAddress(reader.unchecked('ix_sysvar'), INSTRUCTIONS_SYSVAR);
  requireWritable(payer);
  requireWritable(rewardVault);
  return { queue: queue.account.address, slotHashes: slotHashes.account, remaining: reader.remaining() };
}

/** The sysvar keeps 512 slots; what was signed over an older one can no longer be checked. */
function findSlotHash(slotHashes: InstructionAccount, wanted: bigint): Uint8Array {
  for (const { slot, hash } of readSlotHashes(slotHashes.data)) if (slot === wanted) return hash;
  return fail('InvalidSlotNumber');
}

/** Each oracle submits the one value they agreed on. */
function submit(
  { slot: now }: InvokeContext,
  loaded: ReturnType<ReturnType<typeof loadAccount<ReturnType<typeof PULL_FEED.view>>>['loadMut']>,
  value: bigint,
  { slot, oracles }: { readonly slot: bigint; readonly oracles: readonly Address[] },
): void {
  const feed = loaded.read();
  const submissions = oracles.reduce<typeof feed.submissions>(
    (all, oracle) => [...withSubmission(all, { oracle, slot, landedAt: now.slot, value })],
    feed.submissions,
  );
  const submissionTimestamps: Timestamps = submissions.map((submission, index) =>
    submission === feed.submissions[index] ? (feed.submissionTimestamps[index] ?? 0n) : now.unixTimestamp,
  );
  const staleness = BigInt(feed.maxStaleness);
  const result = computeResult(submissions, now.slot > staleness ? now.slot - staleness : 0n);
  check(result !== null && result.numSamples >= feed.minSampleSize, 'NotEnoughSamples');
  loaded.write({
    ...feed,
    submissions,
    submissionTimestamps: [...submissionTimestamps],
    result,
    lastUpdateTimestamp: now.unixTimestamp,
  });
}
