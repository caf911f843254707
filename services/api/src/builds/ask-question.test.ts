import type { ReadOptions } from '@lending/chain';
import { NONE_RELAXED } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { NEWEST_VERSION } from '@lending/programs';
import type { ReadQuestion } from '@lending/transactions';
import { accountFilters } from '@lending/venues';
import { type Address, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, OTHER_ACCOUNT, WALLET } from '../testing/account-rows.ts';
import { SOL_BANK } from '../testing/bank-row.ts';
import { PROGRAM } from '../testing/fake-builds.ts';
import { askQuestion } from './ask-question.ts';
import type { BuildDeps, KnownAccounts } from './build-deps.ts';

const GROUP = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
const DEPOSIT = { banks: [address(SOL_BANK)], opens: 'where_missing' } as const;
const own = (account: string) => ({ address: address(account), banks: [address(SOL_BANK)] });

function open(known: KnownAccounts, listed: readonly string[] = [], failure: LendingError | null = null) {
  const asked: unknown[] = [];
  const deps = {
    program: PROGRAM,
    programWatch: { version: async () => NEWEST_VERSION },
    relaxed: () => NONE_RELAXED,
    group: GROUP,
    lookupTables: [],
    tables: {
      accountsOf: async () => known,
      banksOfAccount: async () => null,
    },
    chain: {
      async listProgramAccounts(program: Address, filters: unknown, { minContextSlot }: ReadOptions) {
        asked.push([program, filters, minContextSlot]);
        if (failure !== null) throw failure;
        return { slot: 1n, addresses: listed.map((each) => address(each)) };
      },
    },
  } as unknown as BuildDeps;
  const ask = (changes: Partial<ReadQuestion> = {}) => {
    const whose = { authority: address(WALLET), account: null, accountIndex: null, ...changes };
    return askQuestion(deps, whose, { ...DEPOSIT, ...changes });
  };
  return { ask, asked };
}

describe('askQuestion', () => {
  it('takes the tables’ accounts where those are all', async () => {
    const { ask, asked } = open({ accounts: [own(ACCOUNT)], isComplete: true }, [OTHER_ACCOUNT]);
    expect(await ask()).toMatchObject({ question: { knownAccounts: [ACCOUNT], heldBanks: [SOL_BANK] }, waves: 0 });
    expect(asked).toEqual([]);
  });

  it('has the chain list the wallet’s accounts where the tables may lack some', async () => {
    const { ask, asked } = open({ accounts: [own(ACCOUNT)], isComplete: false }, [OTHER_ACCOUNT, ACCOUNT]);
    expect(await ask()).toMatchObject({ question: { knownAccounts: [ACCOUNT, OTHER_ACCOUNT] }, waves: 1 });
    expect(asked).toEqual([[PROGRAM, accountFilters(GROUP, address(WALLET)), 'highest-seen']]);
  });

  it('lists nothing where no account is chosen among several', async () => {
    const { ask, asked } = open({ accounts: [], isComplete: false }, [OTHER_ACCOUNT]);
    await ask({ account: address(ACCOUNT) });
    await ask({ accountIndex: 3 });
    await ask({ opens: 'always' });
    expect(asked).toEqual([]);
    const several = open({ accounts: [own(ACCOUNT), own(OTHER_ACCOUNT)], isComplete: false });
    expect(await several.ask()).toMatchObject({ waves: 0, question: { knownAccounts: [ACCOUNT, OTHER_ACCOUNT] } });
    expect(several.asked).toEqual([]);
  });

  it('asks for the account where the node lists none', async () => {
    const { ask } = open({ accounts: [], isComplete: false }, [], new LendingError('CHAIN__RPC_INVALID'));
    await expect(ask()).rejects.toMatchObject({ code: 'DATA__UNAVAILABLE', context: { field: 'account' } });
  });
});
