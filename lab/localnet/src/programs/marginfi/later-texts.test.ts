import { BANK_FLAG } from '@lending/domain';
import {
  bankLayout,
  encodeInstruction,
  endLiquidation,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitLiqRecord,
  marginfiAccountLayout,
  marginfiAccountTagLiqRecord,
  marginfiGroupLayout,
  SYSTEM_PROGRAM,
  startLiquidation,
} from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from './testing/borrower.ts';
import { errorOf, expectDone } from './testing/expect-outcome.ts';
import type { MarketChain, Party } from './testing/market-chain.ts';

/**
 * What later texts of the program say otherwise than the branches of July 2026, of which the compiled stand-in for 0.1.12 is made: the
 * model follows the later text, and these tests alone hold it to that (docs/proof.md, "Where the stand-in for 0.1.12 differs").
 */
const USDC = 1_000_000n;
const SOL = 1_000_000_000n;
const REDUCE_ONLY = 2;
/** What a bank is named by in the table of premiums: dollars as collateral for SOL cost ten per cent, JitoSOL five. */
const TAGS = { USDC: 1, JitoSOL: 2, SOL: 3 } as const;
const [TEN, FIVE] = [42_949_672, 21_474_836];

const opened = await openBorrower();
const other = await opened.chain.addParty({ SOL: 500n * SOL, JitoSOL: 10n * SOL, USDC: 0n });
expectDone(opened.chain.send(other.wallet, act.initializeAccount(other)));
expectDone(opened.chain.send(other.wallet, act.deposit(other, opened.chain.bank('SOL'), 200n * SOL)));

let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

type Bank = ReturnType<typeof bankLayout.decode>;
type Balance = ReturnType<MarketChain['marginfiAccount']>['lendingAccount']['balances'][number];

const bank = (name: string) => chain.bank(name);
const send = (...instructions: Instruction[]) => chain.send(party.wallet, ...instructions);
const list = (change: Parameters<MarketChain['healthAccounts']>[1] = {}) => chain.healthAccounts(party.account, change);
const metas = (addresses: readonly Address[]) => addresses.map((address) => ({ address, role: AccountRole.READONLY }));
const fallOf = () => chain.setPrice('SOL', 6_500_000n);
const pulse = () => send(act.pulseHealth(party.account, list()));
const taggedAt = () => chain.marginfiAccount(party.account).liquidationTaggedAt;
const balanceOf = (name: string, account: Address = party.account) =>
  chain.marginfiAccount(account).lendingAccount.balances.find(({ bankPk }) => bankPk === bank(name).address);
const setBank = (name: string, change: (bank: Bank) => Bank) => chain.rewrite(bankLayout, bank(name).address, change);
const setState = (name: string, operationalState: number) =>
  setBank(name, (value) => ({ ...value, config: { ...value.config, operationalState } }));
const setCharging = (name: string, isActive: boolean) =>
  setBank(name, ({ flags, ...value }) => ({
    ...value,
    flags: isActive ? flags | BANK_FLAG.chargesPremium : flags & ~BANK_FLAG.chargesPremium,
  }));

function setBalance(name: string, change: Partial<Balance>, account: Address = party.account): void {
  const { address } = bank(name);
  chain.rewrite(marginfiAccountLayout, account, ({ lendingAccount, ...value }) => ({
    ...value,
    lendingAccount: {
      ...lendingAccount,
      balances: lendingAccount.balances.map((one) => (one.bankPk === address ? { ...one, ...change } : one)),
    },
  }));
}

function liquidate(amount: bigint) {
  const banks = { asset: bank('USDC'), liability: bank('SOL') };
  const lists = {
    oracles: [...oracleAccountsOf(banks.asset), ...oracleAccountsOf(banks.liability)],
    liquidator: chain.healthAccounts(other.account, { with: [banks.asset.address, banks.liability.address] }),
    liquidatee: list(),
  };
  return chain.send(other.wallet, act.liquidate(other, party.account, banks, amount, lists));
}

describe('the tag of an account that can be liquidated', () => {
  const tag = () => {
    const accounts = { marginfiAccount: party.account, group: MARGINFI_MAIN_GROUP };
    return chain.send(
      other.wallet,
      encodeInstruction(marginfiAccountTagLiqRecord, MARGINFI_PROGRAM, accounts, {}, metas(list())),
    );
  };

  it('is not set while the program is paused, nor without a price', () => {
    fallOf();
    chain.wait(3_600n, { publishes: false });
    expect(errorOf(tag())).toBe('SwitchboardStalePrice');
    fallOf();
    const pauseStartTimestamp = chain.context.unixTimestamp;
    chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, (group) => ({
      ...group,
      panicStateCache: { ...group.panicStateCache, pauseFlags: 1, pauseStartTimestamp },
    }));
    expect(errorOf(tag())).toBe('ProtocolPaused');
  });

  it('goes with a withdrawal that the account can afford, and stays through a deposit', () => {
    fallOf();
    expectDone(tag());
    expect(errorOf(tag())).toBe('AccountAlreadyTagged');
    chain.setPrice('SOL', 1_000_000n);
    expectDone(send(act.deposit(party, bank('USDC'), USDC)));
    expect(taggedAt()).toBe(chain.context.unixTimestamp);
    expectDone(send(act.withdraw(party, bank('USDC'), USDC, list())));
    expect(taggedAt()).toBe(0n);
  });

  it('goes with a pulse that finds the account healthy, and with its last debt', () => {
    fallOf();
    expectDone(tag());
    expectDone(pulse());
    expect(taggedAt()).toBe(chain.context.unixTimestamp);
    const indebted = chain.fork();
    chain.setPrice('SOL', 1_000_000n);
    expectDone(pulse());
    expect(taggedAt()).toBe(0n);
    chain = indebted;
    expectDone(send(act.repay(party, bank('SOL'), 'all')));
    expect(taggedAt()).toBe(0n);
  });

  it('stays through a liquidation of little, and begins again after one of a large part', () => {
    fallOf();
    expectDone(tag());
    const first = taggedAt();
    chain.wait(60n);
    fallOf();
    expectDone(liquidate(10n * USDC));
    expect(taggedAt()).toBe(first);
    expectDone(liquidate(3_000n * USDC));
    expect(taggedAt()).toBe(first + 60n);
  });
});

describe('a premium', () => {
  beforeEach(() => {
    for (const [name, premiumTag] of Object.entries(TAGS)) setBank(name, (value) => ({ ...value, premiumTag }));
    setCharging('SOL', true);
    setTable(TEN, FIVE);
  });
  const borrow = () => send(act.borrow(party, bank('SOL'), SOL, list({ with: [bank('SOL').address] })));

  /** What USDC and JitoSOL cost as collateral for SOL. */
  function setTable(...rates: readonly number[]): void {
    chain.rewrite(marginfiGroupLayout, MARGINFI_MAIN_GROUP, ({ premiumSettings, premiumEntries, ...group }) => ({
      ...group,
      premiumSettings: { ...premiumSettings, entryCount: rates.length },
      premiumEntries: premiumEntries.map((none, index) => {
        const rate = rates[index];
        return rate === undefined ? none : { collateralTag: index + 1, liabilityTag: TAGS.SOL, rate };
      }),
    }));
  }

  /** Prices that are old but for those of SOL and USDC. */
  function ageJitoSol(): void {
    chain.wait(3_600n, { publishes: false });
    for (const name of ['SOL', 'USDC'] as const) chain.setPrice(name, 1_000_000n);
  }

  it('is forgiven with its rate where the bank ceases to charge', () => {
    setBalance('SOL', { premiumRateSnapshot: TEN, premiumOutstanding: SOL << 48n });
    setCharging('SOL', false);
    expectDone(pulse());
    const lastUpdate = chain.context.unixTimestamp;
    expect(balanceOf('SOL')).toMatchObject({ premiumRateSnapshot: 0, premiumOutstanding: 0n, lastUpdate });
  });

  it('has no rate without a price of collateral that backs no new debt: new debt is refused, a withdrawal raises it', () => {
    expectDone(send(act.deposit(party, bank('JitoSOL'), SOL)));
    setState('JitoSOL', REDUCE_ONLY);
    ageJitoSol();
    setBalance('SOL', { premiumRateSnapshot: FIVE - 9 });
    expect(errorOf(borrow())).toBe('PremiumSnapshotUnavailable');
    const inner = [act.startFlashLoan(party, 1n), act.endFlashLoan(party, list())];
    expect(errorOf(send(...inner))).toBe('PremiumSnapshotUnavailable');
    expectDone(pulse());
    expect(balanceOf('SOL')?.premiumRateSnapshot).toBe(FIVE - 9);
    expectDone(send(act.withdraw(party, bank('USDC'), USDC, list())));
    const lastUpdate = chain.context.unixTimestamp;
    expect(balanceOf('SOL')).toMatchObject({ premiumRateSnapshot: FIVE, lastUpdate });
    setTable();
    expectDone(borrow());
  });

  it('is not paid so that less than a share of the debt is left', () => {
    setTable();
    setBalance('SOL', { liabilityShares: 3n << 47n });
    expect(errorOf(send(act.repay(party, bank('SOL'), 1n)))).toBe('IllegalBalanceState');
  });

  it('of a liquidator is paid first out of the collateral that pays his debt', () => {
    const usdc = bank('USDC').address;
    const owes = act.borrow(other, bank('USDC'), 500n * USDC, chain.healthAccounts(other.account, { with: [usdc] }));
    expectDone(chain.send(other.wallet, owes));
    setCharging('USDC', true);
    setBalance('USDC', { premiumOutstanding: (40n * USDC) << 48n, premiumRateSnapshot: TEN }, other.account);
    fallOf();
    expectDone(liquidate(1_000n * USDC));
    const { collectedPremiumOutstanding } = bankLayout.decode(chain.data(bank('USDC').address));
    expect(collectedPremiumOutstanding).toBe((40n * USDC) << 48n);
    const { assetShares = 0n, liabilityShares = 1n, ...premium } = balanceOf('USDC', other.account) ?? {};
    expect(liabilityShares >> 48n).toBe(0n);
    expect(premium).toMatchObject({ premiumOutstanding: 0n, premiumRateSnapshot: 0 });
    const held = ((assetShares * bank('USDC').shares.assetShareValue) >> 96n) / USDC;
    expect([459n, 460n]).toContain(held);
  });

  it('of a liquidator has the highest rate while one of his own prices is missing', () => {
    expectDone(chain.send(other.wallet, act.deposit(other, bank('JitoSOL'), 10n * SOL)));
    setState('JitoSOL', REDUCE_ONLY);
    // So little that he takes the debt on.
    setBalance('SOL', { assetShares: SOL << 48n }, other.account);
    ageJitoSol();
    fallOf();
    expectDone(liquidate(1_000n * USDC));
    expect(balanceOf('SOL', other.account)).toMatchObject({ assetShares: 0n, premiumRateSnapshot: TEN });
  });
});

describe('a receivership', () => {
  let record: Address;
  beforeEach(() => {
    fallOf();
    const seeds = [new TextEncoder().encode('liq_record'), getAddressBytes(party.account)];
    record = findProgramAddress(seeds, MARGINFI_PROGRAM).address;
    const payer = { feePayer: other.wallet, systemProgram: SYSTEM_PROGRAM };
    const accounts = { marginfiAccount: party.account, liquidationRecord: record, ...payer };
    const open = encodeInstruction(marginfiAccountInitLiqRecord, MARGINFI_PROGRAM, accounts, {});
    expectDone(chain.send(other.wallet, open));
  });

  /** Takes USDC and repays SOL for it in one transaction. */
  function take(usdc: bigint, sol: bigint, endsFor: Address = other.wallet) {
    const owner = { wallet: other.wallet, account: party.account };
    const accounts = {
      marginfiAccount: party.account,
      liquidationRecord: record,
      group: MARGINFI_MAIN_GROUP,
      liquidationReceiver: other.wallet,
    };
    const [health, banks] = [list(), list().filter((_, index) => index % 2 === 0)];
    const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
    const sysvar = { instructionSysvar: INSTRUCTIONS_SYSVAR };
    const { globalFeeWallet } = chain.group().feeStateCache;
    const fees = { feeState: act.FEE_STATE_ADDRESS, globalFeeWallet, systemProgram: SYSTEM_PROGRAM, feePayer: null };
    return chain.send(
      other.wallet,
      encodeInstruction(startLiquidation, MARGINFI_PROGRAM, { ...accounts, ...sysvar }, {}, health.map(writable)),
      act.withdraw(owner, bank('USDC'), usdc, health),
      act.repay(owner, bank('SOL'), sol),
      encodeInstruction(
        endLiquidation,
        MARGINFI_PROGRAM,
        { ...accounts, ...fees, liquidationReceiver: endsFor },
        {},
        banks.map(writable),
      ),
    );
  }

  // Of no later text, but no random transaction comes to it.
  it('ends for nobody but who began it', () => {
    expect(errorOf(take(1_000n * USDC, SOL + SOL / 3n, party.wallet))).toBe('InvalidLiquidationReceiver');
  });

  it('may not leave who could pay unable to, nor take more than the premium', () => {
    expect(errorOf(take(1_085n * USDC, SOL + SOL / 3n))).toBe('LiquidationPremiumTooHigh');
    chain.setPrice('SOL', 7_000_000n);
    expect(errorOf(take(1_660n * USDC, 2n * SOL))).toBe('WorseHealthPostLiquidation');
  });

  it('may take more a day after the account was tagged, but not where all of it is raised by emode', () => {
    const since = chain.context.unixTimestamp;
    chain.rewrite(marginfiAccountLayout, party.account, (account) => ({ ...account, liquidationTaggedAt: since }));
    chain.wait(86_400n);
    fallOf();
    const favoured = chain.fork();
    expectDone(take(1_085n * USDC, SOL + SOL / 3n));
    expect(taggedAt()).toBe(since);
    chain = favoured;
    const { emode, config } = bankLayout.decode(chain.data(bank('USDC').address));
    setBank('SOL', (value) => {
      const [entry, ...others] = value.emode.emodeConfig.entries;
      if (entry === undefined) throw new TypeError('No room for emode');
      const weights = { assetWeightInit: config.assetWeightMaint, assetWeightMaint: config.assetWeightMaint + 1n };
      const entries = [{ ...entry, collateralBankEmodeTag: emode.emodeTag, ...weights }, ...others];
      return { ...value, emode: { ...value.emode, emodeConfig: { ...value.emode.emodeConfig, entries } } };
    });
    expect(errorOf(take(1_085n * USDC, SOL + SOL / 3n))).toBe('LiquidationPremiumTooHigh');
  });
});
