import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import * as z from 'zod';
import type { AccountSource, AccountState } from '#engine/engine.ts';
import { isTokenProgram, optional, readMint, readTokenAccount } from '#ledger/token-balance.ts';
import { encodeKeyedAccount } from '../encode-account.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import { accountConfig, addressField, contextConfig, contextSlot, parameter } from '../parameters.ts';
import { type RpcMethods, type RpcNode, withContext } from '../rpc-method.ts';
import { encodeTokenAmount } from '../token-amount.ts';

const ownerFilter = z.union([z.object({ mint: addressField }), z.object({ programId: addressField })]);

/** Reading token accounts and mints. */
export const tokenMethods: RpcMethods = {
  getTokenAccountBalance({ ledger }, params) {
    const address = parameter(params, 0, addressField);
    const config = parameter(params, 1, contextConfig);
    const slot = contextSlot(ledger, config);
    const accounts = ledger.accountsAt(config.commitment);
    const token = readTokenAccount(accounts.get(address));
    const decimals = token === undefined ? undefined : readMint(accounts.get(token.mint))?.decimals;
    if (token === undefined || decimals === undefined)
      throw rpcErrors.invalidParams('Invalid param: not a Token account');
    return withContext(slot, encodeTokenAmount(token.amount, decimals));
  },

  getTokenSupply({ ledger }, params) {
    const address = parameter(params, 0, addressField);
    const config = parameter(params, 1, contextConfig);
    const slot = contextSlot(ledger, config);
    const mint = readMint(ledger.account(address, config.commitment));
    if (mint === undefined) throw rpcErrors.invalidParams('Invalid param: not a Token mint');
    return withContext(slot, encodeTokenAmount(mint.supply, mint.decimals));
  },

  getTokenAccountsByOwner: (node, params) => listTokenAccounts(node, params, ({ owner }, wanted) => owner === wanted),

  getTokenAccountsByDelegate: (node, params) =>
    listTokenAccounts(node, params, ({ delegate }, wanted) => optional(delegate) === wanted),
};

type TokenAccount = NonNullable<ReturnType<typeof readTokenAccount>>;

function listTokenAccounts(
  { ledger }: RpcNode,
  params: readonly unknown[],
  isWanted: (account: TokenAccount, address: Address) => boolean,
): object {
  const address = parameter(params, 0, addressField);
  const filter = parameter(params, 1, ownerFilter);
  const config = parameter(params, 2, accountConfig);
  const slot = contextSlot(ledger, config);
  const accounts = ledger.accountsAt(config.commitment);
  const matches = (state: AccountState) => {
    const token = readTokenAccount(state);
    if (token === undefined || !isWanted(token, address)) return false;
    return !('mint' in filter) || token.mint === filter.mint;
  };
  const value: object[] = [];
  for (const program of programsOf(filter, accounts)) {
    for (const [pubkey, state] of ledger.accountsOwnedBy(program, config.commitment)) {
      if (matches(state)) value.push(encodeKeyedAccount(pubkey, state, config, accounts));
    }
  }
  return withContext(slot, value);
}

function programsOf(filter: z.output<typeof ownerFilter>, accounts: AccountSource): readonly Address[] {
  if ('programId' in filter) {
    if (isTokenProgram(filter.programId)) return [filter.programId];
    throw rpcErrors.invalidParams('Invalid param: unrecognized Token program id');
  }
  const mint = accounts.get(filter.mint);
  if (readMint(mint) === undefined) throw rpcErrors.invalidParams('Invalid param: could not find mint');
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].filter((program) => program === mint?.owner);
}
