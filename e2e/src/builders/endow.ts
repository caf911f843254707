import type { AccountState, Ledger } from '@lending/localnet';
import {
  findAssociatedTokenAccount,
  MARGINFI_MAIN_GROUP,
  marginfiAccountLayout,
  SYSTEM_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressEncoder } from '@solana/kit';
import { accountState, type MadeAccount } from '../positions/random-accounts.ts';

/** Of a token account's bytes, in both token programs. */
const [OWNER_OFFSET, AMOUNT_OFFSET, STATE_OFFSET] = [32, 64, 108];
const FROZEN = 2;

export interface GivenTokens {
  readonly amountBase: bigint;
  readonly isFrozen?: boolean;
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
  const vault = ledger.account(bank.liquidityVault);
  if (vault === undefined) throw new TypeError(`The bank ${bank.address} has no vault`);
  ledger.writeAccount(address, tokens === null ? undefined : holding(vault, bank, wallet, tokens, ledger));
  return address;
}

function holding(
  vault: AccountState,
  { mint }: P0Bank,
  wallet: Address,
  { amountBase, isFrozen = false }: GivenTokens,
  ledger: Ledger,
): AccountState {
  const data = Buffer.from(vault.data);
  data.set(getAddressEncoder().encode(wallet), OWNER_OFFSET);
  data.writeBigUInt64LE(amountBase, AMOUNT_OFFSET);
  if (isFrozen) data.writeUInt8(FROZEN, STATE_OFFSET);
  const rent = ledger.minimumBalance(data.length);
  return {
    ...vault,
    lamports: mint === WRAPPED_SOL_MINT ? rent + amountBase : rent,
    data: new Uint8Array(data),
  };
}

/** Puts a lending account on the chain as it is, whatever the program would have said to it. */
export function placeAccount(ledger: Ledger, account: MadeAccount, flags = 0n): void {
  const state = accountState(account, MARGINFI_MAIN_GROUP);
  const decoded = marginfiAccountLayout.decode(state.data);
  const data = new Uint8Array(marginfiAccountLayout.encode({ ...decoded, accountFlags: flags }));
  ledger.writeAccount(account.address, { ...state, data });
}
