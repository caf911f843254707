import { ASSET_TAG, isIntegrationTag, type PriceBand, type RiskBank, type RiskPrice } from '@lending/domain';
import type { ProgramVersion } from '@lending/programs';
import {
  type AccountBytes,
  decodeBank,
  type LoadedOracle,
  loadOracle,
  type Moment,
  type P0Bank,
  sameAssetOf,
  toRiskPrice,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { fail, panic } from '../marginfi-error.ts';
import { type BankState, chargesPremium } from '../state/bank-state.ts';
import { type GroupState, sameAssetLeverageOf } from '../state/group-state.ts';
import { runsSince, versionOf } from '../version.ts';

/** How many accounts a bank of these oracle setups takes, whatever it holds. */
const BY_SETUP: ReadonlyMap<number, number> = new Map([[8, 1], ...[13, 14, 17].map((setup) => [setup, 2] as const)]);
/** The same since 0.1.11: PTFixed; PythMSOL, PythLST and PTPyth; what prices mSOL and other staked SOL on Kamino and JupLend. */
const BY_NEWER_SETUP: ReadonlyMap<number, number> = new Map([
  [26, 2],
  ...[19, 22, 25].map((setup) => [setup, 3] as const),
  ...[20, 21, 23, 24].map((setup) => [setup, 4] as const),
]);

/**
 * How many accounts a health check takes for a bank, itself included.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `get_remaining_accounts_per_bank`
 */
export function accountsPerBank(context: InvokeContext, bank: BankState): number {
  const bySetup = runsSince(context, '0.1.11') ? BY_NEWER_SETUP.get(bank.oracleSetup) : undefined;
  const count = bySetup ?? BY_SETUP.get(bank.oracleSetup);
  if (count !== undefined) return count;
  if (isIntegrationTag(bank.assetTag)) return 3;
  switch (bank.assetTag) {
    case ASSET_TAG.default:
    case ASSET_TAG.sol:
      return 2;
    case ASSET_TAG.staked:
      return 5;
    default:
      return fail('AssetTagMismatch');
  }
}

/** The bytes of a bank that only its administrators change: all that a price, a weight or a rate depends on, but for shares. */
const CONFIGURED = [
  [8, 80],
  [112, 144],
  [296, 848],
  [920, 1344],
  [1560, 1656],
] as const;

interface Remembered {
  readonly data: Uint8Array;
  readonly config: P0Bank;
}

/** Decoding a bank takes far longer than the rest of a health check, and its configuration seldom changes. */
const MAX_REMEMBERED = 2_000;
const remembered = new Map<Address, Remembered>();

/** What a bank is configured to. Its shares, fees and counts are old: they are the state's to say. */
export function readBankConfig(account: Pick<InstructionAccount, 'address' | 'data' | 'owner'>): P0Bank {
  const known = remembered.get(account.address);
  if (known !== undefined && isConfiguredAlike(known.data, account.data)) return known.config;
  const data = account.data.slice();
  const config = decodeBank({ address: account.address, owner: account.owner, data }, account.owner);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(account.address, { data, config });
  return config;
}

/** A bank as the risk engine takes it, with the shares it has now. */
export function toRiskBank(context: InvokeContext, config: P0Bank, state: BankState, group: GroupState): RiskBank {
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate } = state;
  const sameAsset = runsSince(context, '0.1.10') ? sameAssetOf(config) : null;
  const { operationalState } = config;
  // Up to 0.1.11 a paused bank's tokens backed new debt.
  const isJudgedOpen = operationalState === 'Paused' && !runsSince(context, '0.1.12');
  return {
    ...config,
    operationalState: isJudgedOpen ? 'Operational' : operationalState,
    sameAsset: sameAsset && { ...sameAsset, leverage: sameAssetLeverageOf(group) },
    premium: {
      tag: state.premiumTag,
      isActive: runsSince(context, '0.1.12') && chargesPremium(state),
      activatedAt: state.premiumActivatedAt,
    },
    shares: { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate },
  };
}

function isConfiguredAlike(one: Uint8Array, other: Uint8Array): boolean {
  return CONFIGURED.every(([start, end]) => Buffer.compare(one.subarray(start, end), other.subarray(start, end)) === 0);
}

/** A bank's oracle, read from the accounts that an instruction was given for it. */
export interface BankOracle {
  readonly config: P0Bank;
  readonly loaded: LoadedOracle;
  readonly price: RiskPrice;
}

export function readBankOracle(
  context: InvokeContext,
  bank: InstructionAccount,
  accounts: readonly InstructionAccount[],
): BankOracle {
  const config = readBankConfig(bank);
  const moment = momentOf(context);
  const version = versionOf(context);
  const loaded = recallOracle(config, accounts, { moment, version }, () =>
    loadOracle(config, accounts.map(toAccountBytes), moment, { version }),
  );
  if (loaded.kind === 'refused' && loaded.programError === null) panic(context, loaded.reason);
  const price = toRiskPrice(config, loaded);
  // An emergency of the venue means nothing to the program before.
  const isBefore = price.kind === 'loaded' && !runsSince(context, '0.1.12');
  return { config, loaded, price: isBefore ? { ...price, hasBorrowingPower: true } : price };
}

/**
 * Finds a bank's oracle accounts among those for the health check.
 * @throws AnchorError BankAccountNotFound or WrongNumberOfOracleAccounts
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `oracle_accounts_for_bank`
 */
export function findBankOracle(
  context: InvokeContext,
  bank: InstructionAccount,
  state: BankState,
  remaining: readonly InstructionAccount[],
): BankOracle {
  const needed = accountsPerBank(context, state) - 1;
  const index = remaining.findIndex((account) => account.address === bank.address);
  if (index === -1) fail('BankAccountNotFound');
  if (index + 1 + needed > remaining.length) fail('WrongNumberOfOracleAccounts');
  return readBankOracle(context, bank, remaining.slice(index + 1, index + 1 + needed));
}

/** The price of the moment with its edges. @throws AnchorError with the oracle's error. */
export function requireSpotPrice({ price }: BankOracle): PriceBand {
  if (price.kind === 'failed') return fail(price.error);
  return typeof price.spot === 'string' ? fail(price.spot) : price.spot;
}

function momentOf({ slot }: InvokeContext): Moment {
  return {
    slot: slot.slot,
    unixTimestamp: slot.unixTimestamp,
    epoch: slot.epoch,
    rentLamportsPerByte: slot.minimumBalance(1) - slot.minimumBalance(0),
  };
}

function toAccountBytes({ address, owner, data, lamports }: InstructionAccount): AccountBytes {
  return { address, owner, data, lamports };
}

interface ReadAt {
  readonly moment: Moment;
  /** Which program read it. */
  readonly version: ProgramVersion;
}

interface RememberedOracle extends ReadAt {
  readonly accounts: readonly { readonly data: Uint8Array; readonly lamports: bigint }[];
  readonly loaded: LoadedOracle;
}

/**
 * What each bank's oracle last said. Decoding a feed takes a millisecond, and within a slot dozens of transactions ask the same feeds the
 * same thing. Forgotten with the bank's configuration.
 */
const rememberedOracles = new WeakMap<P0Bank, RememberedOracle>();

/**
 * The oracle as it was read before, where nothing it depends on has changed since: the clock, the program, and the accounts, whose bytes
 * the ledger replaces and never changes. An account that the running transaction has written to is read again.
 */
export function recallOracle(
  config: P0Bank,
  accounts: readonly InstructionAccount[],
  at: ReadAt,
  load: () => LoadedOracle,
): LoadedOracle {
  if (!accounts.every((account) => account.isUntouched)) return load();
  const known = rememberedOracles.get(config);
  if (known !== undefined && isSame(known, accounts, at)) return known.loaded;
  const loaded = load();
  rememberedOracles.set(config, {
    accounts: accounts.map(({ data, lamports }) => ({ data, lamports })),
    ...at,
    loaded,
  });
  return loaded;
}

function isSame(
  known: RememberedOracle,
  accounts: readonly InstructionAccount[],
  { moment, version }: ReadAt,
): boolean {
  return (
    known.version === version &&
    known.moment.slot === moment.slot &&
    known.moment.unixTimestamp === moment.unixTimestamp &&
    known.accounts.length === accounts.length &&
    known.accounts.every(
      ({ data, lamports }, index) => accounts[index]?.data === data && accounts[index].lamports === lamports,
    )
  );
}
