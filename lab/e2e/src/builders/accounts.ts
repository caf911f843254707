import { balanceDecimals } from '@lending/domain';
import type { AccountState, Ledger } from '@lending/localnet';
import {
  findAssociatedTokenAccount,
  findMarginfiAccount,
  MARGINFI_MAIN_GROUP,
  marginfiAccountLayout,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountLayout,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import {
  oracleAccountsOf,
  type P0Bank,
  readPrice,
  readRentLamportsPerByte,
  readTransferFee,
  rentSysvarOf,
} from '@lending/venues';
import { type Address, getAddressEncoder, type KeyPairSigner } from '@solana/kit';
import { accountState } from '../positions/random-accounts.ts';

const FROZEN = 2;

export interface GivenTokens {
  readonly amountBase: bigint;
  readonly isFrozen?: boolean;
  /** May spend all of them. */
  readonly delegate?: Address;
}

/** Gives a wallet exactly so many lamports, out of nothing. */
export function giveLamports(ledger: Ledger, wallet: Address, lamports: bigint): void {
  const state = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  ledger.writeAccount(wallet, lamports === 0n ? undefined : state);
}

/** Where a wallet keeps a bank's token. */
export async function tokenAccountOf(
  ledger: Ledger,
  wallet: Address,
  { mint }: Pick<P0Bank, 'mint'>,
): Promise<Address> {
  const owner = ledger.account(mint)?.owner;
  if (owner === undefined) throw new TypeError(`There is no mint ${mint}`);
  return (await findAssociatedTokenAccount(wallet, mint, owner))[0];
}

/** Gives a wallet an associated account with exactly so many tokens, in the shape that the bank's own vault has; null takes it away. */
export async function giveTokens(
  ledger: Ledger,
  wallet: Address,
  bank: P0Bank,
  tokens: GivenTokens | null,
): Promise<Address> {
  const address = await tokenAccountOf(ledger, wallet, bank);
  ledger.writeAccount(address, tokens === null ? undefined : tokenAccount(ledger, bank, wallet, tokens));
  return address;
}

/** A token account in the shape that the bank's own vault has; wrapped SOL has its rent beside its tokens. */
export function tokenAccount(
  ledger: Ledger,
  bank: P0Bank,
  owner: Address,
  { amountBase: amount, isFrozen = false, delegate }: GivenTokens,
): AccountState {
  const vault = ledger.account(bank.liquidityVault);
  if (vault === undefined) throw new TypeError(`The bank ${bank.address} has no vault`);
  const data = new Uint8Array(vault.data);
  const token = tokenAccountLayout.decode(data);
  const state = isFrozen ? FROZEN : token.state;
  const spender =
    delegate === undefined ? {} : { delegate: { isSome: true, value: delegate }, delegatedAmount: amount };
  data.set(tokenAccountLayout.encode({ ...token, owner, amount, state, ...spender }));
  const rent = ledger.minimumBalance(data.length);
  return { ...vault, lamports: bank.mint === WRAPPED_SOL_MINT ? rent + amount : rent, data };
}

/** A side of an account in dollars. */
export interface WantedBalance {
  readonly bank: P0Bank;
  readonly side: 'asset' | 'liability';
  readonly usd: number;
}

export function asset(bank: P0Bank, usd: number): WantedBalance {
  return { bank, side: 'asset', usd };
}

export function debt(bank: P0Bank, usd: number): WantedBalance {
  return { bank, side: 'liability', usd };
}

export interface AccountTerms {
  readonly index?: number;
  readonly flags?: bigint;
}

/** Puts a lending account on the chain that holds about these amounts; the address is derived from the wallet by `index`. */
export async function makeAccount(
  ledger: Ledger,
  wallet: Address,
  balances: readonly WantedBalance[],
  { index = 0, flags = 0n }: AccountTerms = {},
): Promise<Address> {
  const [address] = await findMarginfiAccount({ group: MARGINFI_MAIN_GROUP, authority: wallet, index });
  const slots = balances.map(({ bank, side, usd }) => ({ bank, side, shares: sharesWorth(ledger, bank, side, usd) }));
  // Whatever the program would have said to it.
  const state = accountState(
    { address, authority: wallet, balances: slots.toSorted(byBankDescending) },
    MARGINFI_MAIN_GROUP,
  );
  const decoded = marginfiAccountLayout.decode(state.data);
  const data = new Uint8Array(marginfiAccountLayout.encode({ ...decoded, accountFlags: flags }));
  ledger.writeAccount(address, { ...state, data });
  return address;
}

/** Gives a wallet SOL, and tokens of banks by base units; null takes the token account away. */
export async function fund(
  ledger: Ledger,
  { address }: KeyPairSigner,
  lamports: bigint,
  tokens: readonly (readonly [P0Bank, bigint | null])[] = [],
): Promise<void> {
  giveLamports(ledger, address, lamports);
  for (const [bank, amountBase] of tokens)
    await giveTokens(ledger, address, bank, amountBase === null ? null : { amountBase });
}

/** As the program sorts them. */
function byBankDescending(
  { bank: one }: { readonly bank: P0Bank },
  { bank: other }: { readonly bank: P0Bank },
): number {
  const encoder = getAddressEncoder();
  return Buffer.compare(Buffer.from(encoder.encode(other.address)), Buffer.from(encoder.encode(one.address)));
}

/** Bits of I80F48 after the point. */
const FRACTION_BITS = 48n;

/** About so many dollars of a bank's token, base units; what is random is not to be exact. */
export function baseWorth(ledger: Ledger, bank: P0Bank, usd: number): bigint {
  const base = (usd / priceOf(ledger, bank)) * 10 ** bank.decimals;
  return base < 1 ? 1n : BigInt(Math.floor(base));
}

/** The same as shares of a balance. At a venue a receipt is taken for a token, which is near enough. */
export function sharesWorth(ledger: Ledger, bank: P0Bank, side: 'asset' | 'liability', usd: number): bigint {
  const base = baseWorth(ledger, bank, usd);
  const { assetShareValue, liabilityShareValue } = bank.shares;
  const value = side === 'asset' ? assetShareValue : liabilityShareValue;
  const places = BigInt(balanceDecimals(bank.assetTag, bank.decimals));
  const units = (base * 10n ** places) / 10n ** BigInt(bank.decimals);
  return (units << (2n * FRACTION_BITS)) / value;
}

function priceOf(ledger: Ledger, bank: P0Bank): number {
  const read = (address: Address) => {
    const state = ledger.account(address);
    return state === undefined ? null : { address, ...state };
  };
  const rent = rentSysvarOf(bank);
  const rentLamportsPerByte = readRentLamportsPerByte(rent === null ? null : read(rent));
  const reading = readPrice(bank, oracleAccountsOf(bank).map(read), {
    slot: ledger.slot('confirmed'),
    unixTimestamp: ledger.unixTimestamp,
    ...(rentLamportsPerByte === undefined ? {} : { rentLamportsPerByte }),
  });
  if (reading.kind !== 'priced') throw new TypeError(`The bank ${bank.address} has no price: ${reading.reason}`);
  return Number(reading.priceUsd);
}

/** Later than any change of a fee that a mint has planned. */
const LATEST_EPOCH = 1_000_000n;

/** What a wallet has to do differently for. */
export const TOKEN_KINDS = ['SOL', 'SPL', 'Token-2022', 'Token-2022 with fee'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export function tokenKindOf(ledger: Ledger, { mint }: Pick<P0Bank, 'mint'>): TokenKind {
  if (mint === WRAPPED_SOL_MINT) return 'SOL';
  const state = ledger.account(mint);
  if (state === undefined) throw new TypeError(`There is no mint ${mint}`);
  if (state.owner !== TOKEN_2022_PROGRAM) return 'SPL';
  return readTransferFee({ address: mint, ...state }, LATEST_EPOCH) === null ? 'Token-2022' : 'Token-2022 with fee';
}
