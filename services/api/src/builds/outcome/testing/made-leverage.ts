import { integerToI80F48, NONE_RELAXED } from '@lending/domain';
import {
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  TOKEN_PROGRAM,
  type TokenAccountArgs,
  tokenAccountLayout,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import {
  createBankCache,
  type LeverageState,
  readLeverageState,
  type SizedClose,
  type SizedLoop,
  type SwapRoute,
} from '@lending/transactions';
import {
  ACCOUNT,
  type BankFields,
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  GROUP,
  type MadeAccount,
  madeAddress,
  mintAddress,
  WALLET,
} from '@lending/transactions/testing/made-market.ts';
import { AccountRole, type Address } from '@solana/kit';
import type { PassedSimulation } from '../account-after.ts';

/** Tokens of the wallet that have nothing to do with the pair, and a pool. */
export const [OTHER_TOKENS, POOL] = [madeAddress(11), madeAddress(12)];
export const FEES = { network: 5_000n, priority: 1_000n, tip: 0n, rent: 2_000_000n };
const COSTS = 2_006_000n;

/** Which of the pair is the chain's own token: its bank then has nine decimals and a price of 100 USD. */
export type SolSide = 'deposit' | 'borrow' | null;

type Market = ReturnType<typeof createMadeMarket>;

/**
 * A wallet with 5,000 deposited in bank 0, owing 1,000 to bank 1 and with 7 in bank 2, all of a dollar and six decimals; its token accounts
 * hold 2,000 of the first and 50 of the second mint.
 * @param premium what the debt owes besides, base units.
 */
export async function createMadeLeverage(sol: SolSide = null, debtBank: BankFields = {}, premium = 0n) {
  const market = createMadeMarket();
  const mints = [0, 1, 2].map((nth) => {
    const isSol = (nth === 0 && sol === 'deposit') || (nth === 1 && sol === 'borrow');
    return isSol ? WRAPPED_SOL_MINT : mintAddress(nth);
  });
  for (const [nth, mint] of mints.entries()) market.setBank(nth, nth === 1 ? debtBank : {}, { mint });
  setBalances(market, { premium });
  await market.setTokens(mints[0] as Address, 2_000_000_000n);
  await market.setTokens(mints[1] as Address, 50_000_000n);
  market.put(OTHER_TOKENS, tokens({ mint: mintAddress(9), amount: 77n }));
  market.put(POOL, tokens({ owner: madeAddress(13), amount: 77n }));
  const state = await readLeverageState(market.chain, createBankCache(), {
    program: MARGINFI_PROGRAM,
    group: GROUP,
    authority: WALLET,
    account: ACCOUNT,
    version: NEWEST_VERSION,
    relaxed: NONE_RELAXED,
    knownAccounts: [],
    heldBanks: [],
    banks: [bankAddress(0), bankAddress(1)],
    opens: 'never',
    lookupTables: [],
    accountIndex: null,
  });
  return { market, state, source: state.debt.tokens.address, destination: state.collateral.tokens.address };
}

export type MadeLeverage = Awaited<ReturnType<typeof createMadeLeverage>>;

/** Balances after interest that is none: base units added to each. */
export interface BalanceChanges {
  readonly collateral?: bigint;
  readonly debt?: bigint;
  readonly surplus?: bigint;
  readonly other?: bigint;
  /** What the debt owes besides, base units: all of it, not what is added. */
  readonly premium?: bigint;
}

function setBalances(
  market: Market,
  { collateral = 0n, debt: owed = 0n, surplus = 0n, other = 0n, premium = 0n }: BalanceChanges,
): void {
  const balances = [
    deposit(0, 5_000_000_000n + collateral),
    debt(1, 1_000_000_000n + owed, {
      assetShares: integerToI80F48(surplus),
      premiumOutstanding: integerToI80F48(premium),
    }),
    deposit(2, 7_000_000n + other),
  ];
  market.setAccount(
    balances.filter(({ assetShares = 0n, liabilityShares = 0n }) => assetShares + liabilityShares > 0n),
  );
}

export function tokens(fields: Partial<TokenAccountArgs> = {}): MadeAccount {
  const none = { isSome: false, value: madeAddress(0) };
  const data = tokenAccountLayout.encode({
    mint: mintAddress(9),
    owner: WALLET,
    amount: 0n,
    delegate: none,
    state: 1,
    isNative: { isSome: false, value: 0n },
    delegatedAmount: 0n,
    closeAuthority: none,
    ...fields,
  });
  return { owner: TOKEN_PROGRAM, data: Uint8Array.from(data), lamports: 2_039_280n };
}

/** 1,000 more of the deposit bank's token, 500 of them bought for 502 of the other's. */
export function madeLoop({ state, source, destination }: MadeLeverage): SizedLoop {
  return {
    kind: 'loop',
    depositBank: bankAddress(0),
    borrowBank: bankAddress(1),
    principal: 500_000_000n,
    supplied: 1_000_000_000n,
    leverage: { numerator: 2n, denominator: 1n },
    borrow: 502_000_000n,
    swap: routeOf(state, [source, destination], {
      inBase: 502_000_000n,
      outBase: 501_000_000n,
      minOutBase: 500_000_000n,
    }),
  };
}

/** All of the 1,000 that are owed, for 1,010 of the collateral, with the two that the swap is sure of beyond them deposited. */
export function madeClose({ state, source, destination }: MadeLeverage): SizedClose {
  return {
    kind: 'close_position',
    depositBank: bankAddress(0),
    borrowBank: bankAddress(1),
    repay: 'all',
    surplus: 'redeposit',
    withdraw: 1_010_000_000n,
    redeposit: 2_000_000n,
    swap: routeOf(state, [destination, source], {
      inBase: 1_010_000_000n,
      outBase: 1_005_000_000n,
      minOutBase: 1_002_000_010n,
    }),
  };
}

type Amounts = Pick<SwapRoute['quote'], 'inBase' | 'outBase' | 'minOutBase'>;

function routeOf({ authority }: LeverageState, accounts: readonly Address[], amounts: Amounts): SwapRoute {
  const written = [...accounts, POOL, OTHER_TOKENS].map((address) => ({ address, role: AccountRole.WRITABLE }));
  const taker = { address: authority, role: AccountRole.WRITABLE_SIGNER };
  return {
    quote: {
      aggregator: 'jupiter',
      ...amounts,
      slippageBps: 50,
      priceImpactE18: null,
      fee: null,
      contextSlot: null,
      labels: [],
      requestId: 'one',
    },
    setup: [],
    swap: [{ programAddress: madeAddress(14), accounts: [taker, ...written], data: new Uint8Array() }],
    lookupTables: [],
  };
}

/** What a simulation left, changed from what it should have. */
export interface MadeAfter {
  readonly balances?: BalanceChanges;
  /** Added to the wallet's lamports on top of the costs. */
  readonly lamports?: bigint;
  /** Added to what the token accounts of the deposit bank's and the borrow bank's mint hold. */
  readonly tokens?: readonly [bigint, bigint];
  readonly accounts?: Readonly<Record<Address, MadeAccount | null>>;
}

/** A simulation that left all watched accounts as they were but for what is named. */
export function passedWith(made: MadeLeverage, after: MadeAfter): PassedSimulation {
  const { market, state, source, destination } = made;
  const before = new Map(market.accounts);
  setBalances(market, after.balances ?? {});
  market.setLamports(10_000_000_000n - COSTS + (after.lamports ?? 0n));
  for (const [index, address] of [destination, source].entries()) add(market, address, after.tokens?.[index] ?? 0n);
  const watched = [ACCOUNT, WALLET, source, destination, POOL, OTHER_TOKENS, bankAddress(0), bankAddress(1)];
  const named = new Map(Object.entries(after.accounts ?? {}) as [Address, MadeAccount | null][]);
  const found = watched.map((address) => {
    const account = named.has(address) ? named.get(address) : market.accounts.get(address);
    return [address, account ? { address, ...account } : null] as const;
  });
  market.accounts.clear();
  for (const [address, account] of before) market.accounts.set(address, account);
  return { kind: 'passed', slot: state.accounts.slot, transactions: [], after: new Map(found) };
}

/** Wrapped SOL is lamports too. */
function add(market: Market, address: Address, change: bigint): void {
  const account = market.accounts.get(address);
  if (account === undefined) throw new Error(`nothing is at ${address}`);
  const held = tokenAccountLayout.decode(account.data);
  const isSol = held.mint === WRAPPED_SOL_MINT;
  const data = tokenAccountLayout.encode({ ...held, amount: held.amount + change });
  market.put(address, { ...account, data: Uint8Array.from(data), lamports: account.lamports + (isSol ? change : 0n) });
}
