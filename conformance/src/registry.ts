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
export interface IdlClaim {
  /** The export of `@lending/programs`. */
  readonly name: `${string}Layout` & keyof typeof programs;
  readonly idl: string;
  readonly account: string;
  readonly discriminator?: Uint8Array;
  /** What a version newer than the IDL put into its padding. Sizes must agree: the IDL's own bytes are what is compared. */
  readonly additions?: readonly Addition[];
}

const MARGINFI = 'marginfi@0.1.9.json';
const bytes = (length: number) => ({ array: ['u8', length] }) as const;
const fixedPoint = { defined: { name: 'WrappedI80F48' } } as const;

/** The numbers of the legacy curve, which older banks still hold: 0.1.9 calls them placeholders. */
const LEGACY_CURVE: readonly Addition[] = [
  ['placeholder0', 'optimal_utilization_rate'],
  ['placeholder1', 'plateau_interest_rate'],
  ['placeholder2', 'max_interest_rate'],
].map(([padding = '', name = '']) => ({ type: 'InterestRateConfig', padding, fields: [{ name, type: fixedPoint }] }));

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
    additions: LEGACY_CURVE,
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
  },
  {
    name: 'feeStateV2Layout',
    idl: MARGINFI,
    account: 'FeeStateV2',
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
  },
  {
    name: 'marginfiGroupLayout',
    idl: MARGINFI,
    account: 'MarginfiGroup',
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
  { idl: MARGINFI, type: 'BankOperationalState', names: BANK_OPERATIONAL_STATES },
  { idl: MARGINFI, type: 'OracleSetup', names: BANK_ORACLE_SETUPS },
  { idl: MARGINFI, type: 'RiskTier', names: BANK_RISK_TIERS },
  { idl: MARGINFI, type: 'OrderTriggerType', names: ORDER_TRIGGER_TYPES },
] as const;

/** Layouts whose program publishes no IDL: where their layout comes from, and the test that holds them to real bytes. */
export const WITHOUT_IDL = [
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
    provenBy: 'packages/programs/src/stake/stake-account.test.ts',
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
    provenBy: 'packages/venues/src/p0/read-transfer-fee.test.ts',
  },
  {
    name: 'tokenMetadataLayout',
    source: 'spl-token-metadata-interface, `TokenMetadata`',
    provenBy: 'packages/venues/src/p0/read-holding.test.ts',
  },
  {
    name: 'clockLayout',
    source: 'solana-clock `Clock`, as `@solana/sysvars` reads it',
    provenBy: 'packages/programs/src/sysvar/clock.test.ts',
  },
] as const;
