import { createHash } from 'node:crypto';
import {
  type Bank,
  bankLayout,
  MARGINFI_PROGRAM,
  type MarginfiAccount,
  marginfiAccountLayout,
  PRICE_UPDATE_V2_SIZE,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { AccountBytes } from '@lending/venues';
import { type Address, address, getAddressDecoder } from '@solana/kit';

/** The moment everything here is judged at: slot and clock of one block. */
export const MOMENT = { slot: 400_000_000n, unixTimestamp: 1_795_000_000n } as const;
const NO_KEY: Address = address('11111111111111111111111111111111');
const PYTH_RECEIVER: Address = address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ');
/** Bit 0 is set exactly when there are entries. */
const EMODE_ON = 1n;

/** The same bytes for the same seed, and unlike those of any other: what a test does not set is noise, not zero. */
export function noise(seed: string, length: number): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(seed).digest();
}

export function noiseAddress(seed: string): Address {
  return getAddressDecoder().decode(noise(seed, 32));
}

export type BankFields = Partial<Omit<Bank, 'config' | 'emode'>> & {
  readonly config?: Partial<Omit<Bank['config'], 'interestRateConfig'>> & {
    readonly interestRateConfig?: Partial<Bank['config']['interestRateConfig']>;
  };
  readonly emode?: { readonly tag: number; readonly entries: readonly EmodeEntry[] };
};

export interface EmodeEntry {
  readonly collateralBankEmodeTag: number;
  readonly assetWeightInit: bigint;
  readonly assetWeightMaint: bigint;
}

/**
 * The bytes of a bank. Whatever `fields` leaves open is noise where any value is a bank, and otherwise the plainest that is:
 * operational, default tag, no caps, no fees on borrowing, accrued to the moment.
 */
export function bankBytes(seed: string, fields: BankFields): AccountBytes {
  const bytes = Uint8Array.from(noise(`bank ${seed}`, bankLayout.fixedSize));
  bytes.set(bankLayout.discriminator);
  const open = bankLayout.decode(bytes);
  const { config = {}, emode = { tag: 0, entries: [] }, ...head } = fields;
  const bank: Bank = {
    ...open,
    mintDecimals: 6,
    lastUpdate: MOMENT.unixTimestamp,
    flags: 0n,
    emissionsRate: 0n,
    ...head,
    config: {
      ...open.config,
      depositLimit: 2n ** 64n - 1n,
      borrowLimit: 2n ** 64n - 1n,
      operationalState: 1,
      riskTier: 0,
      assetTag: 0,
      configFlags: 1,
      totalAssetValueInitLimit: 0n,
      oracleMaxAge: 300,
      oracleMaxConfidence: 0,
      oracleKeys: [noiseAddress(`feed ${seed}`), NO_KEY, NO_KEY, NO_KEY, NO_KEY],
      ...config,
      interestRateConfig: {
        ...open.config.interestRateConfig,
        protocolOriginationFee: 0n,
        ...config.interestRateConfig,
      },
    },
    emode: {
      ...open.emode,
      emodeTag: emode.tag,
      timestamp: MOMENT.unixTimestamp,
      flags: emode.entries.length > 0 ? EMODE_ON : 0n,
      emodeConfig: { entries: Array.from({ length: 10 }, (_, index) => emodeEntry(emode.entries[index])) },
    },
    rateLimiter: { hourly: NO_WINDOW, daily: NO_WINDOW },
  };
  return {
    address: noiseAddress(`address of bank ${seed}`),
    owner: MARGINFI_PROGRAM,
    data: Uint8Array.from(bankLayout.encode(bank)),
  };
}

/** An outflow window that is off. */
export const NO_WINDOW = {
  maxOutflow: 0n,
  windowDuration: 0n,
  windowStart: 0n,
  prevWindowOutflow: 0n,
  curWindowOutflow: 0n,
};

function emodeEntry(entry: EmodeEntry | undefined): Bank['emode']['emodeConfig']['entries'][number] {
  const empty = {
    collateralBankEmodeTag: 0,
    flags: 0,
    pad0: new Uint8Array(5),
    assetWeightInit: 0n,
    assetWeightMaint: 0n,
  };
  return { ...empty, ...entry };
}

/** What an account holds of one bank. */
export interface Holding {
  readonly bank: Address;
  readonly assetTag: number;
  /** Which of the sixteen slots. */
  readonly slot: number;
  readonly assetShares: bigint;
  readonly liabilityShares: bigint;
}

/** The bytes of an account. Slots that hold nothing are zero, as the program leaves them; the rest is noise. */
export function accountBytes(seed: string, holdings: readonly Holding[]): AccountBytes {
  const bytes = Uint8Array.from(noise(`account ${seed}`, marginfiAccountLayout.fixedSize));
  bytes.set(marginfiAccountLayout.discriminator);
  const open = marginfiAccountLayout.decode(bytes);
  const account: MarginfiAccount = {
    ...open,
    accountFlags: 0n,
    lendingAccount: {
      ...open.lendingAccount,
      balances: open.lendingAccount.balances.map((_, slot) => balance(holdings.find((each) => each.slot === slot))),
    },
  };
  return {
    address: noiseAddress(`address of account ${seed}`),
    owner: MARGINFI_PROGRAM,
    data: Uint8Array.from(marginfiAccountLayout.encode(account)),
  };
}

type Balance = MarginfiAccount['lendingAccount']['balances'][number];

function balance(holding: Holding | undefined): Balance {
  return {
    active: holding === undefined ? 0 : 1,
    bankPk: holding?.bank ?? NO_KEY,
    bankAssetTag: holding?.assetTag ?? 0,
    tag: 0,
    premiumRateSnapshot: 0,
    assetShares: holding?.assetShares ?? 0n,
    liabilityShares: holding?.liabilityShares ?? 0n,
    premiumOutstanding: 0n,
    lastUpdate: holding === undefined ? 0n : MOMENT.unixTimestamp,
    _padding: new Uint8Array(8),
  };
}

/** A Pyth price: `value = raw × 10^exponent`. */
export interface PythPrice {
  readonly price: bigint;
  readonly conf: bigint;
  readonly emaPrice: bigint;
  readonly emaConf: bigint;
  readonly exponent: number;
}

export function pythBytes(bankSeed: string, price: PythPrice): AccountBytes {
  const update = priceUpdateV2Layout.encode({
    writeAuthority: noiseAddress(`authority of ${bankSeed}`),
    verificationLevel: { __kind: 'Full' },
    priceMessage: {
      feedId: noise(`feed id of ${bankSeed}`, 32),
      publishTime: MOMENT.unixTimestamp,
      prevPublishTime: MOMENT.unixTimestamp - 1n,
      ...price,
    },
    postedSlot: MOMENT.slot,
  });
  const data = new Uint8Array(PRICE_UPDATE_V2_SIZE);
  data.set(update);
  return { address: noiseAddress(`feed ${bankSeed}`), owner: PYTH_RECEIVER, data };
}

/** A Switchboard median and its standard deviation, 18 decimals. */
export function switchboardBytes(bankSeed: string, value: bigint, stdDev: bigint): AccountBytes {
  const bytes = new Uint8Array(pullFeedLayout.fixedSize);
  bytes.set(pullFeedLayout.discriminator);
  const empty = pullFeedLayout.decode(bytes);
  const feed = {
    ...empty,
    lastUpdateTimestamp: MOMENT.unixTimestamp,
    result: { ...empty.result, value, stdDev, slot: MOMENT.slot, minSlot: MOMENT.slot, maxSlot: MOMENT.slot },
  };
  return {
    address: noiseAddress(`feed ${bankSeed}`),
    owner: SWITCHBOARD_ON_DEMAND_PROGRAM,
    data: Uint8Array.from(pullFeedLayout.encode(feed)),
  };
}
