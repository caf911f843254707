import { NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { LoadedOracle, P0Bank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { recallOracle } from './oracles.ts';

const ANSWER = { kind: 'refused', reason: 'feed_missing', programError: null } as unknown as LoadedOracle;
const AT = { moment: { slot: 5n, unixTimestamp: 100n }, version: NEWEST_VERSION as ProgramVersion };

function account(data: Uint8Array, change: Partial<InstructionAccount> = {}): InstructionAccount {
  return { data, lamports: 1n, isUntouched: true, ...change } as InstructionAccount;
}

describe('recallOracle', () => {
  const data = new Uint8Array(3);
  const ask = (bank: P0Bank, accounts: readonly InstructionAccount[], at = AT) => {
    let loads = 0;
    recallOracle(bank, accounts, at, () => {
      loads += 1;
      return ANSWER;
    });
    return loads;
  };

  it('reads once while nothing changes', () => {
    const bank = {} as P0Bank;
    expect([ask(bank, [account(data)]), ask(bank, [account(data)])]).toEqual([1, 0]);
  });

  it.each<[string, readonly InstructionAccount[], typeof AT]>([
    ['the slot', [account(data)], { ...AT, moment: { ...AT.moment, slot: 6n } }],
    ['the time', [account(data)], { ...AT, moment: { ...AT.moment, unixTimestamp: 101n } }],
    ['the program', [account(data)], { ...AT, version: '0.1.10' }],
    ['the bytes', [account(new Uint8Array(3))], AT],
    ['the lamports', [account(data, { lamports: 2n })], AT],
    ['the number of accounts', [account(data), account(data)], AT],
  ])('reads again when %s changed', (_, accounts, at) => {
    const bank = {} as P0Bank;
    ask(bank, [account(data)]);
    expect(ask(bank, accounts, at)).toBe(1);
  });

  it('reads anew for another bank, and what the running transaction wrote every time', () => {
    const bank = {} as P0Bank;
    ask(bank, [account(data)]);
    expect(ask({} as P0Bank, [account(data)])).toBe(1);
    const written = [account(data, { isUntouched: false })];
    expect([ask(bank, written), ask(bank, written)]).toEqual([1, 1]);
  });
});
