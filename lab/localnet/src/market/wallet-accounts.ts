import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { deriveTokenAccount } from './bank-addresses.ts';
import type { MarketLedger } from './market-ledger.ts';
import { associatedTokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS, type DemoTokenName } from './tokens.ts';

/** What a wallet is to hold. */
export interface WalletFunds {
  readonly lamports: bigint;
  /** Base units per token, in the wallet's associated accounts; `SOL` is wrapped SOL. */
  readonly tokens: Readonly<Partial<Record<DemoTokenName, bigint>>>;
}

/** A wallet and its token accounts, as a genesis has them. */
export async function walletAccounts({
  address,
  lamports,
  tokens,
}: WalletFunds & { readonly address: Address }): Promise<readonly (readonly [Address, AccountState])[]> {
  const wallet = { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
  const holdings = Object.entries(tokens) as [DemoTokenName, bigint][];
  return [
    [address, wallet],
    ...(await Promise.all(
      holdings.map(async ([name, amount]) => {
        const token = DEMO_TOKENS[name];
        return [await deriveTokenAccount(address, token), associatedTokenAccount(token, address, amount)] as const;
      }),
    )),
  ];
}

/**
 * Gives any wallet exactly this much, at once and out of nothing, for tests: as if the genesis had endowed it. What is not named stays
 * as it is.
 */
export async function fundWallet(
  ledger: Pick<MarketLedger, 'account' | 'writeAccounts'>,
  address: Address,
  { lamports, tokens = {} }: Partial<WalletFunds>,
): Promise<void> {
  const held = ledger.account(address)?.lamports ?? 0n;
  const [wallet, ...holdings] = await walletAccounts({ address, lamports: lamports ?? held, tokens });
  ledger.writeAccounts(wallet === undefined || lamports === undefined ? holdings : [wallet, ...holdings]);
}
