import type { AccountState } from '@lending/localnet';
import {
  mintLayout,
  PRICE_UPDATE_V2_SIZE,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { ADMIN, FEE_WALLET, PAYER, PROGRAM_MULTISIG, SYSTEM_PROGRAM } from './addresses.ts';
import { feedIdOf } from './bridges/feed-id.ts';
import { rentExempt } from './chain.ts';
import { type BankName, bankNamed, MARKET, type MarketBank, START_TIME } from './market.ts';

/** Whole tokens that there are of every mint. */
const SUPPLY = 5_000_000_000n;
/** Prices are given with eight decimals. */
const PRICE_EXPONENT = -8;

const NONE = { isSome: false, value: SYSTEM_PROGRAM } as const;

/** What a feed says, × 10^8. */
export interface FeedPrice {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly emaPrice: bigint;
  readonly emaConfidence: bigint;
  readonly publishTime: bigint;
}

/** Everything that is there before the program's own accounts: wallets, mints and price feeds. */
export function worldAccounts(): ReadonlyMap<Address, AccountState> {
  const accounts = new Map<Address, AccountState>();
  for (const wallet of [PAYER, ADMIN, FEE_WALLET, PROGRAM_MULTISIG]) accounts.set(wallet, walletState());
  for (const bank of MARKET.values()) {
    accounts.set(bank.mint, mintState(bank));
    accounts.set(bank.oracle, feedState(bank, firstPrice(bank)));
  }
  return accounts;
}

export function firstPrice({ price }: MarketBank): FeedPrice {
  const confidence = price / 1_000n;
  return { price, confidence, emaPrice: price, emaConfidence: confidence, publishTime: START_TIME };
}

/** A Pyth push feed whose id is its own address: that is how both the old program's feed id and today's feed account name it. */
export function feedState(bank: Pick<MarketBank, 'oracle'>, feed: FeedPrice): AccountState {
  const encoded = priceUpdateV2Layout.encode({
    writeAuthority: ADMIN,
    verificationLevel: { __kind: 'Full' },
    priceMessage: {
      feedId: feedIdOf(bank.oracle),
      price: feed.price,
      conf: feed.confidence,
      exponent: PRICE_EXPONENT,
      publishTime: feed.publishTime,
      prevPublishTime: feed.publishTime - 1n,
      emaPrice: feed.emaPrice,
      emaConf: feed.emaConfidence,
    },
    postedSlot: 1n,
  });
  const data = new Uint8Array(PRICE_UPDATE_V2_SIZE);
  data.set(encoded);
  return { lamports: rentExempt(data.length), owner: PYTH_RECEIVER_PROGRAM, data, executable: false };
}

/** Base units of so many whole tokens, given as decimal text. */
export function units(bank: BankName, text: string): bigint {
  const { decimals } = bankNamed(bank);
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
}

/** An empty token account. */
export function tokenState({ mint }: MarketBank, owner: Address): AccountState {
  const data = tokenAccountLayout.encode({
    mint,
    owner,
    amount: 0n,
    delegate: NONE,
    state: 1,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: NONE,
  });
  return programState(TOKEN_PROGRAM, new Uint8Array(data));
}

function walletState(): AccountState {
  return { lamports: 1_000_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
}

function mintState({ decimals }: MarketBank): AccountState {
  const supply = SUPPLY * 10n ** BigInt(decimals);
  const data = mintLayout.encode({
    mintAuthority: { isSome: true, value: ADMIN },
    supply,
    decimals,
    isInitialized: true,
    freezeAuthority: NONE,
  });
  return programState(TOKEN_PROGRAM, new Uint8Array(data));
}

export function programState(owner: Address, data: Uint8Array): AccountState {
  return { lamports: rentExempt(data.length), owner, data, executable: false };
}
