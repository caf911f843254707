import type { Block } from '#ledger/block.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import type { NodeLedger } from '../node-ledger.ts';
import { blockConfig, blocksConfig, parameter, slotField } from '../parameters.ts';
import type { RpcMethods } from '../rpc-method.ts';

const MAX_BLOCK_RANGE = 500_000n;

/** Finished blocks. */
export const blockMethods: RpcMethods = {
  getBlock({ ledger }, params) {
    const slot = parameter(params, 0, slotField);
    const { commitment } = parameter(params, 1, blockConfig);
    const block = findBlock(ledger, slot, ledger.slot(commitment));
    return {
      blockHeight: block.height,
      blockTime: block.unixTimestamp,
      blockhash: block.blockhash,
      parentSlot: block.parentSlot,
      previousBlockhash: block.previousBlockhash,
    };
  },

  getBlockTime({ ledger }, params) {
    const slot = parameter(params, 0, slotField);
    return findBlock(ledger, slot, ledger.slot('confirmed')).unixTimestamp;
  },

  getBlocks({ ledger }, params) {
    const start = parameter(params, 0, slotField);
    const end = parameter(params, 1, slotField.optional());
    const newest = ledger.slot(parameter(params, 2, blocksConfig).commitment);
    const last = end === undefined || end > newest ? newest : end;
    if (last - start > MAX_BLOCK_RANGE) throw rpcErrors.invalidParams(`Slot range too large; max ${MAX_BLOCK_RANGE}`);
    return ledger.blocksBetween(start - 1n, last).map(({ slot }) => slot);
  },

  getFirstAvailableBlock: ({ ledger }) => ledger.blocks[0]?.slot ?? 0n,
};

function findBlock(ledger: NodeLedger, slot: bigint, newest: bigint): Block {
  if (slot > newest) throw rpcErrors.blockNotAvailable(slot);
  const first = ledger.blocks[0]?.slot ?? 0n;
  if (slot < first) throw rpcErrors.blockCleanedUp(slot, first);
  const block = ledger.blockAt(slot);
  if (block === undefined) throw rpcErrors.slotSkipped(slot);
  return block;
}
