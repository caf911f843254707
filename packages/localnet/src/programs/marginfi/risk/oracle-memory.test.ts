import type { LoadedOracle, P0Bank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { recallOracle } from './oracle-memory.ts';

const ANSWER = { kind: 'refused', reason: 'feed_missing', programError: null } as unknown as LoadedOracle;
const MOMENT = { slot: 5n, unixTimestamp: 100n };

function account(data: Uint8Array, change: Partial<InstructionAccount> = {}): InstructionAccount {
  return { data, lamports: 1n, isUntouched: true, ...change } as InstructionAccount;
}

describe('recallOracle', () => {
  const data = new Uint8Array(3);
  const ask = (bank: P0Bank, accounts: readonly InstructionAccount[], moment = MOMENT) => {
    let loads = 0;
    recallOracle(bank, accounts, moment, () => {
      loads += 1;
      return ANSWER;
    });
    return loads;
  };

  it('reads once while nothing changes', () => {
    const bank = {} as P0Bank;
    expect([ask(bank, [account(data)]), ask(bank, [account(data)])]).toEqual([1, 0]);
  });

  it.each<[string, readonly InstructionAccount[], typeof MOMENT]>([
    ['the slot', [account(data)], { ...MOMENT, slot: 6n }],
    ['the time', [account(data)], { ...MOMENT, unixTimestamp: 101n }],
    ['the bytes', [account(new Uint8Array(3))], MOMENT],
    ['the lamports', [account(data, { lamports: 2n })], MOMENT],
    ['the number of accounts', [account(data), account(data)], MOMENT],
  ])('reads anew when %s changed', (_, accounts, moment) => {
    const bank = {} as P0Bank;
    ask(bank, [account(data)]);
    expect(ask(bank, accounts, moment)).toBe(1);
  });

  it('reads anew for another bank, and what the running transaction wrote every time', () => {
    const bank = {} as P0Bank;
    ask(bank, [account(data)]);
    expect(ask({} as P0Bank, [account(data)])).toBe(1);
    const written = [account(data, { isUntouched: false })];
    expect([ask(bank, written), ask(bank, written)]).toEqual([1, 1]);
  });
});
