import type { AccountUpdate, Chain } from '@lending/chain';
import type { RiskPrice, TransferFee } from '@lending/domain';
import { toTime } from '@lending/events';
import {
  accountsOfBank,
  decodeBank,
  decodeGroup,
  loadOracle,
  oracleAccountsOf,
  type P0Bank,
  type P0Group,
  type PriceReading,
  type RateReading,
  readPrice,
  readStakedLst,
  readTransferFee,
  readVaultAmount,
  sampleRates,
  toRiskPrice,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { NativeRate } from './native-rate.ts';
import type { NativeRates } from './native-rates.ts';
import { oracleMomentOf } from './oracle-moment.ts';
import type { OracleReading } from './price-audit.ts';

/** A bank of P0's own with everything that was read beside it, all of one slot. */
export interface BankReading extends OracleReading {
  readonly slot: bigint;
  /** Seconds, the chain's own clock at that slot. */
  readonly unixTimestamp: bigint;
  readonly rates: RateReading;
  readonly price: PriceReading;
  readonly native: NativeRate;
  /** What the risk engine values the bank's balances at. */
  readonly riskPrice: RiskPrice;
  /** What the vault holds, base units; null where that is not known. */
  readonly vaultBase: bigint | null;
  /** The mint's own fee on transfers; null without. */
  readonly transferFee: TransferFee | null;
  readonly group: P0Group | null;
}

export interface ReadBanksOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly group: Address;
  readonly nativeRates: NativeRates;
  /** Measured length of a slot. */
  readonly slotMicros: bigint;
  readonly signal: AbortSignal;
  readonly onReject: (bank: Address, error: unknown) => void;
}

/**
 * Reads P0's own banks, each with its oracle accounts, its vault, its group and the clock in one call. A bank that is gone is left out, one
 * that cannot be read is reported too.
 * @throws DECODE__OWNER_MISMATCH and other DECODE codes when the group itself or the clock cannot be read: then no bank can.
 */
export async function readBanks(banks: readonly P0Bank[], options: ReadBanksOptions): Promise<readonly BankReading[]> {
  const { chain, program, group, nativeRates, slotMicros, signal, onReject } = options;
  const asked = banks.map((bank) => [...accountsOfBank(bank), bank.mint, group, ...nativeRates.accountsOf(bank.mint)]);
  const answers = await chain.fetchAccountGroups(asked, { signal, minContextSlot: 'highest-seen' });
  return answers.flatMap(({ accounts, ...clock }) => {
    const { slot, unixTimestamp } = clock;
    const [bankAccount] = accounts;
    if (!bankAccount) return [];
    // A clock that no calendar has dates nothing.
    toTime(unixTimestamp);
    const find = (address: Address | null): AccountUpdate | null =>
      accounts.find((account) => account?.address === address) ?? null;
    const groupAccount = find(group);
    const decodedGroup = groupAccount === null ? null : decodeGroup(groupAccount, program);
    try {
      const bank = decodeBank(bankAccount, program);
      const vaultAmount = readVaultAmount(bank, find(bank.liquidityVault));
      const rates = sampleRates(bank, decodedGroup, unixTimestamp, vaultAmount);
      const moment = oracleMomentOf(bank, find, clock);
      const oracleAccounts = oracleAccountsOf(bank).map(find);
      const price = readPrice(bank, oracleAccounts, moment);
      const loaded = loadOracle(bank, oracleAccounts, moment);
      const staked = readStakedLst(bank, oracleAccounts, moment);
      const native = nativeRates.read(bank, find, { ...clock, slotMicros }, staked);
      return [
        {
          bank,
          slot,
          unixTimestamp,
          rates,
          price,
          native,
          riskPrice: toRiskPrice(bank, loaded),
          oracle: { loaded, accounts: oracleAccounts, moment },
          vaultBase: vaultAmount,
          transferFee: readTransferFee(find(bank.mint), clock.epoch),
          group: decodedGroup,
        },
      ];
    } catch (error) {
      onReject(bankAccount.address, error);
      return [];
    }
  });
}
