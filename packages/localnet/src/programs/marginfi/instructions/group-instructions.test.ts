import {
  circuitBreakerTrippedEvent,
  encodeInstruction,
  getAddressBytes,
  lendingPoolAccrueBankInterest,
  lendingPoolBankAccrueInterestEvent,
  lendingPoolBankHandleBankruptcyEvent,
  lendingPoolHandleBankruptcy,
  lendingPoolPulseBankPriceCache,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  propagateFeeState,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import * as act from '#market/lending-instructions.ts';
import { amountOf } from '../../token/token-state.ts';
import { findBalance } from '../state/balance-state.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const send = (instruction: Parameters<MarketChain['send']>[1]) => chain.send(party.wallet, instruction as never);
const readonly = (addresses: readonly Address[]) =>
  addresses.map((address) => ({ address, role: AccountRole.READONLY }));
const view = (address: Address) => new DataView(chain.data(address).buffer);
const feeState = act.FEE_STATE_ADDRESS;

function pause(): void {
  chain.edit(MARGINFI_MAIN_GROUP, (data) => {
    data[256] = 1;
    new DataView(data.buffer).setBigInt64(264, chain.context.unixTimestamp, true);
  });
}

describe('lending_pool_accrue_bank_interest', () => {
  const accrue = (bank: Address, group: Address = MARGINFI_MAIN_GROUP) =>
    send(encodeInstruction(lendingPoolAccrueBankInterest, MARGINFI_PROGRAM, { group, bank }, {}));

  it('grows both share values and leaves the rates', () => {
    const { address } = chain.bank('USDC');
    const before = chain.bank('USDC').shares;
    chain.wait(86_400n);
    const [event] = eventsOf(expectDone(accrue(address)), lendingPoolBankAccrueInterestEvent);
    expect(event).toMatchObject({ bank: address, delta: 86_400n });
    const after = chain.bank('USDC').shares;
    expect(after.assetShareValue).toBeGreaterThan(before.assetShareValue);
    expect(after.liabilityShareValue).toBeGreaterThan(before.liabilityShareValue);
    expect(view(address).getUint32(1_376, true)).toBeGreaterThan(0);
    expect(view(address).getUint32(1_388, true)).toBe(86_400);
  });

  it('leaves out the seconds of a halt', () => {
    const { address } = chain.bank('USDC');
    const { unixTimestamp } = chain.context;
    chain.edit(address, (data) => {
      new DataView(data.buffer).setBigInt64(1_760, unixTimestamp + 100n, true);
      new DataView(data.buffer).setBigInt64(1_768, unixTimestamp + 700n, true);
      // Of an earlier halt, which the last one overwrote.
      new DataView(data.buffer).setBigUint64(1_840, 50n, true);
    });
    chain.wait(1_000n);
    const [event] = eventsOf(expectDone(accrue(address)), lendingPoolBankAccrueInterestEvent);
    expect(event?.delta).toBe(350n);
    expect(view(address).getBigUint64(1_840, true)).toBe(0n);
    expect(chain.bank('USDC').shares.lastUpdate).toBe(chain.context.unixTimestamp);
  });

  it('only moves the time where nobody borrows, and empties the rates', () => {
    const { address } = chain.bank('USDC');
    chain.edit(address, (data) => data.fill(0, 256, 272));
    chain.wait(10n);
    const [event] = eventsOf(expectDone(accrue(address)), lendingPoolBankAccrueInterestEvent);
    expect(event).toMatchObject({ delta: 10n, feesCollected: 0, insuranceCollected: 0 });
    expect(view(address).getUint32(1_376, true)).toBe(0);
    expect(chain.bank('USDC').shares.lastUpdate).toBe(chain.context.unixTimestamp);
  });

  it('refuses a pause, and a bank of another group', () => {
    chain.edit(chain.bank('USDT').address, (data) => data.fill(9, 41, 73));
    expect(errorOf(accrue(chain.bank('USDT').address))).toBe('InvalidGroup');
    pause();
    expect(errorOf(accrue(chain.bank('USDC').address))).toBe('ProtocolPaused');
  });
});

describe('lending_pool_pulse_bank_price_cache', () => {
  const pulse = (name: string, accounts = oracleAccountsOf(chain.bank(name))) =>
    send(
      encodeInstruction(
        lendingPoolPulseBankPriceCache,
        MARGINFI_PROGRAM,
        { group: MARGINFI_MAIN_GROUP, bank: chain.bank(name).address },
        {},
        readonly(accounts),
      ),
    );

  it('keeps price, confidence and time, in a pause too', () => {
    pause();
    chain.setPrice('USDC', 1_000_000n);
    expectDone(pulse('USDC'));
    const { address } = chain.bank('USDC');
    const price = view(address).getBigUint64(1_408, true);
    expect(Number(price) / 2 ** 48).toBeCloseTo(0.9999, 6);
    expect(Number(view(address).getBigUint64(1_432, true)) / Number(price)).toBeCloseTo(0.00212, 6);
    expect(view(address).getBigInt64(1_424, true)).toBe(chain.context.unixTimestamp);
  });

  it('shows the price to the breaker, which trips', () => {
    const { address } = chain.bank('USDC');
    chain.edit(address, (data) => {
      const bank = new DataView(data.buffer);
      bank.setBigUint64(840, 1n << 11n, true);
      for (const [tier, bps] of [500, 1_000, 2_000].entries()) bank.setUint16(824 + 2 * tier, bps, true);
      for (const [tier, seconds] of [60, 600, 6_000].entries()) bank.setUint16(830 + 2 * tier, seconds, true);
      bank.setBigUint64(1_800, 1n << 48n, true);
    });
    chain.setPrice('USDC', 880_000n);
    const [event] = eventsOf(expectDone(pulse('USDC')), circuitBreakerTrippedEvent);
    const { unixTimestamp } = chain.context;
    expect(event).toMatchObject({ tier: 2, haltStartedAt: unixTimestamp, haltEndedAt: unixTimestamp + 600n });
    expect(view(address).getUint8(1_776)).toBe(2);
    expect(errorOf(send(act.borrow(party, chain.bank('USDC'), 1n, chain.healthAccounts(party.account))))).toBe(
      'BankCircuitBreakerHalted',
    );
  });

  it('refuses a stale feed, another one and none', () => {
    expect(errorOf(pulse('USDC', []))).toBe('WrongNumberOfOracleAccounts');
    expect(errorOf(pulse('USDC', oracleAccountsOf(chain.bank('USDT'))))).toBe('WrongOracleAccountKeys');
    chain.wait(1_000n, { publishes: false });
    expect(errorOf(pulse('USDC'))).toBe('PythPushStalePrice');
  });
});

describe('propagate_fee_state', () => {
  const propagate = (state: Address = feeState) =>
    send(
      encodeInstruction(
        propagateFeeState,
        MARGINFI_PROGRAM,
        { feeState: state, marginfiGroup: MARGINFI_MAIN_GROUP },
        {},
      ),
    );

  it('copies fees, wallet and pause to the group', () => {
    chain.edit(feeState, (data) => {
      data.fill(7, 72, 104);
      data.fill(1, 136, 144);
      data.fill(2, 152, 160);
      data[168] = 1;
      new DataView(data.buffer).setBigInt64(176, chain.context.unixTimestamp, true);
    });
    const { logs } = expectDone(propagate());
    expect(logs).toContain('Program log: Propagated fee and panic state to group. Panic state: paused=true');
    const { feeStateCache, panicStateCache } = chain.group();
    expect(getAddressBytes(feeStateCache.globalFeeWallet)).toEqual(new Uint8Array(32).fill(7));
    expect(feeStateCache).toMatchObject({
      programFeeFixed: 0x0101010101010101n,
      lastUpdate: chain.context.unixTimestamp,
    });
    expect(panicStateCache).toMatchObject({
      pauseFlags: 1,
      pauseStartTimestamp: chain.context.unixTimestamp,
      lastCacheUpdate: chain.context.unixTimestamp,
    });
    expect(errorOf(send(act.deposit(party, chain.bank('USDC'), 1n)))).toBe('ProtocolPaused');
  });

  it('refuses another fee state', () => {
    const other = chain.bank('USDC').address;
    const state = chain.accounts.get(feeState);
    if (state !== undefined) chain.accounts.set(other, state);
    expect(errorOf(propagate(other))).toBe(2006);
  });
});

describe('lending_pool_handle_bankruptcy', () => {
  const settle = (name = 'SOL', signer = party.wallet) => {
    const bank = chain.bank(name);
    return chain.send(
      signer,
      encodeInstruction(
        lendingPoolHandleBankruptcy,
        MARGINFI_PROGRAM,
        {
          group: MARGINFI_MAIN_GROUP,
          signer,
          bank: bank.address,
          marginfiAccount: party.account,
          liquidityVault: bank.liquidityVault,
          insuranceVault: bank.insuranceVault,
          insuranceVaultAuthority: act.vaultAuthorityOf('insurance', bank),
          tokenProgram: TOKEN_PROGRAM,
          instructionsSysvar: INSTRUCTIONS_SYSVAR,
        },
        {},
        readonly(chain.healthAccounts(party.account)),
      ),
    );
  };

  /** Takes the collateral away, so that ten SOL of debt are left beside nothing. */
  const ruin = () => {
    chain.edit(party.account, (data) => {
      for (let slot = 72; slot < 72 + 104 * 16; slot += 104) data.fill(0, slot + 40, slot + 56);
    });
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(party.wallet), 296));
  };

  it('takes the insurance first and the lenders for the rest, and disables the account', () => {
    ruin();
    const bank = chain.bank('SOL');
    const insurance = bank.insuranceVault;
    chain.edit(insurance, (data) => new DataView(data.buffer).setBigUint64(64, 4_000_000_000n, true));
    const state = chain.accounts.get(insurance);
    // Wrapped SOL lies there as lamports, too.
    if (state !== undefined) chain.accounts.set(insurance, { ...state, lamports: state.lamports + 4_000_000_000n });
    const [event] = eventsOf(expectDone(settle()), lendingPoolBankHandleBankruptcyEvent);
    expect(event?.badDebt).toBeCloseTo(10e9, -2);
    expect(event?.coveredAmount).toBe(4e9);
    expect(event?.socializedAmount).toBeCloseTo(6e9, -2);
    expect(amountOf(chain.data(insurance))).toBe(0n);
    expect(chain.bank('SOL').shares.assetShareValue).toBeLessThan(bank.shares.assetShareValue);
    const account = chain.marginfiAccount(party.account);
    expect([account.accountFlags, account.indexerFlags.hasBeenBankrupted]).toEqual([1n, 1]);
    expect(account.healthCache).toMatchObject({ flags: 2, programVersion: 3, internalErr: 0 });
    expect(account.lendingAccount.balances.every(({ liabilityShares }) => liabilityShares < 1n << 32n)).toBe(true);
  });

  it('waits for an administrator where the circuit breaker has stopped the bank', () => {
    ruin();
    const { address } = chain.bank('SOL');
    chain.edit(address, (data) => {
      const bank = new DataView(data.buffer);
      // Anyone may settle, and the breaker is on.
      bank.setBigUint64(840, bank.getBigUint64(840, true) | (1n << 2n) | (1n << 11n), true);
      bank.setUint8(1_776, 1);
      bank.setBigInt64(1_768, chain.context.unixTimestamp + 60n, true);
    });
    expect(errorOf(settle())).toBe('BankCircuitBreakerHalted');
    chain.edit(address, (data) => {
      data[1_776] = 0;
      data[608] = 6;
    });
    expect(chain.bank('SOL').operationalState).toBe('CircuitBroken');
    expect(errorOf(settle())).toBe('BankCircuitBreakerHalted');
    chain.edit(address, (data) => {
      const bank = new DataView(data.buffer);
      bank.setBigUint64(840, bank.getBigUint64(840, true) & ~(1n << 2n), true);
    });
    expectDone(settle());
  });

  it('kills a bank that loses everything', () => {
    ruin();
    const bank = chain.bank('SOL');
    chain.edit(bank.address, (data) => {
      const shares = new DataView(data.buffer);
      shares.setBigUint64(272, 1_000n, true);
      shares.setBigInt64(280, 0n, true);
    });
    expectDone(settle());
    expect(chain.bank('SOL').operationalState).toBe('KilledByBankruptcy');
    expect(chain.bank('SOL').shares.assetShareValue).toBe(0n);
  });

  it('refuses an account that is not bankrupt, a bank without its debt, and anyone but the administrators', () => {
    expect(errorOf(settle())).toBe('Unauthorized');
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(party.wallet), 296));
    expect(errorOf(settle())).toBe('AccountNotBankrupt');
    ruin();
    expect(errorOf(settle('USDC'))).toBe('BalanceNotBadDebt');
    expect(errorOf(settle('USDT'))).toBe('LendingAccountBalanceNotFound');
  });

  it('calls nobody bankrupt who has ten cents left, whatever is owed', () => {
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(party.wallet), 296));
    const hold = (usdcBase: bigint) =>
      chain.edit(party.account, (data) => {
        const balance = findBalance({ data }, getAddressBytes(chain.bank('USDC').address));
        if (balance !== undefined) balance.assetShares = usdcBase << 48n;
      });
    hold(90_000n);
    expect(errorOf(settle())).toBe('AccountNotBankrupt');
    hold(80_000n);
    expectDone(settle());
  });

  it('lets anyone settle where the bank says so, but not in a paused bank', () => {
    ruin();
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.fill(9, 296, 328));
    chain.edit(chain.bank('SOL').address, (data) => new DataView(data.buffer).setBigUint64(840, 4n, true));
    chain.edit(chain.bank('SOL').address, (data) => {
      data[608] = 0;
    });
    expect(errorOf(settle())).toBe('BankPaused');
    chain.edit(chain.bank('SOL').address, (data) => {
      data[608] = 1;
    });
    expectDone(settle());
  });
});
