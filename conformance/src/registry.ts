import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  getBankCodec,
  getBankMetadataCodec,
  getClockCodec,
  getFeeStateCodec,
  getMarginfiAccountCodec,
  getMarginfiGroupCodec,
  getMintCodec,
  getPriceUpdateV2Codec,
  getPullFeedCodec,
  getTokenAccountCodec,
  PRICE_UPDATE_V2_DISCRIMINATOR,
} from '@lending/programs';
import type { Codec } from '@solana/kit';

/** A codec that claims to be an account of an IDL. */
export interface IdlClaim {
  /** The export of `@lending/programs`. */
  readonly name: string;
  readonly codec: Codec<unknown>;
  readonly idl: string;
  readonly account: string;
  readonly discriminator?: Uint8Array;
}

const MARGINFI = 'marginfi@0.1.8.json';

export const IDL_CLAIMS: readonly IdlClaim[] = [
  { name: 'getBankCodec', codec: getBankCodec() as Codec<unknown>, idl: MARGINFI, account: 'Bank' },
  {
    name: 'getBankMetadataCodec',
    codec: getBankMetadataCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'BankMetadata',
  },
  { name: 'getFeeStateCodec', codec: getFeeStateCodec() as Codec<unknown>, idl: MARGINFI, account: 'FeeState' },
  {
    name: 'getMarginfiAccountCodec',
    codec: getMarginfiAccountCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'MarginfiAccount',
  },
  {
    name: 'getMarginfiGroupCodec',
    codec: getMarginfiGroupCodec() as Codec<unknown>,
    idl: MARGINFI,
    account: 'MarginfiGroup',
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
];

/** Names of enum numbers. A newer program may have added some: the IDL's must be the first of ours. */
export const ENUM_CLAIMS = [
  { idl: MARGINFI, type: 'BankOperationalState', names: BANK_OPERATIONAL_STATES },
  { idl: MARGINFI, type: 'OracleSetup', names: BANK_ORACLE_SETUPS },
  { idl: MARGINFI, type: 'RiskTier', names: BANK_RISK_TIERS },
] as const;

/** Codecs whose program publishes no IDL: where their layout comes from, and the test that holds them to real bytes. */
export const WITHOUT_IDL = [
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
