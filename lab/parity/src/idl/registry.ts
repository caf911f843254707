import type * as programs from '@lending/programs';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  ORDER_TRIGGER_TYPES,
  priceUpdateV2Layout,
} from '@lending/programs';
import type { Addition } from './idl.ts';

/** A layout that claims to be an account of an IDL. */
interface IdlClaim {
  /** The export of `@lending/programs`. */
  readonly name: `${string}Layout` & keyof typeof programs;
  readonly idl: string;
  readonly account: string;
  readonly discriminator?: Uint8Array;
  /** What a version newer than the IDL put into its padding. Sizes must agree: the IDL's own bytes are what is compared. */
  readonly additions?: readonly Addition[];
  /** Fields at its end that the layout stops before: nothing reads them, and older accounts end there. */
  readonly unread?: readonly string[];
}

const MARGINFI = 'marginfi@0.1.10-rc1.json';
const bytes = (length: number) => ({ array: ['u8', length] }) as const;
const fixedPoint = { defined: { name: 'WrappedI80F48' } } as const;

/** The numbers of the legacy curve, which older banks still hold: 0.1.9 calls them placeholders. */
const LEGACY_CURVE: readonly Addition[] = [
  ['placeholder0', 'optimal_utilization_rate'],
  ['placeholder1', 'plateau_interest_rate'],
  ['placeholder2', 'max_interest_rate'],
].map(([padding = '', name = '']) => ({ type: 'InterestRateConfig', padding, fields: [{ name, type: fixedPoint }] }));

/** 0.1.11 and 0.1.12, of which no IDL is at hand: what their SDK and the maintainers' notes put at these places. */
const ADDED_TO_BALANCE: readonly Addition[] = [
  { type: 'Balance', padding: '_pad0', fields: [{ name: 'premium_rate_snapshot', type: 'u32' }] },
  { type: 'Balance', padding: 'emissions_outstanding', fields: [{ name: 'premium_outstanding', type: fixedPoint }] },
];
const ADDED_TO_ACCOUNT: readonly Addition[] = [
  ...ADDED_TO_BALANCE,
  {
    type: 'MarginfiAccount',
    padding: '_padding0',
    fields: [
      { name: 'rebalance_execution_seq', type: 'u64' },
      { name: 'liquidation_tagged_at', type: 'i64' },
      { name: '_padding0', type: bytes(16) },
    ],
  },
];
const ADDED_TO_BANK: readonly Addition[] = [
  ...LEGACY_CURVE,
  { type: 'BankConfig', padding: '_padding0', fields: [{ name: 'scope_entry_index', type: 'u16' }] },
  { type: 'Bank', padding: '_pad_0', fields: [{ name: 'collected_premium_outstanding', type: fixedPoint }] },
  {
    type: 'Bank',
    padding: '_padding_1',
    fields: [
      { name: 'premium_tag', type: 'u16' },
      { name: '_padding_1', type: bytes(6) },
      { name: 'premium_activated_at', type: 'i64' },
    ],
  },
];
const PREMIUM_SETTINGS = {
  name: 'PremiumSettings',
  type: {
    kind: 'struct',
    fields: [
      { name: 'timestamp', type: 'i64' },
      { name: 'entry_count', type: 'u16' },
      { name: 'entry_capacity', type: 'u16' },
      { name: '_padding', type: bytes(20) },
    ],
  },
} as const;
const PREMIUM_ENTRY = {
  name: 'PremiumEntry',
  type: {
    kind: 'struct',
    fields: [
      { name: 'collateral_tag', type: 'u16' },
      { name: 'liability_tag', type: 'u16' },
      { name: 'rate', type: 'u32' },
    ],
  },
} as const;
const ADDED_TO_GROUP: readonly Addition[] = [
  {
    type: 'MarginfiGroup',
    padding: '_padding_0',
    fields: [{ name: 'premium_settings', type: { defined: { name: 'PremiumSettings' } } }],
    types: [PREMIUM_SETTINGS],
  },
  {
    type: 'MarginfiGroup',
    padding: '_padding_1',
    fields: [{ name: 'premium_entries', type: { array: [{ defined: { name: 'PremiumEntry' } }, 64] } }],
    types: [PREMIUM_ENTRY],
  },
];

/** klend 1.23 and 1.25, of which no IDL is published: what their SDK reads at these places. */
const ADDED_TO_KLEND_UPDATE: readonly Addition[] = [
  {
    type: 'LastUpdate',
    padding: 'placeholder',
    fields: [
      { name: 'padding', type: bytes(2) },
      { name: 'timestamp', type: 'u32' },
    ],
  },
];
const ADDED_TO_KLEND_RESERVE: readonly Addition[] = [
  ...ADDED_TO_KLEND_UPDATE,
  {
    type: 'ReserveConfig',
    padding: 'reserved1',
    fields: [
      { name: 'interestRateBasis', type: 'u8' },
      { name: 'reserved1', type: bytes(3) },
    ],
  },
  {
    type: 'Reserve',
    padding: 'configPadding',
    fields: [
      { name: 'permissionedOps', type: 'u64' },
      { name: 'configPadding', type: bytes(896) },
    ],
  },
];

export const IDL_CLAIMS: readonly IdlClaim[] = [
  {
    name: 'bankLayout',
    idl: MARGINFI,
    account: 'Bank',
    additions: ADDED_TO_BANK,
  },
  {
    name: 'bankMetadataLayout',
    idl: MARGINFI,
    account: 'BankMetadata',
  },
  {
    name: 'executeOrderRecordLayout',
    idl: MARGINFI,
    account: 'ExecuteOrderRecord',
  },
  {
    name: 'feeStateLayout',
    idl: MARGINFI,
    account: 'FeeState',
    unread: ['_reserved0'],
  },
  {
    name: 'liquidationRecordLayout',
    idl: MARGINFI,
    account: 'LiquidationRecord',
  },
  {
    name: 'marginfiAccountLayout',
    idl: MARGINFI,
    account: 'MarginfiAccount',
    additions: ADDED_TO_ACCOUNT,
  },
  {
    name: 'marginfiGroupLayout',
    idl: MARGINFI,
    account: 'MarginfiGroup',
    additions: ADDED_TO_GROUP,
    unread: ['_padding_2'],
  },
  { name: 'orderLayout', idl: MARGINFI, account: 'Order' },
  {
    name: 'stakedSettingsLayout',
    idl: MARGINFI,
    account: 'StakedSettings',
  },
  {
    name: 'priceUpdateV2Layout',
    idl: 'pyth-receiver@0.1.0.json',
    account: 'priceUpdateV2',
  },
  {
    // This IDL hashes the camelCase name; accounts on the chain start as the older IDL says.
    name: 'priceUpdateV2Layout',
    idl: 'pyth-receiver@0.2.0.json',
    account: 'priceUpdateV2',
    discriminator: priceUpdateV2Layout.discriminator,
  },
  {
    name: 'pullFeedLayout',
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'PullFeedAccountData',
  },
  {
    name: 'switchboardOracleLayout',
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'OracleAccountData',
  },
  {
    name: 'oracleStatsLayout',
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'OracleStatsAccountData',
  },
  {
    name: 'switchboardQueueLayout',
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'QueueAccountData',
  },
  {
    name: 'switchboardStateLayout',
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'State',
  },
  {
    name: 'klendReserveLayout',
    idl: 'klend@1.22.0.json',
    account: 'Reserve',
    additions: ADDED_TO_KLEND_RESERVE,
  },
  {
    name: 'klendObligationLayout',
    idl: 'klend@1.22.0.json',
    account: 'Obligation',
    additions: ADDED_TO_KLEND_UPDATE,
  },
  {
    name: 'klendMarketLayout',
    idl: 'klend@1.22.0.json',
    account: 'LendingMarket',
  },
  {
    name: 'klendUserMetadataLayout',
    idl: 'klend@1.22.0.json',
    account: 'UserMetadata',
  },
  {
    name: 'kaminoFarmLayout',
    idl: 'kamino-farms@1.6.5.json',
    account: 'FarmState',
  },
  {
    name: 'driftSpotMarketLayout',
    idl: 'drift@2.162.0.json',
    account: 'SpotMarket',
  },
  {
    name: 'driftStateLayout',
    idl: 'drift@2.162.0.json',
    account: 'State',
  },
  {
    name: 'marinadeStateLayout',
    idl: 'marinade@0.1.0.json',
    account: 'State',
  },
  {
    name: 'scopePricesLayout',
    idl: 'scope@0.40.0.json',
    account: 'OraclePrices',
  },
  {
    name: 'driftUserLayout',
    idl: 'drift@2.162.0.json',
    account: 'User',
  },
  {
    name: 'juplendLendingLayout',
    idl: 'juplend-lending@0.1.4.json',
    account: 'Lending',
  },
  {
    name: 'juplendLiquidityLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'Liquidity',
  },
  {
    name: 'juplendRateModelLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'RateModel',
  },
  {
    name: 'juplendTokenReserveLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'TokenReserve',
  },
  {
    name: 'juplendUserBorrowPositionLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserBorrowPosition',
  },
  {
    name: 'juplendUserClaimLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserClaim',
  },
  {
    name: 'juplendUserSupplyPositionLayout',
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserSupplyPosition',
  },
  {
    name: 'juplendRewardsRateModelLayout',
    idl: 'juplend-lending-reward-rate-model@0.1.0.json',
    account: 'LendingRewardsRateModel',
  },
  {
    name: 'juplendLendingAdminLayout',
    idl: 'juplend-lending@0.1.4.json',
    account: 'LendingAdmin',
  },
];

/** Names of enum numbers. A newer program may have added some: the IDL's must be the first of ours. */
export const ENUM_CLAIMS = [
  { idl: 'marginfi@0.1.9.json', type: 'BankOperationalState', names: BANK_OPERATIONAL_STATES },
  { idl: MARGINFI, type: 'OracleSetup', names: BANK_ORACLE_SETUPS },
  { idl: MARGINFI, type: 'RiskTier', names: BANK_RISK_TIERS },
  { idl: MARGINFI, type: 'OrderTriggerType', names: ORDER_TRIGGER_TYPES },
] as const;

/** Layouts whose program publishes no IDL: where their layout comes from, and the test that holds them to real bytes. */
export const WITHOUT_IDL = [
  {
    name: 'rebalanceOrderLayout',
    source: "the lending program's IDL of 0.1.12, `RebalanceOrder`",
    provenBy: 'packages/venues/src/p0/decode-accounts.test.ts',
  },
  {
    name: 'rebalanceRecordLayout',
    source: "the lending program's IDL of 0.1.12, `RebalanceRecord`",
    provenBy: 'lab/localnet/src/programs/marginfi/rebalance/rebalance-record.test.ts',
  },
  {
    name: 'programMetadataLayout',
    source: 'program-metadata, `program/src/state/header.rs`',
    provenBy: 'packages/transactions/src/program/judge-program.test.ts',
  },
  {
    name: 'solendReserveLayout',
    source: 'solana-program-library (Solend), `token-lending/sdk/src/state/reserve.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'solendObligationLayout',
    source: 'solana-program-library (Solend), `token-lending/sdk/src/state/obligation.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'solendLendingMarketLayout',
    source:
      'solana-program-library (Solend), `token-lending/sdk/src/state/lending_market.rs`; no dump of one is public',
    provenBy: 'packages/programs/src/solend/lending-market.test.ts',
  },
  {
    name: 'stakeAccountLayout',
    source: 'solana-stake-interface `StakeStateV2`, as `@solana-program/stake` reads it',
    provenBy: 'packages/programs/src/other-layouts.test.ts',
  },
  {
    name: 'exponentVaultLayout',
    source: 'Exponent’s IDL (exponent_core 0.1.0), as far as its totals',
    provenBy: 'packages/programs/src/other-layouts.test.ts',
  },
  {
    name: 'stakePoolLayout',
    source: 'solana-program stake-pool, `program/src/state.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'mintLayout',
    source: 'spl-token interface, `Mint::pack_into_slice`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'tokenAccountLayout',
    source: 'spl-token interface, `Account::pack_into_slice`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'transferFeeConfigLayout',
    source: 'spl-token-2022 interface, `extension/transfer_fee`',
    provenBy: 'packages/venues/src/p0/tokens.test.ts',
  },
  {
    name: 'tokenMetadataLayout',
    source: 'spl-token-metadata-interface, `TokenMetadata`',
    provenBy: 'packages/venues/src/p0/tokens.test.ts',
  },
  {
    name: 'clockLayout',
    source: 'solana-clock `Clock`, as `@solana/sysvars` reads it',
    provenBy: 'packages/programs/src/other-layouts.test.ts',
  },
] as const;
