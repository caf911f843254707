import {
  findAssociatedTokenAccount,
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { ActionState, LiveBank } from '@lending/transactions';
import { type AccountBytes, decodeBank, decodeMarginfiAccount, type P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder } from '@solana/kit';
import { MOMENT, NO_WINDOW, noiseAddress } from '#sdk/made-accounts.ts';

/** Places of keys in accounts of ours. */
const BANK_GROUP = 41;
const BANK_MINT = 8;
const BANK_EMISSIONS_MINT = 872;
const ACCOUNT_GROUP = 8;

/** A made bank in a group, of a mint, and without emissions: what was paid out of banks until 0.1.7. */
export function bankOf(bank: AccountBytes, group: Address, mint?: Address): AccountBytes {
  const data = Uint8Array.from(bank.data);
  data.set(getAddressEncoder().encode(group), BANK_GROUP);
  if (mint !== undefined) data.set(getAddressEncoder().encode(mint), BANK_MINT);
  data.fill(0, BANK_EMISSIONS_MINT, BANK_EMISSIONS_MINT + 32);
  return { ...bank, data };
}

export function accountOf(account: AccountBytes, group: Address): AccountBytes {
  const data = Uint8Array.from(account.data);
  data.set(getAddressEncoder().encode(group), ACCOUNT_GROUP);
  return { ...account, data };
}

export interface MadeMarket {
  readonly banks: ReadonlyMap<Address, P0Bank>;
  readonly bytes: ReadonlyMap<string, AccountBytes>;
  readonly tokenProgramOf: (bank: P0Bank) => Address;
}

/** What a build would have read of a made market: the wallet has no token account, and lamports to spare. */
export async function stateOf(market: MadeMarket, account: AccountBytes, bank: P0Bank): Promise<ActionState> {
  const state = decodeMarginfiAccount(account, MARGINFI_PROGRAM);
  const { authority } = state;
  const [tokens] = await findAssociatedTokenAccount(authority, bank.mint, market.tokenProgramOf(bank));
  const live = (each: P0Bank): LiveBank => ({
    bank: each,
    mint: {
      address: each.mint,
      decimals: each.decimals,
      tokenProgram: market.tokenProgramOf(each),
      transferFee: null,
    },
    oracle: { kind: 'refused', reason: 'feed_missing', programError: null } as never,
    vaultBase: null,
    reserve: null,
  });
  const get = (address: Address) => {
    const found = market.bytes.get(address);
    return found === undefined ? undefined : { ...found, slot: MOMENT.slot, lamports: 1n };
  };
  return {
    accounts: { ...MOMENT, epoch: 900n, get },
    waves: 1,
    program: MARGINFI_PROGRAM,
    version: NEWEST_VERSION,
    relaxed: new Set(),
    group: { address: bank.group, programFee: null, rateLimiter: { hourly: NO_WINDOW, daily: NO_WINDOW } } as never,
    authority,
    lamports: 10n ** 18n,
    account: { address: account.address, state, newIndex: null },
    target: live(bank),
    walletTokens: { address: tokens, amountBase: null, isFrozen: false },
    held: new Map(state.balances.map(({ bank: held }) => [held, live(market.banks.get(held) as P0Bank)])),
    lookupTables: {},
    rentFor: (size) => BigInt(size),
  };
}

const GROUP = noiseAddress('group of all');
/** Of a bank. */
const MINT_DECIMALS = 40;

/** A market of one group, with accounts in it. */
export interface OpenMarket extends MadeMarket {
  readonly accounts: readonly AccountBytes[];
}

/** Puts banks and accounts into one group, with mints of all kinds. */
export function openMarket(banks: readonly AccountBytes[], accounts: readonly AccountBytes[]): OpenMarket {
  // The first bank of nine decimals is of wrapped SOL, every fourth of Token-2022.
  const ofSol = banks.findIndex(({ data }) => data[MINT_DECIMALS] === 9);
  const grouped = banks.map((bank, index) => bankOf(bank, GROUP, index === ofSol ? WRAPPED_SOL_MINT : undefined));
  const decoded = grouped.map((bank) => decodeBank(bank, MARGINFI_PROGRAM));
  const extended = new Set(
    decoded.filter((_, index) => index % 4 === 1 && index !== ofSol).map(({ address }) => address),
  );
  const owned = accounts.map((account) => accountOf(account, GROUP));
  return {
    banks: new Map(decoded.map((bank) => [bank.address, bank])),
    bytes: new Map([...grouped, ...owned].map((each) => [each.address as string, each])),
    tokenProgramOf: ({ address }) => (extended.has(address) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM),
    accounts: owned,
  };
}
