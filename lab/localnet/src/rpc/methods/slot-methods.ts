import * as z from 'zod';
import { BLOCKHASH_VALID_BLOCKS, computeEpoch, SLOTS_PER_EPOCH } from '#ledger/chain-parameters.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import { addressField, blockhashField, contextConfig, contextSlot, parameter } from '../parameters.ts';
import { NODE_VERSION, type RpcMethods, withContext } from '../rpc-method.ts';

const MAX_FEE_ACCOUNTS = 128;
const MAX_SAMPLES = 720;
/** Identifies a release to other nodes; constant, because there are none. */
const FEATURE_SET = 1;

/** Where the chain stands, and what it costs. */
export const slotMethods: RpcMethods = {
  getSlot: ({ ledger }, params) => contextSlot(ledger, parameter(params, 0, contextConfig)),

  getBlockHeight({ ledger }, params) {
    const config = parameter(params, 0, contextConfig);
    contextSlot(ledger, config);
    return ledger.blockHeight(config.commitment);
  },

  getEpochInfo({ ledger }, params) {
    const config = parameter(params, 0, contextConfig);
    const slot = contextSlot(ledger, config);
    return {
      absoluteSlot: slot,
      blockHeight: ledger.blockHeight(config.commitment),
      epoch: computeEpoch(slot),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: ledger.transactionCount,
    };
  },

  getGenesisHash: ({ ledger }) => ledger.genesisHash,

  getHealth({ ledger }) {
    if (ledger.failure !== undefined) throw rpcErrors.nodeUnhealthy(null);
    return 'ok';
  },

  getVersion: () => ({ 'feature-set': FEATURE_SET, 'solana-core': NODE_VERSION }),

  getLatestBlockhash({ ledger }, params) {
    const config = parameter(params, 0, contextConfig);
    return withContext(contextSlot(ledger, config), ledger.latestBlockhash(config.commitment));
  },

  isBlockhashValid({ ledger }, params) {
    const blockhash = parameter(params, 0, blockhashField);
    const config = parameter(params, 1, contextConfig);
    return withContext(contextSlot(ledger, config), ledger.isBlockhashValid(blockhash, config.commitment));
  },

  getRecentPrioritizationFees({ ledger }, params) {
    const addresses = parameter(params, 0, z.array(addressField).default([]));
    if (addresses.length > MAX_FEE_ACCOUNTS) {
      throw rpcErrors.invalidParams(`Too many inputs provided; max ${MAX_FEE_ACCOUNTS}`);
    }
    return ledger.blocks.slice(-Number(BLOCKHASH_VALID_BLOCKS)).map(({ slot, transactions }) => {
      const lowestBid = (records: typeof transactions) =>
        records.map(({ unitPrice }) => unitPrice).toSorted(ascending)[0] ?? 0n;
      const perAccount = addresses.map((address) =>
        lowestBid(transactions.filter(({ writableAccounts }) => writableAccounts.includes(address))),
      );
      const prioritizationFee = [lowestBid(transactions), ...perAccount].toSorted(ascending).at(-1) ?? 0n;
      return { slot, prioritizationFee };
    });
  },

  getRecentPerformanceSamples({ ledger }, params) {
    const limit = parameter(params, 0, z.int().nonnegative().default(MAX_SAMPLES));
    if (limit > MAX_SAMPLES) throw rpcErrors.invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
    return ledger.performance
      .list(limit)
      .map((sample) => ({ ...sample, numNonVoteTransactions: sample.numTransactions }));
  },
};

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
