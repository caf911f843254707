import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bankAddress, createMadeMarket, feedAddress } from '#testing/made-market.ts';
import { healthAccounts } from './health-accounts.ts';

const market = createMadeMarket();
// By their text these addresses come in another order than by their bytes.
const NUMBERS = [3, 0x0480_0000, 7, 0x5000_0000, 1];
for (const nth of NUMBERS) market.setBank(nth, { config: { oracleSetup: nth === 7 ? 8 : 3 } });
const bankOf = (nth: number) => {
  const address = bankAddress(nth);
  const account = market.accounts.get(address);
  if (account === undefined) throw new TypeError(`No bank ${nth}`);
  return decodeBank({ address, ...account }, MARGINFI_PROGRAM);
};
const groupOf = (nth: number): readonly Address[] => [bankAddress(nth), ...(nth === 7 ? [] : [feedAddress(nth)])];

describe('the health list', () => {
  it('has each bank with its oracle accounts, by the bytes of the banks, the largest first', () => {
    const byBytes = [0x5000_0000, 0x0480_0000, 7, 3, 1];
    expect(byBytes.map(bankAddress)).not.toEqual(byBytes.map(bankAddress).toSorted().toReversed());
    expect(healthAccounts(NUMBERS.map(bankOf))).toEqual(byBytes.flatMap(groupOf));
  });

  it('has a bank that is closed behind all others, wherever it would sort', () => {
    expect(healthAccounts([1, 3].map(bankOf), bankOf(0x5000_0000))).toEqual([3, 1, 0x5000_0000].flatMap(groupOf));
  });

  it('is empty without balances', () => {
    expect(healthAccounts([])).toEqual([]);
  });
});
