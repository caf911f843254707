import { I80F48_ONE, integerToI80F48 } from '@lending/domain';
import {
  type Bank,
  bankLayout,
  bankMetadataLayout,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  mintLayout,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { type Address, address, getAddressDecoder } from '@solana/kit';

/** An account without its address and slot. */
export interface AccountContent {
  readonly owner: Address;
  readonly data: Uint8Array;
}

/** Seconds: what the fake chain's clock says at first. */
export const CHAIN_SECONDS = 1_777_000_000n;
export const GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
export const FEED: Address = address('Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX');
export const [MINT, VAULT] = [anyAddress(801), anyAddress(802)];
const NO_KEY: Address = address('11111111111111111111111111111111');

/** The nth of many addresses that are nobody's. */
export function anyAddress(nth: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  new DataView(bytes.buffer).setUint32(0, nth);
  return getAddressDecoder().decode(bytes);
}

export type BankFields = Partial<Omit<Bank, 'config'>> & {
  readonly config?: Partial<Bank['config']>;
  readonly feed?: Address;
};

/** A P0 bank of 1000 deposited and 400 lent base units, 5 % a year at its utilisation, on a Pyth feed. */
export function bankContent({ feed = FEED, ...fields }: BankFields = {}): AccountContent {
  const zero = zeroOf(bankLayout.fixedSize, bankLayout.discriminator, bankLayout);
  const bank: Bank = {
    ...zero,
    group: GROUP,
    mint: MINT,
    mintDecimals: 6,
    assetShareValue: I80F48_ONE,
    liabilityShareValue: I80F48_ONE,
    totalAssetShares: integerToI80F48(1000n),
    totalLiabilityShares: integerToI80F48(400n),
    lastUpdate: CHAIN_SECONDS,
    liquidityVault: VAULT,
    ...fields,
    config: {
      ...zero.config,
      operationalState: 1,
      oracleSetup: 3,
      oracleMaxAge: 60,
      oracleKeys: [feed, NO_KEY, NO_KEY, NO_KEY, NO_KEY],
      interestRateConfig: {
        ...zero.config.interestRateConfig,
        optimalUtilizationRate: I80F48_ONE / 2n + I80F48_ONE / 4n,
        plateauInterestRate: I80F48_ONE / 8n,
        maxInterestRate: I80F48_ONE,
      },
      ...fields.config,
    },
  };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(bankLayout.encode(bank)) };
}

export function groupContent(): AccountContent {
  const zero = zeroOf(marginfiGroupLayout.fixedSize, marginfiGroupLayout.discriminator, marginfiGroupLayout);
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(marginfiGroupLayout.encode(zero)) };
}

export function vaultContent(amount: bigint, mint: Address = MINT): AccountContent {
  const data = tokenAccountLayout.encode({
    mint,
    owner: NO_KEY,
    amount,
    delegate: { isSome: false, value: NO_KEY },
    state: 1,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: { isSome: false, value: NO_KEY },
  });
  return { owner: TOKEN_PROGRAM, data: Uint8Array.from(data) };
}

/** A Pyth feed of 150 USD ± 1, whose average is 149 USD. */
export function pythContent(fields: { readonly price?: bigint; readonly publishTime?: bigint } = {}): AccountContent {
  const data = priceUpdateV2Layout.encode({
    writeAuthority: NO_KEY,
    verificationLevel: { __kind: 'Full' },
    priceMessage: {
      feedId: new Uint8Array(32),
      price: 15_000_000_000n,
      conf: 100_000_000n,
      exponent: -8,
      publishTime: CHAIN_SECONDS,
      prevPublishTime: CHAIN_SECONDS,
      emaPrice: 14_900_000_000n,
      emaConf: 50_000_000n,
      ...fields,
    },
    postedSlot: 1n,
  });
  return { owner: PYTH_RECEIVER_PROGRAM, data: Uint8Array.from(data) };
}

/** A Switchboard feed without deviation; `value` has 18 decimals. */
export function switchboardContent(value: bigint, lastUpdateTimestamp = CHAIN_SECONDS): AccountContent {
  const zero = zeroOf(pullFeedLayout.fixedSize, pullFeedLayout.discriminator, pullFeedLayout);
  const feed = { ...zero, lastUpdateTimestamp, result: { ...zero.result, value } };
  return { owner: SWITCHBOARD_ON_DEMAND_PROGRAM, data: Uint8Array.from(pullFeedLayout.encode(feed)) };
}

export function metadataContent(bank: Address, ticker: string): AccountContent {
  const zero = zeroOf(bankMetadataLayout.fixedSize, bankMetadataLayout.discriminator, bankMetadataLayout);
  const bytes = Buffer.from(ticker);
  const metadata = { ...zero, bank, ticker: bytes, endTickerByte: bytes.length - 1 };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(bankMetadataLayout.encode(metadata)) };
}

export function mintContent(program: 'spl' | 'token_2022' = 'spl'): AccountContent {
  const none = { isSome: false, value: NO_KEY };
  const mint = { mintAuthority: none, supply: 0n, decimals: 6, isInitialized: true, freezeAuthority: none };
  const owner = program === 'spl' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  return { owner, data: Uint8Array.from(mintLayout.encode(mint)) };
}

/** The account of a program with zeros everywhere but in front. */
export function zeroOf<T>(size: number, discriminator: Uint8Array, decoder: { decode(data: Uint8Array): T }): T {
  const empty = new Uint8Array(size);
  empty.set(discriminator);
  return decoder.decode(empty);
}
