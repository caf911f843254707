import {
  KLEND_PROGRAM,
  klendInitObligation,
  klendInitObligationFarmsForReserve,
  klendInitUserMetadata,
  klendRefreshObligation,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { callProgram } from '#programs/anchor/call-program.ts';
import type { BankState } from '../state/bank-state.ts';
import type { KaminoAccounts } from './kamino-accounts.ts';
import { bankSigner } from './user-transfer.ts';

type Called = KaminoAccounts & {
  readonly feePayer: NamedAccount;
  readonly bank: Loader<BankState>;
  readonly liquidityVaultAuthority: NamedAccount;
  readonly integrationAcc2: NamedAccount;
  readonly userMetadata: NamedAccount;
  readonly rent: NamedAccount;
  readonly systemProgram: NamedAccount;
};

/** Makes what klend keeps of the bank as one of its users; no lookup table of its own. */
export function initKaminoUser(context: InvokeContext, accounts: Called): void {
  callProgram(context, klendInitUserMetadata, {
    programId: KLEND_PROGRAM,
    accounts: { ...accounts, owner: accounts.liquidityVaultAuthority, referrerUserMetadata: null },
    args: { userLookupTable: SYSTEM_PROGRAM },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Makes the bank's ordinary obligation. */
export function initKaminoObligation(context: InvokeContext, accounts: Called): void {
  callProgram(context, klendInitObligation, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      obligationOwner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      seed1Account: accounts.systemProgram,
      seed2Account: accounts.systemProgram,
      ownerUserMetadata: accounts.userMetadata,
    },
    args: { args: { tag: 0, id: 0 } },
    signers: [bankSigner(accounts.bank)],
  });
}

const COLLATERAL = 0;

/** Has the reserve's farm count the obligation's deposits. */
export function initKaminoFarm(
  context: InvokeContext,
  accounts: Called,
  farm: { readonly reserveFarmState: NamedAccount; readonly obligationFarm: NamedAccount },
): void {
  callProgram(context, klendInitObligationFarmsForReserve, {
    programId: KLEND_PROGRAM,
    accounts: {
      ...accounts,
      ...farm,
      payer: accounts.feePayer,
      owner: accounts.liquidityVaultAuthority,
      obligation: accounts.integrationAcc2,
      reserve: accounts.integrationAcc1,
    },
    args: { mode: COLLATERAL },
    signers: [bankSigner(accounts.bank)],
  });
}

/** Nothing can be put under an obligation that was not refreshed in the slot. */
export function refreshKaminoObligation(
  context: InvokeContext,
  { lendingMarket, integrationAcc2: obligation }: Called,
): void {
  callProgram(context, klendRefreshObligation, {
    programId: KLEND_PROGRAM,
    accounts: { lendingMarket, obligation },
    args: {},
  });
}
