import {
  getAddressBytes,
  lendingAccountDepositEvent,
  lendingPoolBankAccrueInterestEvent,
  MARGINFI_MAIN_GROUP,
  rateLimitFlowEvent,
  tokenAccountLayout,
} from '@lending/programs';
import { AccountRole, type Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import { MarketChain, type Party } from '../testing/market-chain.ts';

const market = await MarketChain.open();
let chain: MarketChain;
let party: Party;
beforeEach(async () => {
  chain = market.fork();
  party = await chain.addParty({ USDC: 10_000_000_000n, PYUSD: 5_000_000n, SOL: 5_000_000_000n });
  expectDone(chain.send(party.wallet, act.initializeAccount(party)));
});

const usdc = () => chain.bank('USDC');
const send = (...args: Parameters<MarketChain['send']>) => chain.send(...args);
const depositUsdc = (amount = 1_000_000n, upTo: boolean | null = null) =>
  send(party.wallet, act.deposit(party, usdc(), amount, upTo));
const vaultAmount = () => tokenAccountLayout.decode(chain.data(usdc().liquidityVault)).amount;
const setU64 = (address: Address, offset: number, value: bigint) =>
  chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));

describe('lending_account_deposit', () => {
  it('moves the tokens, books the shares and tells both', async () => {
    const before = { vault: vaultAmount(), bank: usdc() };
    const result = expectDone(depositUsdc(1_000_000n));
    expect(vaultAmount() - before.vault).toBe(1_000_000n);
    expect(await chain.tokens(party.wallet, 'USDC')).toBe(9_999_000_000n);
    const [balance] = chain.marginfiAccount(party.account).lendingAccount.balances;
    const { assetShareValue, totalAssetShares } = usdc().shares;
    const shares = (1_000_000n << 96n) / assetShareValue;
    expect(balance).toMatchObject({ active: 1, bankPk: usdc().address, assetShares: shares, liabilityShares: 0n });
    expect(totalAssetShares - before.bank.shares.totalAssetShares).toBe(shares);
    expect(eventsOf(result, lendingAccountDepositEvent)).toEqual([
      {
        header: {
          signer: party.wallet,
          marginfiAccount: party.account,
          marginfiAccountAuthority: party.wallet,
          marginfiGroup: MARGINFI_MAIN_GROUP,
        },
        bank: usdc().address,
        mint: usdc().mint,
        amount: 1_000_000n,
        shareAmount: shares,
      },
    ]);
  });

  it('accrues before it counts, once a second, and leaves rates and time', () => {
    chain.wait(600n);
    const result = expectDone(depositUsdc());
    const [event] = eventsOf(result, lendingPoolBankAccrueInterestEvent);
    expect(event).toMatchObject({ header: { signer: null }, bank: usdc().address, delta: 600n });
    expect(event?.feesCollected).toBeGreaterThan(0);
    expect(usdc().shares.lastUpdate).toBe(chain.context.unixTimestamp);
    expect(usdc().shares.assetShareValue).toBeGreaterThan(market.bank('USDC').shares.assetShareValue);
    expect(eventsOf(expectDone(depositUsdc()), lendingPoolBankAccrueInterestEvent)).toEqual([]);
  });

  it('sorts the balances, keeps the indexer flags and the position count', () => {
    const count = () => new DataView(chain.data(usdc().address).buffer).getInt32(1_536, true);
    const before = count();
    for (const name of ['SOL', 'USDC']) {
      expectDone(send(party.wallet, act.deposit(party, chain.bank(name), 1_000_000n)));
    }
    expectDone(depositUsdc());
    expect(count()).toBe(before + 1);
    const account = chain.marginfiAccount(party.account);
    const banks = account.lendingAccount.balances.slice(0, 2).map(({ bankPk }) => bankPk);
    expect(banks).toEqual([...banks].sort((a, b) => Buffer.compare(getAddressBytes(b), getAddressBytes(a))));
    expect(account.indexerFlags).toMatchObject({ isEmpty: 0, isLendingOnly: 1, isSingleBorrower: 0, wasActive30d: 1 });
  });

  it('takes a Token-2022 bank with its mint in front, and not without', () => {
    const pyusd = chain.bank('PYUSD');
    const instruction = act.deposit(party, pyusd, 1_000_000n);
    expectDone(send(party.wallet, instruction));
    const withoutMint = { ...instruction, accounts: instruction.accounts?.slice(0, -1) ?? [] };
    expect(errorOf(send(party.wallet, withoutMint))).toBe('T22MintRequired');
    const otherMint = {
      ...instruction,
      accounts: [...(withoutMint.accounts ?? []), { address: usdc().mint, role: AccountRole.READONLY }],
    };
    expect(errorOf(send(party.wallet, otherMint))).toBe('T22MintRequired');
  });

  it('stops at the limit: one unit below passes, the limit itself does not', () => {
    expectDone(depositUsdc());
    const total = (usdc().shares.totalAssetShares * usdc().shares.assetShareValue) >> 96n;
    setU64(usdc().address, 360, total + 500n);
    expect(errorOf(depositUsdc(501n))).toBe('BankAssetCapacityExceeded');
    expectDone(depositUsdc(499n));
  });

  it('deposits what is left up to the limit, and nothing without a word when nothing is', () => {
    expectDone(depositUsdc());
    const total = (usdc().shares.totalAssetShares * usdc().shares.assetShareValue) >> 96n;
    setU64(usdc().address, 360, total + 500n);
    const [event] = eventsOf(expectDone(depositUsdc(1_000_000n, true)), lendingAccountDepositEvent);
    expect(event?.amount).toBe(498n);
    expect(eventsOf(expectDone(depositUsdc(1_000_000n, true)), lendingAccountDepositEvent)).toEqual([]);
  });

  it('tells flows to a limited group, and counts them for a limited bank', () => {
    setU64(MARGINFI_MAIN_GROUP, 376, 1_000n);
    setU64(MARGINFI_MAIN_GROUP, 384, 3_600n);
    setU64(usdc().address, 1_656, 1_000_000_000n);
    setU64(usdc().address, 1_664, 3_600n);
    const result = expectDone(depositUsdc(7_000_000n));
    expect(eventsOf(result, rateLimitFlowEvent)).toMatchObject([
      { bank: usdc().address, flowDirection: 1, nativeAmount: 7_000_000n, mintDecimals: 6 },
    ]);
    const window = new DataView(chain.data(usdc().address).buffer);
    expect(window.getBigInt64(1_656 + 32, true)).toBe(-7_000_000n);
  });

  it.each<[string, () => void, unknown]>([
    ['a paused group', () => pauseGroup(), 'ProtocolPaused'],
    ['an account of another group', () => chain.edit(party.account, (data) => data.fill(9, 8, 40)), 'InvalidGroup'],
    ['a frozen account', () => setU64(party.account, 1_800, 64n), 'AccountFrozen'],
    ['somebody else’s account', () => chain.edit(party.account, (data) => data.fill(9, 40, 72)), 'Unauthorized'],
    ['a disabled account', () => setU64(party.account, 1_800, 1n), 'AccountDisabled'],
    ['a bank of another group', () => chain.edit(usdc().address, (data) => data.fill(9, 41, 73)), 'InvalidGroup'],
    ['a paused bank', () => setState(0), 'BankPaused'],
    ['a bank that only reduces', () => setState(2), 'BankReduceOnly'],
    ['a bank that is dead', () => setState(3), 'BankKilledByBankruptcy'],
    ['a bank that never began', () => setState(4), 'BankUninitialized'],
    ['a bank that only reduces, with borrowing power', () => setState(5), 'BankReduceOnly'],
    ['a bank that is wound up', () => setU64(usdc().address, 840, 32n), 'BankReduceOnly'],
    ['a bank of another venue', () => setTag(3), 'WrongAssetTagForStandardInstructions'],
    ['a legacy curve', () => legacyCurve(), 'InvalidConfig'],
    ['more than the wallet has', () => emptyWallet(), 1],
  ])('refuses %s', (_, spoil, error) => {
    spoil();
    const before = chain.data(party.account).slice();
    expect(errorOf(depositUsdc())).toBe(error);
    expect(chain.data(party.account)).toEqual(before);
  });

  it('lets a pause lapse after six hours', () => {
    pauseGroup();
    chain.wait(6n * 3_600n - 1n);
    expect(errorOf(depositUsdc())).toBe('ProtocolPaused');
    chain.wait(1n);
    expectDone(depositUsdc());
  });

  it('holds a pause that was extended into the future', () => {
    pauseGroup();
    chain.context = { ...chain.context, unixTimestamp: chain.context.unixTimestamp - 10n };
    expect(errorOf(depositUsdc())).toBe('ProtocolPaused');
  });

  it('lets the group’s admin act on a frozen account', () => {
    setU64(party.account, 1_800, 64n);
    chain.edit(MARGINFI_MAIN_GROUP, (data) => data.set(getAddressBytes(party.wallet), 8));
    chain.edit(party.account, (data) => data.fill(9, 40, 72));
    expectDone(depositUsdc());
  });

  it('refuses to deposit beside a debt in the same bank, and staked collateral beside others', () => {
    expectDone(depositUsdc(1_000_000n));
    chain.edit(party.account, (data) => {
      data.copyWithin(72 + 56, 72 + 40, 72 + 56);
      data.fill(0, 72 + 40, 72 + 56);
    });
    expect(errorOf(depositUsdc())).toBe('OperationDepositOnly');
    chain.edit(party.account, (data) => {
      data[72 + 33] = 2;
    });
    expect(errorOf(depositUsdc())).toBe('AssetTagMismatch');
  });

  it('cannot hand an account that it is reading itself to the token program', () => {
    const { accounts = [], ...instruction } = act.deposit(party, usdc(), 1n);
    for (const account of [MARGINFI_MAIN_GROUP, party.account, usdc().address]) {
      const given = accounts.map((meta, index) => (index === 4 ? { ...meta, address: account } : meta));
      expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: given }))).toBe('AccountBorrowFailed');
    }
  });

  it('refuses a seventeenth bank', () => {
    chain.edit(party.account, (data) => {
      for (let slot = 0; slot < 16; slot++) data.fill(1, 72 + 104 * slot, 73 + 104 * slot);
    });
    expect(errorOf(depositUsdc())).toBe('LendingAccountBalanceSlotsFull');
  });
});

function pauseGroup(): void {
  chain.edit(MARGINFI_MAIN_GROUP, (data) => {
    data[256] = 1;
    new DataView(data.buffer).setBigInt64(264, chain.context.unixTimestamp, true);
  });
}

function setState(state: number): void {
  chain.edit(usdc().address, (data) => {
    data[608] = state;
  });
}

function setTag(tag: number): void {
  chain.edit(usdc().address, (data) => {
    data[785] = tag;
  });
}

function legacyCurve(): void {
  chain.wait(1n);
  chain.edit(usdc().address, (data) => {
    data[544] = 0;
  });
}

function emptyWallet(): void {
  chain.edit(act.tokenAccountOf(party.wallet, act.tokenOf(usdc())), (data) => data.fill(0, 64, 72));
}
