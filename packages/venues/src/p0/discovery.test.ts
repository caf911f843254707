import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { address, getAddressEncoder } from '@solana/kit';
import { SYSVAR_RENT_ADDRESS } from '@solana/sysvars';
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount, FEED, GROUP, VAULT } from '#testing/made-bank.ts';
import { bankOfSetup, ON_RAMP, STAKE, VENUE_ACCOUNT } from '#testing/made-oracles.ts';
import { decodeBank } from './decode-bank.ts';
import { accountFilters, accountsOfBank, bankFilters, priceFeedOf } from './discovery.ts';

const NO_KEY = address('11111111111111111111111111111111');
const bankWith = (config: Parameters<typeof bankAccount>[0]) => decodeBank(bankAccount(config), MARGINFI_PROGRAM);
const matches = (group: typeof GROUP, data: Uint8Array) =>
  bankFilters(group).every(({ offset, bytes }) => bytes.every((byte, index) => data[offset + index] === byte));

describe('bankFilters', () => {
  it('finds the banks of the group and no other', () => {
    expect(matches(GROUP, bankAccount().data)).toBe(true);
    expect(matches(GROUP, bankAccount({ group: BANK }).data)).toBe(false);
    expect(matches(GROUP, bankAccount().data.fill(0, 0, 8))).toBe(false);
  });
});

describe('accountFilters', () => {
  const account = new Uint8Array(2312);
  account.set(marginfiAccountLayout.discriminator);
  account.set(getAddressEncoder().encode(GROUP), 8);
  account.set(getAddressEncoder().encode(VAULT), 40);
  const finds = (...asked: Parameters<typeof accountFilters>) =>
    accountFilters(...asked).every(({ offset, bytes }) => bytes.every((byte, at) => account[offset + at] === byte));

  it('finds the accounts of the group, and of the authority if it is named', () => {
    expect(finds(GROUP)).toBe(true);
    expect(finds(GROUP, VAULT)).toBe(true);
    expect(finds(BANK)).toBe(false);
    expect(finds(GROUP, BANK)).toBe(false);
  });
});

describe('accountsOfBank', () => {
  it('lists the bank, its feed and its vault', () => {
    expect(accountsOfBank(bankWith({}))).toEqual([BANK, FEED, VAULT]);
  });

  it('has no feed for a fixed price, and leaves out the vault of an integration bank', () => {
    expect(accountsOfBank(bankWith({ config: { oracleSetup: 8 } }))).toEqual([BANK, VAULT]);
    const oracleKeys = [FEED, GROUP, NO_KEY, NO_KEY, NO_KEY];
    expect(accountsOfBank(bankWith({ config: { oracleSetup: 6, assetTag: 3, oracleKeys } }))).toEqual([
      BANK,
      FEED,
      GROUP,
    ]);
  });

  it('adds what rent costs where a staked bank counts its on-ramp', () => {
    const listed = accountsOfBank(bankOfSetup(5, { flags: 1n << 10n }));
    expect(listed).toEqual(
      [BANK, FEED, VENUE_ACCOUNT, STAKE, ON_RAMP, SYSVAR_RENT_ADDRESS, VAULT].filter(
        (key, at, all) => all.indexOf(key) === at,
      ),
    );
  });
});

describe('priceFeedOf', () => {
  it('is the first key of a Pyth push or Switchboard pull bank', () => {
    expect(priceFeedOf(bankWith({ config: { oracleSetup: 3 } }))).toBe(FEED);
    expect(priceFeedOf(bankWith({ config: { oracleSetup: 4 } }))).toBe(FEED);
  });

  it('is none for retired feeds', () => {
    expect(priceFeedOf(bankWith({ config: { oracleSetup: 1 } }))).toBeNull();
  });
});
