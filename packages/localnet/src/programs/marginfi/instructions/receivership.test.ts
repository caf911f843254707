import {
  bankLayout,
  encodeInstruction,
  endLiquidation,
  getAddressBytes,
  liquidationReceiverEvent,
  liquidationRecordLayout,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitLiqRecord,
  marginfiAccountLayout,
  startLiquidation,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { transferOf } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let receiver = await opened.chain.addParty({ SOL: 500_000_000_000n, USDC: 0n });

let chain: MarketChain;
let party: Party;
let record: Address;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
  chain.setPrice('SOL', 6_500_000n);
  const seeds = [new TextEncoder().encode('liq_record'), getAddressBytes(party.account)];
  record = findProgramAddress(seeds, MARGINFI_PROGRAM).address;
});

const USDC = 1_000_000n;
const SOL = 1_000_000_000n;
const send = (...instructions: Instruction[]) => chain.send(receiver.wallet, ...instructions);
const bank = (name: string) => chain.bank(name);
const holder = () => ({ wallet: receiver.wallet, account: party.account });

const initRecord = () =>
  encodeInstruction(
    marginfiAccountInitLiqRecord,
    MARGINFI_PROGRAM,
    {
      marginfiAccount: party.account,
      feePayer: receiver.wallet,
      liquidationRecord: record,
      systemProgram: SYSTEM_PROGRAM,
    },
    {},
  );

/** Banks must be writable: their prices are locked in them. */
const start = (role: AccountRole = AccountRole.WRITABLE) => {
  const list = chain.healthAccounts(party.account);
  const banks = new Set(chain.marginfiAccount(party.account).lendingAccount.balances.map(({ bankPk }) => bankPk));
  return encodeInstruction(
    startLiquidation,
    MARGINFI_PROGRAM,
    {
      marginfiAccount: party.account,
      liquidationRecord: record,
      group: MARGINFI_MAIN_GROUP,
      liquidationReceiver: receiver.wallet,
      instructionSysvar: INSTRUCTIONS_SYSVAR,
    },
    {},
    list.map((address) => ({ address, role: banks.has(address) ? role : AccountRole.READONLY })),
  );
};

const end = (banks: readonly Address[] = heldBanks(), role: AccountRole = AccountRole.WRITABLE) =>
  encodeInstruction(
    endLiquidation,
    MARGINFI_PROGRAM,
    {
      marginfiAccount: party.account,
      liquidationRecord: record,
      group: MARGINFI_MAIN_GROUP,
      liquidationReceiver: receiver.wallet,
      feeState: act.FEE_STATE_ADDRESS,
      globalFeeWallet: chain.group().feeStateCache.globalFeeWallet,
      systemProgram: SYSTEM_PROGRAM,
      feePayer: null,
    },
    {},
    banks.map((address) => ({ address, role })),
  );

const heldBanks = () => chain.healthAccounts(party.account).filter((_, index) => index % 2 === 0);
const withdraw = (amount: bigint) => act.withdraw(holder(), bank('USDC'), amount, chain.healthAccounts(party.account));
const repay = (amount: bigint) => act.repay(holder(), bank('SOL'), amount);

describe('a liquidation in receivership', () => {
  it('opens its record once', () => {
    expectDone(send(initRecord()));
    expect(chain.marginfiAccount(party.account).liquidationRecord).toBe(record);
    const { key, marginfiAccount, recordPayer } = liquidationRecordLayout.decode(chain.data(record));
    expect([key, marginfiAccount, recordPayer]).toEqual([record, party.account, receiver.wallet]);
    expect(errorOf(send(initRecord()))).toBe(0);
  });

  it('takes collateral for debt within one transaction, unlocks the prices and keeps what was done', () => {
    const result = expectDone(send(initRecord(), start(), withdraw(1_000n * USDC), repay(SOL + SOL / 3n), end()));
    const [event] = eventsOf(result, liquidationReceiverEvent);
    expect(event).toMatchObject({
      marginfiAccount: party.account,
      liquidationReceiver: receiver.wallet,
      lampsFeePaid: 0,
    });
    expect(event?.liquidateeAssetsSeized).toBeGreaterThan(990);
    const { accountFlags, indexerFlags, healthCache } = chain.marginfiAccount(party.account);
    expect([accountFlags, indexerFlags.hasEverBeenLiquidated]).toEqual([0n, 1]);
    expect(healthCache.assetValueMaint).toBeGreaterThan(0n);
    for (const name of ['USDC', 'SOL']) expect(chain.data(bank(name).address)[1_448]).toBe(0);
    const { entries, liquidationReceiver } = liquidationRecordLayout.decode(chain.data(record));
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([0n, 0n, 0n, chain.context.unixTimestamp]);
    expect(liquidationReceiver).toBe(SYSTEM_PROGRAM);
  });

  it('pays the flat fee of the fee state', () => {
    const feeState = act.FEE_STATE_ADDRESS;
    chain.edit(feeState, (data) => new DataView(data.buffer).setUint32(208, 3_000_000, true));
    const { globalFeeWallet } = chain.group().feeStateCache;
    const before = chain.accounts.get(globalFeeWallet)?.lamports ?? 0n;
    const result = expectDone(send(initRecord(), start(), withdraw(1_000n * USDC), repay(SOL + SOL / 3n), end()));
    expect(chain.accounts.get(globalFeeWallet)?.lamports).toBe(before + 3_000_000n);
    expect(eventsOf(result, liquidationReceiverEvent)).toMatchObject([{ lampsFeePaid: 3_000_000 }]);
  });

  it.each<[string, () => readonly Instruction[], unknown]>([
    [
      'leaves who could pay unable to',
      () => {
        chain.setPrice('SOL', 7_000_000n);
        return [start(), withdraw(1_660n * USDC), repay(2n * SOL), end()];
      },
      'WorseHealthPostLiquidation',
    ],
    [
      'takes more than the premium',
      () => [start(), withdraw(1_085n * USDC), repay(SOL + SOL / 3n), end()],
      'LiquidationPremiumTooHigh',
    ],
    ['leaves the account healthy', () => [start(), repay(6n * SOL), end()], 'HealthyAccount'],
    ['does not end', () => [start(), withdraw(USDC)], 'EndNotLast'],
    ['does not end last', () => [start(), end(), repay(1n)], 'EndNotLast'],
    ['starts twice', () => [start(), start(), end()], 'StartRepeats'],
    ['starts after something else', () => [repay(1n), start(), end()], 'Unauthorized'],
    ['borrows', () => [start(), act.borrow(holder(), bank('SOL'), 1n, []), end()], 'ForbiddenIx'],
    [
      'calls a program it may not',
      () => [start(), transferOf(receiver.wallet, party.wallet, 1n), end()],
      'ForbiddenIx',
    ],
    ['holds banks read-only', () => [start(AccountRole.READONLY), end(heldBanks(), AccountRole.READONLY)], 3006],
    ['ends alone', () => [end()], 'UnexpectedLiquidationState'],
    ['ends without its banks', () => [start(), end([])], 'InvalidBankAccount'],
    [
      'ends for another receiver',
      () => [start(), { ...end(), accounts: swapReceiver() }],
      'InvalidLiquidationReceiver',
    ],
  ])('is refused when it %s', (_, instructions, error) => {
    expectDone(send(initRecord()));
    expect(errorOf(send(...instructions()))).toBe(error);
    expect(chain.marginfiAccount(party.account).accountFlags).toBe(0n);
  });

  it('may take more a day after the account was tagged, but not where all of it is raised by emode', () => {
    expectDone(send(initRecord()));
    const taggedAt = chain.context.unixTimestamp;
    chain.rewrite(marginfiAccountLayout, party.account, (account) => ({ ...account, liquidationTaggedAt: taggedAt }));
    chain.wait(86_400n);
    chain.setPrice('SOL', 6_500_000n);
    const take = () => [start(), withdraw(1_085n * USDC), repay(SOL + SOL / 3n), end()];
    const usdc = bank('USDC').address;
    const own = bankLayout.decode(chain.data(usdc)).config.assetWeightMaint;
    const favoured = chain.fork();
    expectDone(send(...take()));
    expect(chain.marginfiAccount(party.account).liquidationTaggedAt).toBe(taggedAt);
    chain = favoured;
    chain.rewrite(bankLayout, bank('SOL').address, ({ emode, ...value }) => {
      const [entry, ...others] = emode.emodeConfig.entries;
      if (entry === undefined) throw new TypeError('No room for emode');
      const collateralBankEmodeTag = bankLayout.decode(chain.data(usdc)).emode.emodeTag;
      const raised = { ...entry, collateralBankEmodeTag, assetWeightInit: own, assetWeightMaint: own + 1n };
      return { ...value, emode: { ...emode, emodeConfig: { ...emode.emodeConfig, entries: [raised, ...others] } } };
    });
    expect(errorOf(send(...take()))).toBe('LiquidationPremiumTooHigh');
  });

  it('is refused without a record and for a healthy account', () => {
    expect(errorOf(send(start(), end()))).toBe(3007);
    expectDone(send(initRecord()));
    chain.setPrice('SOL', 1_000_000n);
    expect(errorOf(send(start(), end()))).toBe('HealthyAccount');
  });

  it('is not for the owner', () => {
    expectDone(send(initRecord()));
    const own = act.withdraw(party, bank('USDC'), USDC, chain.healthAccounts(party.account));
    expect(errorOf(chain.send(party.wallet, start(), own, end()))).toBe('Unauthorized');
  });
});

function swapReceiver(): NonNullable<Instruction['accounts']> {
  const { accounts = [] } = end();
  return accounts.map((meta, index) => (index === 3 ? { ...meta, address: party.wallet } : meta));
}

describe('a liquidation in receivership, up to 0.1.11', () => {
  it('has its limit to the premium, however little is left', async () => {
    const older = await openBorrower('0.1.11');
    const other = await older.chain.addParty({ SOL: 500n * SOL, USDC: 0n });
    [chain, party, receiver] = [older.chain, older.party, other];
    // Solvent by little: what is taken above what is repaid makes it insolvent.
    chain.setPrice('SOL', 7_000_000n);
    expectDone(send(initRecord()));
    expect(errorOf(send(start(), withdraw(1_700n * USDC), repay(2n * SOL), end()))).toBe('LiquidationPremiumTooHigh');
  });
});
