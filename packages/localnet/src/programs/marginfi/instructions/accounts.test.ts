import {
  encodeInstruction,
  feeStateLayout,
  getAddressBytes,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountCreateEvent,
  marginfiAccountInitializePda,
  marginfiAccountLayout,
  marginfiAccountTransferToNewAccountEvent,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { addressOf, wallet } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import { MarketChain, type Party } from '../testing/market-chain.ts';

const market = await MarketChain.open();
let chain: MarketChain;
let party: Party;
beforeEach(async () => {
  chain = market.fork();
  party = await chain.addParty({ USDC: 10_000_000_000n });
});

const setU64 = (address: Address, offset: number, value: bigint) =>
  chain.edit(address, (data) => new DataView(data.buffer).setBigUint64(offset, value, true));
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);

function derivedAddress(authority: Address, index: number, id: number) {
  const keys = [MARGINFI_MAIN_GROUP, authority].map(getAddressBytes);
  return findProgramAddress(
    [new TextEncoder().encode('marginfi_account'), ...keys, u16(index), u16(id)],
    MARGINFI_PROGRAM,
  );
}

function initializeDerived(
  index: number,
  id: number | null,
  account = derivedAddress(party.wallet, index, id ?? 0).address,
) {
  return encodeInstruction(
    marginfiAccountInitializePda,
    MARGINFI_PROGRAM,
    {
      marginfiGroup: MARGINFI_MAIN_GROUP,
      marginfiAccount: account,
      authority: party.wallet,
      feePayer: party.wallet,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { accountIndex: index, thirdPartyId: id },
  );
}

describe('marginfi_account_initialize', () => {
  it('creates an empty, active account of the group and says so', () => {
    const result = expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    const { group, authority, indexerFlags, lastUpdate, bump, lendingAccount } = chain.marginfiAccount(party.account);
    expect([group, authority]).toEqual([MARGINFI_MAIN_GROUP, party.wallet]);
    expect(indexerFlags).toMatchObject({ isEmpty: 1, isLendingOnly: 0, wasActive30d: 1, wasActive60d: 1 });
    expect([lastUpdate, bump]).toEqual([chain.context.unixTimestamp, 0]);
    expect(lendingAccount.balances.every(({ active }) => active === 0)).toBe(true);
    expect(chain.accounts.get(party.account)?.lamports).toBe(chain.context.minimumBalance(2_312));
    expect(eventsOf(result, marginfiAccountCreateEvent)).toMatchObject([
      { header: { marginfiAccount: party.account } },
    ]);
  });

  it('takes over an address that somebody sent lamports to', () => {
    chain.accounts.set(party.account, wallet(1_000_000n));
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    expect(chain.accounts.get(party.account)?.lamports).toBe(chain.context.minimumBalance(2_312));
  });

  it('refuses an address in use, and a paused group', () => {
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    expect(errorOf(chain.send(party.wallet, act.initializeAccount(party)))).toBe(0);
    chain.edit(MARGINFI_MAIN_GROUP, (data) => {
      data[256] = 1;
      new DataView(data.buffer).setBigInt64(264, chain.context.unixTimestamp, true);
    });
    expect(errorOf(chain.send(party.wallet, act.initializeAccount({ ...party, account: addressOf(77) })))).toBe(
      'ProtocolPaused',
    );
  });
});

describe('marginfi_account_initialize_pda', () => {
  it('creates the derived account and remembers what it is derived from', () => {
    const { address, bump } = derivedAddress(party.wallet, 3, 77);
    expectDone(chain.send(party.wallet, initializeDerived(3, 77)));
    expect(chain.marginfiAccount(address)).toMatchObject({ accountIndex: 3, thirdPartyIndex: 77, bump });
    expectDone(chain.send(party.wallet, initializeDerived(3, null)));
    expect(errorOf(chain.send(party.wallet, initializeDerived(3, 77)))).toBe(0);
  });

  it('refuses another address, another sysvar and an id of somebody else', () => {
    expect(errorOf(chain.send(party.wallet, initializeDerived(0, null, addressOf(66))))).toBe(2006);
    const instruction = initializeDerived(0, null);
    const accounts = instruction.accounts?.map((meta, index) =>
      index === 4 ? { ...meta, address: party.wallet } : meta,
    );
    expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: accounts ?? [] }))).toBe(2012);
    expectDone(chain.send(party.wallet, initializeDerived(0, 9_999)));
    expect(errorOf(chain.send(party.wallet, initializeDerived(0, 10_000)))).toBe('Unauthorized');
    expect(errorOf(chain.send(party.wallet, initializeDerived(0, 11_111)))).toBe('Unauthorized');
  });
});

describe('marginfi_account_close', () => {
  beforeEach(() => {
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
  });
  const close = () => errorOf(chain.send(party.wallet, act.closeAccount(party)));

  it('refuses an account that holds something, however little', () => {
    const usdc = chain.bank('USDC');
    expectDone(chain.send(party.wallet, act.deposit(party, usdc, 5_000_000n)));
    expect(close()).toBe('IllegalAction');
    const list = chain.healthAccounts(party.account, { without: [usdc.address] });
    expectDone(chain.send(party.wallet, act.withdraw(party, usdc, 'all', list)));
    expect(close()).toBeNull();
    expect(chain.accounts.has(party.account)).toBe(false);
  });

  it.each<[string, () => void, unknown]>([
    ['a frozen account', () => setU64(party.account, 1_800, 64n), 'AccountFrozen'],
    ['a disabled account', () => setU64(party.account, 1_800, 1n), 'IllegalAction'],
    ['an account in a flash loan', () => setU64(party.account, 1_800, 2n), 'IllegalAction'],
    [
      'an account with a liquidation record',
      () => chain.edit(party.account, (data) => data.fill(1, 2_224, 2_256)),
      'IllegalAction',
    ],
    [
      'an account with an order',
      () => chain.edit(party.account, (data) => data.fill(1, 2_221, 2_222)),
      'IllegalAction',
    ],
    ['somebody else’s account', () => chain.edit(party.account, (data) => data.fill(1, 40, 72)), 'Unauthorized'],
  ])('refuses %s', (_, spoil, error) => {
    spoil();
    expect(close()).toBe(error);
  });

  it.each<[string, number, () => Address, number]>([
    ['to pay the account to itself', 2, () => party.account, 2011],
    ['a wallet in place of the fee pool', 3, () => party.wallet, 2006],
    ['an account of a program in place of the fee pool', 3, () => party.account, 3011],
  ])('refuses %s', (_, place, other, error) => {
    const instruction = act.closeAccount(party);
    const accounts = instruction.accounts?.map((meta, index) =>
      index === place ? { ...meta, address: other() } : meta,
    );
    expect(errorOf(chain.send(party.wallet, { ...instruction, accounts: accounts ?? [] }))).toBe(error);
  });
});

describe('transfer_to_new_account', () => {
  const heir = addressOf(50);
  const feeWallet = () => chain.group().feeStateCache.globalFeeWallet;
  const accounts = (to: Address) => ({
    group: MARGINFI_MAIN_GROUP,
    oldMarginfiAccount: party.account,
    newMarginfiAccount: to,
    authority: party.wallet,
    feePayer: party.wallet,
    newAuthority: heir,
    globalFeeWallet: feeWallet(),
    feeState: act.FEE_STATE_ADDRESS,
    systemProgram: SYSTEM_PROGRAM,
  });
  const transfer = (to: Address) => encodeInstruction(transferToNewAccount, MARGINFI_PROGRAM, accounts(to), {});

  beforeEach(() => {
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('USDC'), 5_000_000n)));
  });

  it('moves every balance, disables the old account and takes a fee', () => {
    const before = chain.marginfiAccount(party.account);
    const fees = chain.accounts.get(feeWallet())?.lamports ?? 0n;
    const result = expectDone(chain.send(party.wallet, transfer(addressOf(51))));
    const old = chain.marginfiAccount(party.account);
    const moved = chain.marginfiAccount(addressOf(51));
    expect(moved.lendingAccount).toEqual(before.lendingAccount);
    expect([moved.authority, moved.migratedFrom, moved.accountFlags]).toEqual([heir, party.account, 0n]);
    expect(moved.indexerFlags).toMatchObject({ isLendingOnly: 1, isEmpty: 0 });
    expect([old.migratedTo, old.accountFlags]).toEqual([addressOf(51), 1n]);
    expect(old.indexerFlags).toMatchObject({ isLendingOnly: 0, isEmpty: 1 });
    expect(chain.accounts.get(feeWallet())?.lamports).toBe(fees + 5_000_000n);
    expect(eventsOf(result, marginfiAccountTransferToNewAccountEvent)).toMatchObject([
      { oldAccount: party.account, oldAccountAuthority: party.wallet, newAccountAuthority: heir },
    ]);
    expect(errorOf(chain.send(party.wallet, transfer(addressOf(52))))).toBe('AccountDisabled');
  });

  it('takes the fee that the fee state names, and the tag along', () => {
    chain.rewrite(feeStateLayout, act.FEE_STATE_ADDRESS, (value) => ({ ...value, accountTransferFee: 7_000_000 }));
    chain.rewrite(marginfiAccountLayout, party.account, (value) => ({ ...value, liquidationTaggedAt: 77n }));
    const fees = chain.accounts.get(feeWallet())?.lamports ?? 0n;
    expectDone(chain.send(party.wallet, transfer(addressOf(51))));
    expect(chain.accounts.get(feeWallet())?.lamports).toBe(fees + 7_000_000n);
    expect(chain.marginfiAccount(addressOf(51)).liquidationTaggedAt).toBe(77n);
  });

  it('derives the new account from the new authority', () => {
    const { address, bump } = derivedAddress(heir, 4, 0);
    const instruction = encodeInstruction(
      transferToNewAccountPda,
      MARGINFI_PROGRAM,
      { ...accounts(address), instructionsSysvar: INSTRUCTIONS_SYSVAR },
      { accountIndex: 4, thirdPartyId: null },
    );
    expectDone(chain.send(party.wallet, instruction));
    expect(chain.marginfiAccount(address)).toMatchObject({ authority: heir, accountIndex: 4, bump });
  });

  it.each<[string, bigint, unknown]>([
    ['in a flash loan', 2n, 'AccountInFlashloan'],
    ['in receivership', 16n, 'ForbiddenIx'],
    ['whose order is executed', 128n, 'ForbiddenIx'],
    ['that is frozen', 64n, 'AccountFrozen'],
  ])('refuses an account %s', (_, flags, error) => {
    setU64(party.account, 1_800, flags);
    expect(errorOf(chain.send(party.wallet, transfer(addressOf(51))))).toBe(error);
  });

  it('refuses another fee wallet', () => {
    const instruction = encodeInstruction(
      transferToNewAccount,
      MARGINFI_PROGRAM,
      { ...accounts(addressOf(51)), globalFeeWallet: addressOf(53) },
      {},
    );
    expect(errorOf(chain.send(party.wallet, instruction))).toBe('InvalidFeeAta');
  });
});
