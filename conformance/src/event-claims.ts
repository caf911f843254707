import type { EventLayout } from '@lending/programs';
import * as programs from '@lending/programs';
import type { IdlField } from './idl.ts';

/** An event that claims to be one of an IDL, or to be as a newer version's source declares it. */
export interface EventClaim {
  readonly layout: EventLayout;
  readonly idl: string;
  /** Fields that a version newer than the published IDL appended. */
  readonly appended?: readonly IdlField[];
  /** All fields of an event that the published IDL does not have yet. */
  readonly fields?: readonly IdlField[];
}

const SHARE_AMOUNT: readonly IdlField[] = [{ name: 'share_amount', type: { defined: { name: 'WrappedI80F48' } } }];
const accountHeader: IdlField = { name: 'header', type: { defined: { name: 'AccountEventHeader' } } };
const groupHeader: IdlField = { name: 'header', type: { defined: { name: 'GroupEventHeader' } } };
const keys = (...names: string[]): IdlField[] => names.map((name) => ({ name, type: 'pubkey' }));
const amounts = (...names: string[]): IdlField[] => names.map((name) => ({ name, type: 'u64' }));

/** How 0.1.9 differs from the published IDL, as `programs/marginfi/src/events.rs` of its tag declares it. */
const NEWER: Readonly<Record<string, Pick<EventClaim, 'appended' | 'fields'>>> = {
  LendingAccountDepositEvent: { appended: SHARE_AMOUNT },
  LendingAccountRepayEvent: { appended: SHARE_AMOUNT },
  LendingAccountBorrowEvent: { appended: SHARE_AMOUNT },
  LendingAccountWithdrawEvent: { appended: SHARE_AMOUNT },
  AdminCloseAccountEvent: { fields: [accountHeader, ...keys('global_fee_wallet')] },
  DriftClaimBadDebtEvent: {
    fields: [
      groupHeader,
      ...keys('bank', 'claim_mint', 'distributor', 'claim_status', 'liquidity_vault_authority', 'global_fee_wallet'),
      ...amounts('requested_amount', 'received_amount', 'swept_amount'),
    ],
  },
};

/** Every event that `@lending/programs` exports, found by its shape: a new one is compared without being listed. */
export const EVENT_CLAIMS: readonly EventClaim[] = Object.values<unknown>(programs)
  .filter(isEvent)
  .map((layout) => ({ layout, idl: 'marginfi@0.1.8.json', ...NEWER[layout.name] }));

function isEvent(value: unknown): value is EventLayout {
  return typeof value === 'object' && value !== null && 'fields' in value && 'discriminator' in value;
}
