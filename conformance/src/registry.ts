import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  getBankCodec,
  getBankMetadataCodec,
  getClockCodec,
  getDriftSpotMarketCodec,
  getDriftStateCodec,
  getDriftUserCodec,
  getExecuteOrderRecordCodec,
  getFeeStateCodec,
  getFeeStateV2Codec,
  getJuplendLendingAdminCodec,
  getJuplendLendingCodec,
  getJuplendLiquidityCodec,
  getJuplendRateModelCodec,
  getJuplendRewardsRateModelCodec,
  getJuplendTokenReserveCodec,
  getJuplendUserBorrowPositionCodec,
  getJuplendUserClaimCodec,
  getJuplendUserSupplyPositionCodec,
  getKaminoFarmCodec,
  getKlendMarketCodec,
  getKlendObligationCodec,
  getKlendReserveCodec,
  getKlendUserMetadataCodec,
  getLiquidationRecordCodec,
  getMarginfiAccountCodec,
  getMarginfiGroupCodec,
  getMarinadeStateCodec,
  getMintCodec,
  getOracleStatsCodec,
  getOrderCodec,
  getPriceUpdateV2Codec,
  getPullFeedCodec,
  getSolendLendingMarketCodec,
  getSolendObligationCodec,
  getSolendReserveCodec,
  getStakeAccountCodec,
  getStakedSettingsCodec,
  getStakePoolCodec,
  getSwitchboardOracleCodec,
  getSwitchboardQueueCodec,
  getSwitchboardStateCodec,
  getTokenAccountCodec,
  ORDER_TRIGGER_TYPES,
  PRICE_UPDATE_V2_DISCRIMINATOR,
} from '@lending/programs';
import type { Codec } from '@solana/kit';
import type { Addition } from './idl.ts';

/** A codec that claims to be an account of an IDL. */
export interface IdlClaim {
  /** The export of `@lending/programs`. */
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly idl: string;
  readonly account: string;
  readonly discriminator?: Uint8Array;
  /** What a version newer than the IDL put into its padding. Sizes must agree: the IDL's own bytes are what is compared. */
  readonly additions?: readonly Addition[];
}

const MARGINFI = 'marginfi@0.1.8.json';
const bytes = (length: number) => ({ array: ['u8', length] }) as const;
const fixedPoint = { defined: { name: 'WrappedI80F48' } } as const;

/** Program 0.1.9 (`marginfi-v2: type-crate/src/types`), of which no IDL is published. */
const ADDED_TO_BANK: readonly Addition[] = [
  {
    type: 'BankCache',
    padding: '_padding',
    fields: [
      { name: '_pad0', type: bytes(7) },
      { name: 'price_multiplier', type: fixedPoint },
    ],
  },
  {
    type: 'Bank',
    padding: '_padding_1',
    fields: [
      { name: 'bank_seed', type: 'u64' },
      { name: '_padding_1', type: bytes(104) },
    ],
  },
];
const INDEXER_FLAGS = [
  'is_lending_only',
  'is_empty',
  'is_single_borrower',
  'has_ever_been_liquidated',
  'has_ever_been_deleveraged',
  'has_been_bankrupted',
  'has_isolated',
  'has_staked',
  'has_kamino',
  'has_drift',
  'has_juplend',
  'was_liquidatable',
  'was_underwater',
  'was_active_30d',
  'was_active_60d',
  'has_trivial_balance',
];
const ADDED_TO_ACCOUNT: readonly Addition[] = [
  {
    type: 'MarginfiAccount',
    padding: '_pad0',
    fields: [
      { name: 'active_orders', type: 'u8' },
      { name: '_pad0', type: bytes(2) },
    ],
  },
  {
    type: 'MarginfiAccount',
    padding: '_padding0',
    fields: [
      {
        name: 'indexer_flags',
        type: { struct: [...INDEXER_FLAGS.map((name) => ({ name, type: 'u8' })), { name: '_pad', type: bytes(8) }] },
      },
      { name: '_padding0', type: bytes(32) },
    ],
  },
];
const ADDED_TO_FEE_STATE: readonly Addition[] = [
  { type: 'FeeState', padding: '_reserved1', fields: [{ name: 'pause_delegate_admin', type: 'pubkey' }] },
];
const ADDED_TO_STAKED_SETTINGS: readonly Addition[] = [
  { type: 'StakedSettings', padding: '_reserved0', fields: [{ name: 'flags', type: 'u64' }] },
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
    name: 'getBankCodec',
    codec: getBankCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'Bank',
    additions: ADDED_TO_BANK,
  },
  {
    name: 'getBankMetadataCodec',
    codec: getBankMetadataCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'BankMetadata',
  },
  {
    name: 'getExecuteOrderRecordCodec',
    codec: getExecuteOrderRecordCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'ExecuteOrderRecord',
  },
  {
    name: 'getFeeStateCodec',
    codec: getFeeStateCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'FeeState',
    additions: ADDED_TO_FEE_STATE,
  },
  {
    name: 'getLiquidationRecordCodec',
    codec: getLiquidationRecordCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'LiquidationRecord',
  },
  {
    name: 'getMarginfiAccountCodec',
    codec: getMarginfiAccountCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'MarginfiAccount',
    additions: ADDED_TO_ACCOUNT,
  },
  {
    name: 'getMarginfiGroupCodec',
    codec: getMarginfiGroupCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'MarginfiGroup',
  },
  { name: 'getOrderCodec', codec: getOrderCodec() as Codec<unknown>, idl: MARGINFI, account: 'Order' },
  {
    name: 'getStakedSettingsCodec',
    codec: getStakedSettingsCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'StakedSettings',
    additions: ADDED_TO_STAKED_SETTINGS,
  },
  {
    name: 'getPriceUpdateV2Codec',
    codec: getPriceUpdateV2Codec() as Codec<unknown>,
    idl: 'pyth-receiver@0.1.0.json',
    account: 'priceUpdateV2',
  },
  {
    // This IDL hashes the camelCase name; accounts on the chain start as the older IDL says.
    name: 'getPriceUpdateV2Codec',
    codec: getPriceUpdateV2Codec() as Codec<unknown>,
    idl: 'pyth-receiver@0.2.0.json',
    account: 'priceUpdateV2',
    discriminator: PRICE_UPDATE_V2_DISCRIMINATOR,
  },
  {
    name: 'getPullFeedCodec',
    codec: getPullFeedCodec() as Codec<unknown>,
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'PullFeedAccountData',
  },
  {
    name: 'getSwitchboardOracleCodec',
    codec: getSwitchboardOracleCodec() as Codec<unknown>,
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'OracleAccountData',
  },
  {
    name: 'getOracleStatsCodec',
    codec: getOracleStatsCodec() as Codec<unknown>,
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'OracleStatsAccountData',
  },
  {
    name: 'getSwitchboardQueueCodec',
    codec: getSwitchboardQueueCodec() as Codec<unknown>,
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'QueueAccountData',
  },
  {
    name: 'getSwitchboardStateCodec',
    codec: getSwitchboardStateCodec() as Codec<unknown>,
    idl: 'switchboard-on-demand@0.1.0.json',
    account: 'State',
  },
  {
    name: 'getKlendReserveCodec',
    codec: getKlendReserveCodec() as Codec<unknown>,
    idl: 'klend@1.22.0.json',
    account: 'Reserve',
    additions: ADDED_TO_KLEND_RESERVE,
  },
  {
    name: 'getKlendObligationCodec',
    codec: getKlendObligationCodec() as Codec<unknown>,
    idl: 'klend@1.22.0.json',
    account: 'Obligation',
    additions: ADDED_TO_KLEND_UPDATE,
  },
  {
    name: 'getKlendMarketCodec',
    codec: getKlendMarketCodec() as Codec<unknown>,
    idl: 'klend@1.22.0.json',
    account: 'LendingMarket',
  },
  {
    name: 'getKlendUserMetadataCodec',
    codec: getKlendUserMetadataCodec() as Codec<unknown>,
    idl: 'klend@1.22.0.json',
    account: 'UserMetadata',
  },
  {
    name: 'getKaminoFarmCodec',
    codec: getKaminoFarmCodec() as Codec<unknown>,
    idl: 'kamino-farms@1.6.5.json',
    account: 'FarmState',
  },
  {
    name: 'getDriftSpotMarketCodec',
    codec: getDriftSpotMarketCodec() as Codec<unknown>,
    idl: 'drift@2.162.0.json',
    account: 'SpotMarket',
  },
  {
    name: 'getDriftStateCodec',
    codec: getDriftStateCodec() as Codec<unknown>,
    idl: 'drift@2.162.0.json',
    account: 'State',
  },
  {
    name: 'getMarinadeStateCodec',
    codec: getMarinadeStateCodec() as Codec<unknown>,
    idl: 'marinade@0.1.0.json',
    account: 'State',
  },
  {
    name: 'getDriftUserCodec',
    codec: getDriftUserCodec() as Codec<unknown>,
    idl: 'drift@2.162.0.json',
    account: 'User',
  },
  {
    name: 'getJuplendLendingCodec',
    codec: getJuplendLendingCodec() as Codec<unknown>,
    idl: 'juplend-lending@0.1.4.json',
    account: 'Lending',
  },
  {
    name: 'getJuplendLiquidityCodec',
    codec: getJuplendLiquidityCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'Liquidity',
  },
  {
    name: 'getJuplendRateModelCodec',
    codec: getJuplendRateModelCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'RateModel',
  },
  {
    name: 'getJuplendTokenReserveCodec',
    codec: getJuplendTokenReserveCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'TokenReserve',
  },
  {
    name: 'getJuplendUserBorrowPositionCodec',
    codec: getJuplendUserBorrowPositionCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserBorrowPosition',
  },
  {
    name: 'getJuplendUserClaimCodec',
    codec: getJuplendUserClaimCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserClaim',
  },
  {
    name: 'getJuplendUserSupplyPositionCodec',
    codec: getJuplendUserSupplyPositionCodec() as Codec<unknown>,
    idl: 'juplend-liquidity@0.1.5.json',
    account: 'UserSupplyPosition',
  },
  {
    name: 'getJuplendRewardsRateModelCodec',
    codec: getJuplendRewardsRateModelCodec() as Codec<unknown>,
    idl: 'juplend-lending-reward-rate-model@0.1.0.json',
    account: 'LendingRewardsRateModel',
  },
  {
    name: 'getJuplendLendingAdminCodec',
    codec: getJuplendLendingAdminCodec() as Codec<unknown>,
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

/** Codecs whose program publishes no IDL: where their layout comes from, and the test that holds them to real bytes. */
export const WITHOUT_IDL = [
  {
    name: 'getFeeStateV2Codec',
    codec: getFeeStateV2Codec(),
    source: 'marginfi-v2 0.1.9, `type-crate/src/types/fee_state.rs`; no instruction but its creation names it',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getSolendReserveCodec',
    codec: getSolendReserveCodec(),
    source: 'solana-program-library (Solend), `token-lending/sdk/src/state/reserve.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getSolendObligationCodec',
    codec: getSolendObligationCodec(),
    source: 'solana-program-library (Solend), `token-lending/sdk/src/state/obligation.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getSolendLendingMarketCodec',
    codec: getSolendLendingMarketCodec(),
    source:
      'solana-program-library (Solend), `token-lending/sdk/src/state/lending_market.rs`; no dump of one is public',
    provenBy: 'packages/programs/src/solend/lending-market.test.ts',
  },
  {
    name: 'getStakeAccountCodec',
    codec: getStakeAccountCodec(),
    source: 'solana-stake-interface `StakeStateV2`, as `@solana-program/stake` reads it',
    provenBy: 'packages/programs/src/stake/stake-account.test.ts',
  },
  {
    name: 'getStakePoolCodec',
    codec: getStakePoolCodec(),
    source: 'solana-program stake-pool, `program/src/state.rs`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getMintCodec',
    codec: getMintCodec(),
    source: 'spl-token interface, `Mint::pack_into_slice`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getTokenAccountCodec',
    codec: getTokenAccountCodec(),
    source: 'spl-token interface, `Account::pack_into_slice`',
    provenBy: 'packages/programs/src/real-accounts.test.ts',
  },
  {
    name: 'getClockCodec',
    codec: getClockCodec(),
    source: 'solana-clock `Clock`, as `@solana/sysvars` reads it',
    provenBy: 'packages/programs/src/sysvar/clock.test.ts',
  },
] as const;
