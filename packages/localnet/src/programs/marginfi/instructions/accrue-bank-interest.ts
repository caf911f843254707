import { lendingPoolAccrueBankInterest } from '@lending/programs';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireHasOne } from '../constraints.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/accrue_bank_interest.rs */
export const accrueBankInterest = defineProgramInstruction({
  layout: lendingPoolAccrueBankInterest,
  run(context) {
    const reader = new AccountReader(context);
    const group = reader.loader('group', GROUP);
    const bank = reader.loader('bank', BANK);
    checkNotPaused(context, group);
    requireWritable(bank);
    requireHasOne(bank, bank.load().group, group, 'InvalidGroup');

    accrueInterest(context, bank, group.load());
    updateRates(context, bank, group.load());
  },
});
