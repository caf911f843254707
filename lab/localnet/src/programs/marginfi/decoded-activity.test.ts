import {
  encodeInstruction,
  endLiquidation,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  lendingPoolHandleBankruptcy,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitLiqRecord,
  SYSTEM_PROGRAM,
  startLiquidation,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Activity, decodeActivity, oracleAccountsOf } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { legacyTransaction, wireOf } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { amountOf } from '../token/token-state.ts';
import { forkBorrower, openBorrower } from './testing/borrower.ts';
import { expectDone } from './testing/expect-outcome.ts';
import type { MarketChain, Party } from './testing/market-chain.ts';
import { traceOf } from './testing/trace-of.ts';

const USDC = 1_000_000n;
const SOL = 1_000_000_000n;

const opened = await openBorrower();
const liquidator = await opened.chain.addParty({ SOL: 500n * SOL, USDC: 0n });
expectDone(opened.chain.send(liquidator.wallet, act.initializeAccount(liquidator)));
expectDone(opened.chain.send(liquidator.wallet, act.deposit(liquidator, opened.chain.bank('SOL'), 200n * SOL)));

let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const bank = (name: string) => chain.bank(name);
const held = (account: Address) =>
  new Map(chain.marginfiAccount(account).lendingAccount.balances.map((balance) => [balance.bankPk, balance]));
const vaultOf = (name: string) => amountOf(chain.data(bank(name).liquidityVault));

/** Sends a transaction; what it did by its events, and by its instructions alone. */
function witness(payer: Address, ...instructions: readonly Instruction[]) {
  const before = new Map(chain.accounts);
  const result = expectDone(chain.send(payer, ...instructions));
  const trace = traceOf(wireOf(legacyTransaction(payer, instructions)), result, before, chain.accounts);
  const known = { authorityOf: () => party.wallet };
  const untold = decodeActivity({ ...trace, logs: null }, MARGINFI_PROGRAM, known);
  return { ...decodeActivity(trace, MARGINFI_PROGRAM), untold: untold.activities };
}

const withoutShares = (rows: readonly Activity[]) =>
  rows.map((row) => ({ ...row, legs: row.legs.map((leg) => ({ ...leg, shares: null })) }));

/** Makes a bank's mint one of Token-2022 that keeps part of every transfer, and its vault and the wallet's account fit for it. */
function keepFees(of: ReturnType<typeof bank>, basisPoints: number): void {
  const config = new Uint8Array(108);
  const view = new DataView(config.buffer);
  for (const rate of [72, 90]) {
    view.setBigUint64(rate + 8, 2n ** 63n, true);
    view.setUint16(rate + 16, basisPoints, true);
  }
  extend(of.mint, { kind: 1, type: 1, value: config });
  const wallet = act.tokenAccountOf(party.wallet, act.tokenOf(of));
  for (const account of [of.liquidityVault, wallet]) extend(account, { kind: 2, type: 2, value: new Uint8Array(8) });
}

/** Appends an extension. What an extended account is stands after the layout of a token account, mints padded to it. */
function extend(
  address: Address,
  extension: { readonly kind: number; readonly type: number; readonly value: Uint8Array },
): void {
  const state = chain.accounts.get(address);
  if (state === undefined) throw new TypeError(`${address} is not there`);
  const { kind, type, value } = extension;
  const start = Math.max(state.data.length, 166);
  const data = new Uint8Array(start + 4 + value.length);
  data.set(state.data);
  data[165] = kind;
  data.set([type, 0, value.length, 0, ...value], start);
  chain.accounts.set(address, { ...state, data, lamports: state.lamports + 10_000_000n });
}

describe('what the program did, as it is decoded', () => {
  it('borrows what arrives, and owes the fee as well', () => {
    chain.edit(bank('SOL').address, (data) => new DataView(data.buffer).setBigUint64(480, 1n << 46n, true));
    const [vault, owed] = [vaultOf('SOL'), held(party.account).get(bank('SOL').address)?.liabilityShares ?? 0n];
    const { activities, untold } = witness(
      party.wallet,
      act.borrow(party, bank('SOL'), SOL, chain.healthAccounts(party.account)),
    );
    const shares = (held(party.account).get(bank('SOL').address)?.liabilityShares ?? 0n) - owed;
    expect(activities).toMatchObject([{ kind: 'borrow', legs: [{ amountBase: SOL, shares }] }]);
    expect(vault - vaultOf('SOL')).toBe(SOL);
    expect(untold).toEqual(withoutShares(activities));
  });

  it('moves what reached or left the vault where a mint of Token-2022 keeps a fee', async () => {
    const pyusd = bank('PYUSD');
    keepFees(pyusd, 100);
    const steps: readonly (readonly [string, () => Instruction, bigint])[] = [
      ['deposit', () => act.deposit(party, pyusd, 1_000_000n), 1n],
      ['withdraw', () => act.withdraw(party, pyusd, 500_000n, chain.healthAccounts(party.account)), -1n],
      [
        'withdraw',
        () =>
          act.withdraw(
            party,
            pyusd,
            'all',
            chain.healthAccounts(party.account).filter((each) => !isOf(pyusd, each)),
          ),
        -1n,
      ],
    ];
    for (const [kind, build, sign] of steps) {
      const [before, own] = [vaultOf('PYUSD'), await chain.tokens(party.wallet, 'PYUSD')];
      const { activities, untold } = witness(party.wallet, build());
      const moved = (vaultOf('PYUSD') - before) * sign;
      // The wallet pays more than is credited and gets less than leaves: there is a fee.
      expect(own - (await chain.tokens(party.wallet, 'PYUSD'))).toBeGreaterThan(moved * sign);
      expect(activities).toMatchObject([{ kind, legs: [{ amountBase: moved }] }]);
      expect(untold).toEqual(withoutShares(activities));
    }
  });

  it('repays all of a mint with a fee', () => {
    const pyusd = bank('PYUSD');
    expectDone(
      chain.send(
        party.wallet,
        act.borrow(party, pyusd, 1_000_000n, chain.healthAccounts(party.account, { with: [pyusd.address] })),
      ),
    );
    keepFees(pyusd, 100);
    const before = vaultOf('PYUSD');
    const { activities, untold } = witness(party.wallet, act.repay(party, pyusd, 'all'));
    expect(activities).toMatchObject([
      { kind: 'repay', legs: [{ amountBase: vaultOf('PYUSD') - before, closesSide: true }] },
    ]);
    expect(untold).toEqual(withoutShares(activities));
  });

  it('does nothing with a deposit up to a limit that is reached', () => {
    chain.edit(bank('USDC').address, (data) => new DataView(data.buffer).setBigUint64(DEPOSIT_LIMIT, 1n, true));
    const { activities, untold, unknown } = witness(party.wallet, act.deposit(party, bank('USDC'), USDC, true));
    expect({ activities, untold, unknown }).toEqual({ activities: [], untold: [], unknown: 0 });
  });

  it('seizes what a classic liquidation was called with, and repays what it says', () => {
    chain.setPrice('SOL', 6_500_000n);
    const banks = { asset: bank('USDC'), liability: bank('SOL') };
    const owed = () => {
      const { shares } = bank('SOL');
      return (
        ((held(party.account).get(banks.liability.address)?.liabilityShares ?? 0n) * shares.liabilityShareValue) >> 96n
      );
    };
    const before = owed();
    const { activities } = witness(
      liquidator.wallet,
      act.liquidate(liquidator, party.account, banks, 1_000n * USDC, {
        oracles: [banks.asset, banks.liability].flatMap((each) => [...oracleAccountsOf(each)]),
        liquidator: chain.healthAccounts(liquidator.account, { with: [banks.asset.address, banks.liability.address] }),
        liquidatee: chain.healthAccounts(party.account),
      }),
    );
    const [row] = activities;
    expect(row).toMatchObject({
      kind: 'liquidation',
      account: party.account,
      authority: party.wallet,
      actor: liquidator.wallet,
      counterparty: liquidator.account,
      liquidation: { liquidator: liquidator.wallet, assetBank: banks.asset.address, seizedBase: 1_000n * USDC },
    });
    const repaid = row?.liquidation?.repaidBase ?? 0n;
    expect(before - owed() - repaid).toBeLessThanOrEqual(1n);
    expect(repaid - (before - owed())).toBeLessThanOrEqual(1n);
  });

  it('seizes and repays, to the share, in receivership', () => {
    chain.setPrice('SOL', 6_500_000n);
    const [usdc, sol] = [bank('USDC'), bank('SOL')];
    const before = held(party.account);
    const holder = { wallet: liquidator.wallet, account: party.account };
    const { activities, untold } = witness(
      liquidator.wallet,
      ...receivership(liquidator.wallet, [
        act.withdraw(holder, usdc, 1_000n * USDC, chain.healthAccounts(party.account)),
        act.repay(holder, sol, SOL + SOL / 3n),
      ]),
    );
    const after = held(party.account);
    const lost = (before.get(usdc.address)?.assetShares ?? 0n) - (after.get(usdc.address)?.assetShares ?? 0n);
    const relieved = (before.get(sol.address)?.liabilityShares ?? 0n) - (after.get(sol.address)?.liabilityShares ?? 0n);
    expect(activities).toMatchObject([
      {
        kind: 'liquidation',
        account: party.account,
        authority: party.wallet,
        actor: liquidator.wallet,
        legs: [
          { action: 'seize', amountBase: 1_000n * USDC, shares: lost },
          { action: 'repay', amountBase: SOL + SOL / 3n, shares: relieved },
        ],
        liquidation: { liquidator: liquidator.wallet, assetBank: usdc.address, liabilityBank: sol.address },
      },
    ]);
    expect(untold).toEqual(withoutShares(activities));
  });

  it('writes off a debt, to the base unit', () => {
    const sol = bank('SOL');
    chain.edit(party.account, (data) => {
      for (let slot = 72; slot < 72 + 104 * 16; slot += 104) data.fill(0, slot + 40, slot + 56);
    });
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(party.wallet), RISK_ADMIN));
    const accounts = {
      group: MARGINFI_MAIN_GROUP,
      signer: party.wallet,
      bank: sol.address,
      marginfiAccount: party.account,
      liquidityVault: sol.liquidityVault,
      insuranceVault: sol.insuranceVault,
      insuranceVaultAuthority: act.vaultAuthorityOf('insurance', sol),
      tokenProgram: TOKEN_PROGRAM,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
    };
    const { activities } = witness(
      party.wallet,
      encodeInstruction(
        lendingPoolHandleBankruptcy,
        MARGINFI_PROGRAM,
        accounts,
        {},
        metas(chain.healthAccounts(party.account)),
      ),
    );
    expect(activities).toMatchObject([
      {
        kind: 'bankruptcy',
        account: party.account,
        legs: [{ bank: sol.address, mint: sol.mint, action: 'write_off' }],
      },
    ]);
    const written = activities[0]?.legs[0]?.amountBase ?? 0n;
    expect(written - 10n * SOL).toBeLessThan(1_000n);
    expect(written).toBeGreaterThanOrEqual(10n * SOL);
  });
});

/** Where a bank keeps its deposit limit, and a group its risk admin. */
const DEPOSIT_LIMIT = 360;
const RISK_ADMIN = 296;

const isOf = (of: ReturnType<typeof bank>, address: Address) =>
  address === of.address || oracleAccountsOf(of).includes(address);

const metas = (addresses: readonly Address[]) => addresses.map((address) => ({ address, role: AccountRole.READONLY }));

/** A liquidation in receivership around instructions; the record is opened with it. */
function receivership(receiver: Address, inner: readonly Instruction[]): readonly Instruction[] {
  const seed = (text: string) => new TextEncoder().encode(text);
  const record = findProgramAddress([seed('liq_record'), getAddressBytes(party.account)], MARGINFI_PROGRAM).address;
  const feeState = act.FEE_STATE_ADDRESS;
  const list = chain.healthAccounts(party.account);
  const banks = list.filter((_, index) => index % 2 === 0);
  const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
  const taken = {
    marginfiAccount: party.account,
    liquidationRecord: record,
    group: MARGINFI_MAIN_GROUP,
    liquidationReceiver: receiver,
  };
  const opening = {
    marginfiAccount: party.account,
    feePayer: receiver,
    liquidationRecord: record,
    systemProgram: SYSTEM_PROGRAM,
  };
  const { globalFeeWallet } = chain.group().feeStateCache;
  return [
    encodeInstruction(marginfiAccountInitLiqRecord, MARGINFI_PROGRAM, opening, {}),
    encodeInstruction(startLiquidation, MARGINFI_PROGRAM, { ...taken, instructionSysvar: INSTRUCTIONS_SYSVAR }, {}, [
      ...list.map((address) => (banks.includes(address) ? writable(address) : { address, role: AccountRole.READONLY })),
    ]),
    ...inner,
    encodeInstruction(
      endLiquidation,
      MARGINFI_PROGRAM,
      { ...taken, feeState, globalFeeWallet, systemProgram: SYSTEM_PROGRAM, feePayer: null },
      {},
      banks.map(writable),
    ),
  ];
}
