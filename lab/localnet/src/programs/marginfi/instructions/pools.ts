import {
  type InstructionLayout,
  propagateFeeState as layout,
  lendingPoolAccrueBankInterest,
  lendingPoolPulseBankPriceCache,
  lendingPoolResizeBankAccount,
  lendingPoolResizeGroupAccount,
  type MarginfiErrorName,
  type ProgramVersion,
  resizeGlobalFeeState,
} from '@lending/programs';
import { cachedPriceOf } from '@lending/venues';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { type AccountKind, AccountReader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { transferLamports } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction, type ProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { readBankOracle } from '../risk/oracles.ts';
import { BANK } from '../state/bank-state.ts';
import { FEE_STATE, GROUP, isPaused, requireFeeState } from '../state/group-state.ts';
import { checkNotPaused, requireHasOne } from '../steps/checks.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { updateCachedPrice } from '../steps/prices.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/accrue_bank_interest.rs */
export const accrueBankInterest = defineProgramInstruction({
  layout: lendingPoolAccrueBankInterest,
  run(context) {
    const accounts = readAccounts(context, lendingPoolAccrueBankInterest);
    const { group, bank } = accounts;
    checkAccounts(context, lendingPoolAccrueBankInterest, accounts, {
      group: () => checkNotPaused(context, group),
      bank: () => requireHasOne(bank, bank.load().group, group, 'InvalidGroup'),
    });

    accrueInterest(context, bank, group.load());
    updateRates(context, bank, group.load());
  },
});

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/pulse_bank_price_cache.rs */
export const pulseBankPriceCache = defineProgramInstruction({
  layout: lendingPoolPulseBankPriceCache,
  run(context) {
    const accounts = readAccounts(context, lendingPoolPulseBankPriceCache);
    const { group, bank, remaining } = accounts;
    checkAccounts(context, lendingPoolPulseBankPriceCache, accounts, {
      bank: () => requireHasOne(bank, bank.load().group, group, 'InvalidGroup'),
    });

    if (!isPaused(group.load(), context.slot.unixTimestamp)) {
      accrueInterest(context, bank, group.load());
      updateRates(context, bank, group.load());
    }
    const { config, loaded, price: read } = readBankOracle(context, bank.account, remaining);
    const price = cachedPriceOf(config, loaded, read);
    if ('error' in price) return fail(price.error);
    updateCachedPrice(context, bank.loadMut(), price);
  },
});

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/propagate_fee_state.rs */
export const propagateFeeState = defineProgramInstruction({
  layout,
  run(context) {
    const accounts = readAccounts(context, layout);
    const { feeState, marginfiGroup } = accounts;
    checkAccounts(context, layout, accounts, { feeState: () => requireFeeState(context, feeState) });

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

interface Resize {
  readonly since: ProgramVersion;
  readonly kind: AccountKind<unknown> & Required<Pick<AccountKind<unknown>, 'leastSize'>>;
  readonly refusal: MarginfiErrorName;
  readonly check?: (context: InvokeContext, account: NamedAccount) => void;
}

/** Lengthens an account to what the running version takes it to be. @see marginfi-v2 …/marginfi_group/resize_account.rs */
function resize<TList extends string, TArgs>(
  layout: InstructionLayout<TList, TArgs>,
  { since, kind, refusal, check }: Resize,
): ProgramInstruction {
  return defineProgramInstruction({
    layout,
    since,
    run(context) {
      const reader = new AccountReader(context);
      const resized = reader.unchecked(layout.accounts[0]?.name ?? '');
      const payer = reader.signer('payer');
      reader.program('system_program', SYSTEM_PROGRAM);
      requireWritable(resized);
      check?.(context, resized);
      requireWritable(payer);

      const { account } = resized;
      const isOfKind = account.owner === context.programId && hasBytesAt(account.data, 0, kind.discriminator);
      if (!isOfKind) fail(refusal);
      const [before, size] = [account.data.length, kind.leastSize(context)];
      if (before >= size) fail('InvalidResize');
      const missing = context.slot.minimumBalance(size) - account.lamports;
      if (missing > 0n) transferLamports(context, payer, resized, missing);
      account.resize(size);
      context.log(`account resized: ${before} -> ${size} bytes`);
    },
  });
}

export const resizeFeeState = resize(resizeGlobalFeeState, {
  since: '0.1.10',
  kind: FEE_STATE,
  refusal: 'InvalidGroup',
  check: requireFeeState,
});
export const resizeGroup = resize(lendingPoolResizeGroupAccount, {
  since: '0.1.10',
  kind: GROUP,
  refusal: 'InvalidGroup',
});
export const resizeBank = resize(lendingPoolResizeBankAccount, {
  since: '0.1.12',
  kind: BANK,
  refusal: 'InvalidBankAccount',
});
