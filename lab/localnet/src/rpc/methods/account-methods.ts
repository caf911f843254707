import * as z from 'zod';
import { compileFilters, encodeAccount, encodeKeyedAccount } from '../encode-account.ts';
import { rpcErrors } from '../json-rpc-error.ts';
import { accountConfig, addressField, contextConfig, contextSlot, parameter, programConfig } from '../parameters.ts';
import { type RpcMethods, withContext } from '../rpc-method.ts';

const MAX_MULTIPLE_ACCOUNTS = 100;

/** Reading accounts. */
export const accountMethods: RpcMethods = {
  getAccountInfo({ ledger }, params) {
    const address = parameter(params, 0, addressField);
    const config = parameter(params, 1, accountConfig);
    const slot = contextSlot(ledger, config);
    const state = ledger.account(address, config.commitment);
    return withContext(slot, state === undefined ? null : encodeAccount(state, config));
  },

  getMultipleAccounts({ ledger }, params) {
    const addresses = parameter(params, 0, z.array(addressField));
    if (addresses.length > MAX_MULTIPLE_ACCOUNTS) {
      throw rpcErrors.invalidParams(`Too many inputs provided; max ${MAX_MULTIPLE_ACCOUNTS}`);
    }
    const config = parameter(params, 1, accountConfig);
    const slot = contextSlot(ledger, config);
    const accounts = ledger.accountsAt(config.commitment);
    const value = addresses.map((address) => {
      const state = accounts.get(address);
      return state === undefined ? null : encodeAccount(state, config);
    });
    return withContext(slot, value);
  },

  getProgramAccounts({ ledger }, params) {
    const program = parameter(params, 0, addressField);
    const config = parameter(params, 1, programConfig);
    const slot = contextSlot(ledger, config);
    const matches = compileFilters(config.filters);
    const value: object[] = [];
    for (const [address, state] of ledger.accountsOwnedBy(program, config.commitment)) {
      if (matches(state)) value.push(encodeKeyedAccount(address, state, config));
    }
    return config.withContext ? withContext(slot, value) : value;
  },

  getBalance({ ledger }, params) {
    const address = parameter(params, 0, addressField);
    const config = parameter(params, 1, contextConfig);
    const slot = contextSlot(ledger, config);
    return withContext(slot, ledger.account(address, config.commitment)?.lamports ?? 0n);
  },

  getMinimumBalanceForRentExemption({ ledger }, params) {
    return ledger.minimumBalance(parameter(params, 0, z.int().nonnegative()));
  },
};
