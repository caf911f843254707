import { propagateFeeState as layout } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { FEE_STATE, requireFeeState } from '../state/fee-state.ts';
import { GROUP, isPaused } from '../state/group-state.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/propagate_fee_state.rs */
export const propagateFeeState = defineProgramInstruction({
  layout,
  run(context) {
    const reader = new AccountReader(context);
    const feeState = reader.loader('fee_state', FEE_STATE);
    const marginfiGroup = reader.loader('marginfi_group', GROUP);
    requireFeeState(context, feeState);
    requireWritable(marginfiGroup);

    const group = marginfiGroup.loadMut();
    const fees = feeState.load();
    const { unixTimestamp } = context.slot;
    group.globalFeeWallet = fees.globalFeeWallet;
    group.programFeeFixed = fees.programFeeFixed;
    group.programFeeRate = fees.programFeeRate;
    group.feeStateLastUpdate = unixTimestamp;
    group.pauseFlags = fees.pauseFlags;
    group.pauseStartTimestamp = fees.pauseStartTimestamp;
    group.lastPauseCacheUpdate = unixTimestamp;
    context.log(`Propagated fee and panic state to group. Panic state: paused=${isPaused(group, unixTimestamp)}`);
  },
});
