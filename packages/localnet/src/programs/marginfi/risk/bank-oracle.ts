import type { PriceBand, RiskPrice } from '@lending/domain';
import {
  type AccountBytes,
  type LoadedOracle,
  loadOracle,
  type Moment,
  type P0Bank,
  toRiskPrice,
} from '@lending/venues';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { err } from '../error-sites.ts';
import { fail, panic } from '../marginfi-error.ts';
import type { BankState } from '../state/bank-state.ts';
import { runsSince, versionOf } from '../version.ts';
import { accountsPerBank } from './accounts-per-bank.ts';
import { readBankConfig } from './bank-config.ts';
import { recallOracle } from './oracle-memory.ts';

/** A bank's oracle, read from the accounts that an instruction was given for it. */
export interface BankOracle {
  readonly config: P0Bank;
  readonly loaded: LoadedOracle;
  readonly price: RiskPrice;
}

export function readBankOracle(
  context: InvokeContext,
  bank: InstructionAccount,
  accounts: readonly InstructionAccount[],
): BankOracle {
  const config = readBankConfig(bank);
  const moment = momentOf(context);
  const version = versionOf(context);
  const loaded = recallOracle(config, accounts, { moment, version }, () =>
    loadOracle(config, accounts.map(toAccountBytes), moment, { version }),
  );
  if (loaded.kind === 'refused' && loaded.programError === null) panic(context, loaded.reason);
  const price = toRiskPrice(config, loaded);
  // An emergency of the venue means nothing to the program before.
  const isBefore = price.kind === 'loaded' && !runsSince(context, '0.1.12');
  return { config, loaded, price: isBefore ? { ...price, hasBorrowingPower: true } : price };
}

/**
 * Finds a bank's oracle accounts among those for the health check.
 * @throws AnchorError BankAccountNotFound or WrongNumberOfOracleAccounts
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `oracle_accounts_for_bank`
 */
export function findBankOracle(
  context: InvokeContext,
  bank: InstructionAccount,
  state: BankState,
  remaining: readonly InstructionAccount[],
): BankOracle {
  const needed = accountsPerBank(context, state) - 1;
  const index = remaining.findIndex((account) => account.address === bank.address);
  if (index === -1) fail(context, 'BankAccountNotFound', err('utils/general.rs', 397));
  if (index + 1 + needed > remaining.length) fail(context, 'WrongNumberOfOracleAccounts', err('utils/general.rs', 402));
  return readBankOracle(context, bank, remaining.slice(index + 1, index + 1 + needed));
}

/** The price of the moment with its edges. @throws AnchorError with the oracle's error. */
export function requireSpotPrice(context: InvokeContext, { price }: BankOracle): PriceBand {
  if (price.kind === 'failed') return fail(context, price.error);
  return typeof price.spot === 'string' ? fail(context, price.spot) : price.spot;
}

function momentOf({ slot }: InvokeContext): Moment {
  return {
    slot: slot.slot,
    unixTimestamp: slot.unixTimestamp,
    epoch: slot.epoch,
    rentLamportsPerByte: slot.minimumBalance(1) - slot.minimumBalance(0),
  };
}

function toAccountBytes({ address, owner, data, lamports }: InstructionAccount): AccountBytes {
  return { address, owner, data, lamports };
}
