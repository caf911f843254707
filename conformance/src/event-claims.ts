import type { EventLayout } from '@lending/programs';
import * as programs from '@lending/programs';
import type { IdlField } from './idl.ts';

/** An event that claims to be one of an IDL, or to be as a newer version's IDL or source declares it. */
export interface EventClaim {
  readonly layout: EventLayout;
  readonly idl: string;
  /** Fields that a version newer than the published IDL appended. */
  readonly appended?: readonly IdlField[];
  /** All fields of an event that no IDL at hand has. */
  readonly fields?: readonly IdlField[];
}

const fixedPoint = { defined: { name: 'WrappedI80F48' } } as const;
const accountHeader: IdlField = { name: 'header', type: { defined: { name: 'AccountEventHeader' } } };
const groupHeader: IdlField = { name: 'header', type: { defined: { name: 'GroupEventHeader' } } };
const of = (type: IdlField['type'], ...names: string[]): IdlField[] => names.map((name) => ({ name, type }));

/** The newest IDL at hand of a program that ran, and that of the release candidate after it. */
const PUBLISHED = 'marginfi@0.1.9.json';
const CANDIDATE = 'marginfi@0.1.10-rc1.json';
/** 0.1.9 appended it to what 0.1.8 has. */
const SHARE_AMOUNT = { idl: 'marginfi@0.1.8.json', appended: of(fixedPoint, 'share_amount') };
const REBALANCE_TERMS = [
  ...of({ vec: 'pubkey' }, 'allowed_banks'),
  ...of(fixedPoint, 'min_improvement'),
  ...of('u64', 'cooldown', 'amount', 'keeper_tip'),
];
const REBALANCE_POOL = [accountHeader, ...of('pubkey', 'fee_pool'), ...of('u64', 'amount', 'new_balance')];

/** Events that differ from 0.1.9's IDL, or came later: those of 0.1.11 and 0.1.12 as the IDL of 0.1.12 has them. */
const OTHERWISE: Readonly<Record<string, Omit<EventClaim, 'layout' | 'idl'> & { readonly idl?: string }>> = {
  LendingAccountDepositEvent: SHARE_AMOUNT,
  LendingAccountRepayEvent: SHARE_AMOUNT,
  LendingAccountBorrowEvent: SHARE_AMOUNT,
  LendingAccountWithdrawEvent: SHARE_AMOUNT,
  LendingPoolBankHandleBankruptcyEvent: { appended: of('f64', 'premium_written_off') },
  CircuitBreakerTrippedEvent: { idl: CANDIDATE },
  CircuitBreakerClearedEvent: { idl: CANDIDATE },
  CircuitBreakerAutoBrokenEvent: { idl: CANDIDATE },
  LendingPoolBankSetSameAssetEmodeEligibilityEvent: { idl: CANDIDATE },
  LendingPoolBankSetOraclePriceEvent: { fields: [groupHeader, ...of('pubkey', 'bank'), ...of(fixedPoint, 'price')] },
  LendingAccountPremiumSettledEvent: {
    fields: [
      accountHeader,
      ...of('pubkey', 'bank', 'mint'),
      ...of('f64', 'premium_settled', 'premium_written_off', 'premium_outstanding_remaining'),
    ],
  },
  LendingPoolPremiumFeesCollectedEvent: {
    fields: [groupHeader, ...of('pubkey', 'bank', 'mint'), ...of('f64', 'premium_collected', 'premium_outstanding')],
  },
  LendingPoolGroupPremiumConfigureEvent: {
    fields: [groupHeader, ...of('u16', 'collateral_tag', 'liability_tag'), ...of('u32', 'old_rate', 'new_rate')],
  },
  LendingPoolBankPremiumConfigureEvent: {
    fields: [groupHeader, ...of('pubkey', 'bank', 'mint'), ...of('u16', 'premium_tag'), ...of('bool', 'active')],
  },
  LiquidationTagEvent: { fields: [...of('pubkey', 'account'), ...of('i64', 'tagged_at')] },
  SetGovernanceAdminEvent: {
    fields: [groupHeader, ...of('pubkey', 'previous_governance_admin', 'new_governance_admin')],
  },
  MarginfiAccountPlaceRebalanceOrderEvent: {
    fields: [accountHeader, ...of('pubkey', 'order', 'mint'), ...REBALANCE_TERMS],
  },
  MarginfiAccountUpdateRebalanceOrderEvent: { fields: [accountHeader, ...of('pubkey', 'order'), ...REBALANCE_TERMS] },
  MarginfiAccountCloseRebalanceOrderEvent: { fields: [accountHeader, ...of('pubkey', 'order')] },
  KeeperCloseRebalanceOrderEvent: { fields: [accountHeader, ...of('pubkey', 'order')] },
  RebalanceFeePoolTopUpEvent: { fields: REBALANCE_POOL },
  RebalanceFeePoolWithdrawEvent: { fields: REBALANCE_POOL },
  RebalanceExecutedEvent: {
    fields: [
      accountHeader,
      ...of('pubkey', 'order', 'executor'),
      ...of('u8', 'bank_count'),
      ...of(fixedPoint, 'value_moved'),
      ...of('u64', 'tip_escrowed'),
    ],
  },
  RebalanceTipSettledEvent: {
    fields: [accountHeader, ...of('pubkey', 'order', 'executor'), ...of('bool', 'realized'), ...of('u64', 'tip_paid')],
  },
};

/** Every event that `@lending/programs` exports, found by its shape: a new one is compared without being listed. */
export const EVENT_CLAIMS: readonly EventClaim[] = [
  ...Object.values<unknown>(programs)
    .filter(isEvent)
    .map((layout) => ({ layout, idl: PUBLISHED, ...OTHERWISE[layout.name] })),
  // Both forms of it are read.
  { layout: programs.lendingAccountLiquidateEvent as unknown as EventLayout, idl: CANDIDATE },
];

function isEvent(value: unknown): value is EventLayout {
  return typeof value === 'object' && value !== null && 'fields' in value && 'discriminator' in value;
}
