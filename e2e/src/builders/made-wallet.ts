import type { Ledger } from '@lending/localnet';
import { findMarginfiAccount, MARGINFI_MAIN_GROUP } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder, type KeyPairSigner } from '@solana/kit';
import type { MadeAccount } from '../positions/random-accounts.ts';
import { giveLamports, giveTokens, placeAccount } from './endow.ts';
import { sharesWorth } from './worth.ts';

/** A side of an account in dollars. */
export interface WantedBalance {
  readonly bank: P0Bank;
  readonly side: 'asset' | 'liability';
  readonly usd: number;
}

/** Puts a lending account on the chain that holds about these amounts; the address is derived from the wallet by `index`. */
export async function makeAccount(
  ledger: Ledger,
  wallet: Address,
  balances: readonly WantedBalance[],
  { index = 0, flags = 0n }: { readonly index?: number; readonly flags?: bigint } = {},
): Promise<Address> {
  const [address] = await findMarginfiAccount({ group: MARGINFI_MAIN_GROUP, authority: wallet, index });
  const slots = balances.map(({ bank, side, usd }) => ({ bank, side, shares: sharesWorth(ledger, bank, side, usd) }));
  const account: MadeAccount = { address, authority: wallet, balances: slots.toSorted(byBankDescending) };
  placeAccount(ledger, account, flags);
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
