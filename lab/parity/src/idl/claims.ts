import type { EventLayout, InstructionLayout } from '@lending/programs';
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

/** An instruction that claims to be one of an IDL. */
export interface InstructionClaim {
  readonly layout: InstructionLayout;
  readonly idl: string;
  /** Arguments that a version newer than the published IDL appended. */
  readonly appended?: readonly IdlField[];
  /** Arguments that a version newer than the published IDL has instead of the IDL's. */
  readonly args?: readonly IdlField[];
}

/** 0.1.9 appended it: both forms are read. */
const NEWER: Readonly<Record<string, Pick<InstructionClaim, 'idl' | 'appended'>>> = {
  kamino_deposit: { idl: 'marginfi@0.1.8.json', appended: [{ name: 'refresh_reserve', type: { option: 'bool' } }] },
};

/** Instructions that the newest published IDL no longer has, or has with other arguments: the last one that does. */
const OLDER: Readonly<Record<string, string>> = {
  // What the local chain of an old program is set up with.
  lending_pool_configure_bank: 'marginfi@0.1.9.json',
  marginfi_group_configure: 'marginfi@0.1.9.json',
  lending_account_withdraw_emissions: 'marginfi@0.1.7.json',
  lending_account_withdraw_emissions_permissionless: 'marginfi@0.1.7.json',
};

/** Arguments that an IDL calls as if they were padding, because the program's own code does not look at them. */
const UNUSED_ARGUMENTS: Readonly<Record<string, Pick<InstructionClaim, 'args'>>> = {
  juplendLiquidityUpdateExchangePrice: { args: [{ name: 'mint', type: 'pubkey' }] },
};

/** The IDLs of the venues' own instructions, by what the names of their exports begin with. All others are the lending program's. */
const VENUE_IDLS: readonly (readonly [exportPrefix: RegExp, idl: string])[] = [
  [/^klend[A-Z]/, 'klend@1.22.0.json'],
  [/^juplendEarn[A-Z]/, 'juplend-lending@0.1.4.json'],
  [/^juplendLiquidity[A-Z]/, 'juplend-liquidity@0.1.5.json'],
  [/^switchboard[A-Z]/, 'switchboard-on-demand@0.1.0.json'],
];

/** Instructions of 0.1.12, of which no IDL is at hand: as the reference lists their accounts. */
const NO_IDL_YET: ReadonlySet<string> = new Set([
  'lending_pool_resize_bank_account',
  'marginfi_account_close_rebalance_order',
  'marginfi_account_end_rebalance',
  'marginfi_account_place_rebalance_order',
  'marginfi_account_settle_rebalance_tip',
  'marginfi_account_start_rebalance',
  'marginfi_account_tag_liq_record',
  'marginfi_account_top_up_rebalance_fee_pool',
  'marginfi_account_update_rebalance_order',
  'marginfi_account_withdraw_rebalance_fee_pool',
]);

/** Every instruction that `@lending/programs` exports, found by its shape: a new one is compared without being listed. */
export const INSTRUCTION_CLAIMS: readonly InstructionClaim[] = Object.entries<unknown>(programs).flatMap(
  ([exported, layout]) => {
    if (!isInstruction(layout) || NO_IDL_YET.has(layout.name)) return [];
    const venueIdl = VENUE_IDLS.find(([prefix]) => prefix.test(exported))?.[1];
    if (venueIdl !== undefined) return [{ layout, idl: venueIdl, ...UNUSED_ARGUMENTS[exported] }];
    return [{ layout, idl: OLDER[layout.name] ?? 'marginfi@0.1.10-rc1.json', ...NEWER[layout.name] }];
  },
);

/** An Anchor program's: Save's instructions begin with one byte, and no IDL has them. */
function isInstruction(value: unknown): value is InstructionLayout {
  if (typeof value !== 'object' || value === null || !('args' in value) || !('discriminator' in value)) return false;
  return (value.discriminator as Uint8Array).length === 8;
}
