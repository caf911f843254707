import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import * as z from 'zod';
import { readMint, readTokenAccount } from '#ledger/token-balance.ts';
import { encodeKeyedAccount } from '../encode-account.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import { accountConfig, addressField, contextConfig, contextSlot, parameter } from '../parameters.ts';
import { type RpcMethods, withContext } from '../rpc-method.ts';
import { encodeTokenAmount } from '../token-amount.ts';

const programFilter = z.object({
  programId: z.enum([TOKEN_PROGRAM, TOKEN_2022_PROGRAM], 'Invalid param: unrecognized Token program id'),
});

/** Reading token accounts. */
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

  getTokenAccountsByOwner({ ledger }, params) {
    const owner = parameter(params, 0, addressField);
    const { programId } = parameter(params, 1, programFilter);
    const config = parameter(params, 2, accountConfig);
    const slot = contextSlot(ledger, config);
    const value: object[] = [];
    for (const [pubkey, state] of ledger.accountsOwnedBy(programId, config.commitment)) {
      if (readTokenAccount(state)?.owner === owner) value.push(encodeKeyedAccount(pubkey, state, config));
    }
    return withContext(slot, value);
  },
};
