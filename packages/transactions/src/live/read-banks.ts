import { isLendingError, LendingError } from '@lending/errors';
import { RENT_SYSVAR } from '@lending/programs';
import {
  decodeBank,
  loadOracle,
  type Moment,
  oracleAccountsOf,
  type P0Bank,
  readRentLamportsPerByte,
  readTokenProgram,
  readTransferFee,
  readVaultAmount,
  relaxBank,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { LiveBank, LiveMint } from './action-state.ts';
import type { BankRole } from './bank-accounts.ts';
import type { LiveAccounts, ReadAccount } from './live-accounts.ts';
import type { ReadQuestion } from './read-question.ts';
import { reserveKeysOf } from './reserve-keys.ts';
import { unreadableBank } from './unreadable-bank.ts';

/** Decodes the banks of one build, each once. */
export interface BankReader {
  /**
   * The bank as it was read; undefined while it was not.
   * @throws READ__BANK_NOT_FOUND, TOOL__INPUT_INVALID (of another group), ACTION__BANK_UNAVAILABLE (it cannot be read)
   */
  read(bank: Address, role: BankRole): P0Bank | undefined;
}

/** Reads the banks of one build out of what was fetched for it. */
export function createBankReader({ program, group, relaxed }: ReadQuestion, read: ReadAccount): BankReader {
  const decoded = new Map<Address, P0Bank>();
  return {
    read(address, role) {
      const known = decoded.get(address);
      if (known !== undefined) return known;
      const account = read(address);
      if (account === undefined) return undefined;
      if (account === null || (role === 'target' && account.owner !== program)) throw noBank(address, role);
      const bank = relaxBank(
        decode(() => decodeBank(account, program), address),
        relaxed,
      );
      if (bank.group !== group) throw foreign(bank, group);
      decoded.set(address, bank);
      return bank;
    },
  };
}

/** A bank with what was read beside it. */
export async function toLiveBank(bank: P0Bank, accounts: LiveAccounts, moment: Moment): Promise<LiveBank> {
  const read = (address: Address) => accounts.get(address) ?? null;
  const { venueAccount } = bank;
  if (bank.venue !== 'p0' && (venueAccount === null || read(venueAccount) === null)) {
    throw unreadableBank(bank.address, `the account of its venue, ${venueAccount}, does not exist`);
  }
  return {
    bank,
    mint: readMint(bank, accounts),
    oracle: loadOracle(bank, oracleAccountsOf(bank).map(read), moment),
    vaultBase: bank.venue === 'p0' ? readVaultAmount(bank, read(bank.liquidityVault)) : null,
    reserve: await reserveKeysOf(bank, (address) => accounts.get(address)),
  };
}

/** When the oracles are judged: the slot, the time and the epoch of the clock that was read. */
export function momentOf(accounts: LiveAccounts): Moment {
  const rentLamportsPerByte = readRentLamportsPerByte(accounts.get(RENT_SYSVAR) ?? null);
  const { slot, unixTimestamp, epoch } = accounts;
  const moment = { slot, unixTimestamp, epoch };
  return rentLamportsPerByte === undefined ? moment : { ...moment, rentLamportsPerByte };
}

function readMint({ address: bank, mint, decimals }: P0Bank, accounts: LiveAccounts): LiveMint {
  const account = accounts.get(mint) ?? null;
  if (account === null || readTokenProgram(account) === null) throw unreadableBank(bank, `its mint ${mint} is no mint`);
  return {
    address: mint,
    decimals,
    tokenProgram: account.owner,
    transferFee: readTransferFee(account, accounts.epoch),
  };
}

function decode<T>(task: () => T, bank: Address): T {
  try {
    return task();
  } catch (error) {
    if (isLendingError(error)) throw unreadableBank(bank, 'its account cannot be read', error);
    throw error;
  }
}

function noBank(bank: Address, role: BankRole): LendingError {
  if (role === 'held') return unreadableBank(bank, 'the account holds a balance in it, and it does not exist');
  return new LendingError('READ__BANK_NOT_FOUND', {
    message: `No bank of P0 is at ${bank} — allowed: an address that svc_get_banks lists — call again with it as \`bank\``,
    context: { bank },
  });
}

function foreign({ address: bank, group }: P0Bank, ours: Address): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', {
    message: `The bank ${bank} belongs to the group ${group} — allowed: banks of ${ours}, which svc_get_banks lists — call again with one of them as \`bank\``,
    context: { field: 'bank', bank, group },
  });
}
