import { isInstructionOf, lendingAccountEndFlashloan, lendingAccountStartFlashloan } from '@lending/programs';
import type { Address } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import { requireAddress } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail, panic } from '../marginfi-error.ts';
import { assertInitialHealth } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { clearFlag, hasFlag, owesAnything, setFlag } from '../state/account-state.ts';
import { assertNotCalled, requireConstraint, requireHasOne, requireOwnIndex } from '../steps/checks.ts';
import { refreshPremiums, requirePremiumRates } from '../steps/premiums.ts';
import { assertNoPriceJump } from '../steps/prices.ts';
import { runsSince } from '../version.ts';

/** What an account may not be in the middle of, or stopped for, at either end of a loan. */
const BUSY = ['inDeleverage', 'inReceivership', 'disabled', 'frozen', 'inOrderExecution'] as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/flashloan.rs */
export const startFlashLoan = defineProgramInstruction({
  layout: lendingAccountStartFlashloan,
  run(context, { endIndex }) {
    const accounts = readAccounts(context, lendingAccountStartFlashloan);
    const { marginfiAccount, authority } = accounts;
    checkAccounts(context, lendingAccountStartFlashloan, accounts, {
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
        requireConstraint(marginfiAccount, !hasFlag(state, 'inFlashLoan', ...BUSY), 'IllegalFlashloan');
      },
      ixsSysvar: () => requireAddress(accounts.ixsSysvar, INSTRUCTIONS_SYSVAR),
    });

    assertEnds(context, endIndex, marginfiAccount.account.address);
    setFlag(marginfiAccount.loadMut(), 'inFlashLoan');
  },
});

/** The loan must end later in the same transaction, at the top of it and for the same account. */
function assertEnds(context: InvokeContext, endIndex: bigint, account: Address): void {
  const currentIndex = requireOwnIndex(context);
  if (BigInt(currentIndex) >= endIndex) fail('IllegalFlashloan');
  assertNotCalled(context);
  const end = context.transaction.instructions[Number(endIndex)];
  if (end === undefined) throw new InstructionError('InvalidArgument');
  if (end.data.length < lendingAccountEndFlashloan.discriminator.length) panic(context, 'no discriminator to read');
  if (!isInstructionOf(lendingAccountEndFlashloan, end.data)) fail('IllegalFlashloan');
  if (end.programId !== context.programId) fail('IllegalFlashloan');
  const [ended] = end.accounts;
  if (ended === undefined) fail('IllegalFlashloan');
  if (ended.address !== account) fail('IllegalFlashloan');
}

/**
 * Neither the shares nor the health cache change. The breakers of the banks are asked as later sources and a reading of 0.1.11 have it;
 * those of July, 0.1.10's, do not.
 * @see marginfi-v2 …/marginfi_account/flashloan.rs
 */
export const endFlashLoan = defineProgramInstruction({
  layout: lendingAccountEndFlashloan,
  run(context) {
    const accounts = readAccounts(context, lendingAccountEndFlashloan);
    const { marginfiAccount, group, authority, remaining } = accounts;
    checkAccounts(context, lendingAccountEndFlashloan, accounts, {
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
        requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
        const isOpen = hasFlag(state, 'inFlashLoan') && !hasFlag(state, ...BUSY);
        requireConstraint(marginfiAccount, isOpen, 'IllegalFlashloan');
      },
    });

    assertNotCalled(context);
    const account = marginfiAccount.loadMut();
    clearFlag(account, 'inFlashLoan');
    const judged = { account, group: group.load() };
    const positions = assertInitialHealth(context, account, () => readHealthAccounts(context, judged, remaining));
    requirePremiumRates(context, judged.group, positions);
    if (runsSince(context, '0.1.11') && owesAnything(account)) assertNoPriceJump(context, account, remaining);
    refreshPremiums(context, judged, positions, { requirement: 'initial', rises: false });
  },
});
