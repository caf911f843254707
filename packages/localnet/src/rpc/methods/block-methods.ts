import type { Block } from '#ledger/block.ts';
import { encodeTransaction, encodeTransactionAccounts } from '../encode-transaction.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import type { NodeLedger } from '../node-ledger.ts';
import { contextConfig, parameter, slotField, transactionConfig } from '../parameters.ts';
import type { RpcMethods } from '../rpc-method.ts';

const MAX_BLOCK_RANGE = 500_000n;

/** Finished blocks. */
export const blockMethods: RpcMethods = {
  getBlock({ ledger }, params) {
    const slot = parameter(params, 0, slotField);
    const config = parameter(params, 1, transactionConfig);
    if (config.commitment === 'processed') {
      throw rpcErrors.invalidParams('Method does not support commitment below `confirmed`');
    }
    const block = findBlock(ledger, slot, ledger.slot(config.commitment));
    return {
      blockHeight: block.height,
      blockTime: block.unixTimestamp,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
      ...(config.rewards ? { rewards: [] } : {}),
      ...encodeTransactions(block, config),
    };
  },

  getBlockTime({ ledger }, params) {
    const slot = parameter(params, 0, slotField);
    return findBlock(ledger, slot, ledger.slot('confirmed')).unixTimestamp;
  },

  getBlocks({ ledger }, params) {
    const start = parameter(params, 0, slotField);
    const hasEnd = typeof params[1] === 'number';
    const end = hasEnd ? parameter(params, 1, slotField) : undefined;
    const { commitment } = parameter(params, hasEnd ? 2 : params.length - 1 > 0 ? params.length - 1 : 1, contextConfig);
    if (commitment === 'processed') {
      throw rpcErrors.invalidParams('Method does not support commitment below `confirmed`');
    }
    const newest = ledger.slot(commitment);
    const last = end === undefined || end > newest ? newest : end;
    if (last - start > MAX_BLOCK_RANGE) throw rpcErrors.invalidParams(`Slot range too large; max ${MAX_BLOCK_RANGE}`);
    return ledger.blocksBetween(start - 1n, last).map(({ slot }) => slot);
  },

  getFirstAvailableBlock: ({ ledger }) => ledger.blocks[0]?.slot ?? 0n,

  minimumLedgerSlot: ({ ledger }) => ledger.blocks[0]?.slot ?? 0n,
};

function findBlock(ledger: NodeLedger, slot: bigint, newest: bigint): Block {
  if (slot > newest) throw rpcErrors.blockNotAvailable(slot);
  const first = ledger.blocks[0]?.slot ?? 0n;
  if (slot < first) throw rpcErrors.blockCleanedUp(slot, first);
  const block = ledger.blockAt(slot);
  if (block === undefined) throw rpcErrors.slotSkipped(slot);
  return block;
}

function encodeTransactions(
  { transactions }: Block,
  config: ReturnType<typeof transactionConfig.parse>,
): { readonly transactions?: readonly object[]; readonly signatures?: readonly string[] } {
  switch (config.transactionDetails) {
    case 'full':
      return { transactions: transactions.map((record) => encodeTransaction(record, config)) };
    case 'accounts':
      return { transactions: transactions.map((record) => encodeTransactionAccounts(record, config)) };
    case 'signatures':
      return { signatures: transactions.map(({ signature }) => signature) };
    case 'none':
      return {};
    default:
      return config.transactionDetails satisfies never;
  }
}
