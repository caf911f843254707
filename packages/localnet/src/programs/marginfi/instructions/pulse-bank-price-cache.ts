import { lendingPoolPulseBankPriceCache } from '@lending/programs';
import { cachedPriceOf } from '@lending/venues';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { readBankOracle } from '../risk/bank-oracle.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP, isPaused } from '../state/group-state.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { updateCachedPrice } from '../steps/price-cache.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/pulse_bank_price_cache.rs */
export const pulseBankPriceCache = defineProgramInstruction({
  layout: lendingPoolPulseBankPriceCache,
  run(context) {
    const reader = new AccountReader(context);
    const group = reader.loader('group', GROUP);
    const bank = reader.loader('bank', BANK);
    const remaining = reader.remaining();
    requireWritable(bank);
    requireHasOne(bank, bank.load().group, group, 'InvalidGroup');

    if (!isPaused(group.load(), context.slot.unixTimestamp)) {
      accrueInterest(context, bank, group.load());
      updateRates(context, bank, group.load());
    }
    const { config, loaded, price: read } = readBankOracle(context, bank.account, remaining);
    const price = cachedPriceOf(config, loaded, read);
    if ('error' in price) return fail(context, price.error);
    updateCachedPrice(context, bank.loadMut(), price);
  },
});
