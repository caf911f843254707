import { initSolendObligation } from '@lending/programs';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { assertRentSysvar } from '../../rent-sysvar.ts';
import { check } from '../solend-error.ts';
import { loadNewObligation, storeObligation } from '../state.ts';
import { takeMarket } from '../steps.ts';

/** The account must be there already, as long as an obligation, all zero, and exempt from rent. */
export const initObligation = defineProgramInstruction({
  layout: initSolendObligation,
  run(context) {
    const [account, market, owner, rent, tokenProgram] = takeAccounts(context.accounts, 5);
    assertRentSysvar(rent);
    check(context, account.lamports >= context.slot.minimumBalance(account.data.length), 'NotRentExempt');
    const obligation = loadNewObligation(account);
    check(context, obligation.version === 0, 'AlreadyInitialized');
    check(context, account.owner === context.programId, 'InvalidAccountOwner');
    takeMarket(context, market, tokenProgram);
    check(context, owner.isSigner, 'InvalidSigner');
    storeObligation(account, {
      ...obligation,
      version: 1,
      lastUpdate: { slot: context.slot.slot, stale: 1 },
      lendingMarket: market.address,
      owner: owner.address,
      deposits: [],
      borrows: [],
    });
  },
});
