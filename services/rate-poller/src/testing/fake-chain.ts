import type { AccountUpdate, Chain } from '@lending/chain';
import type { Address } from '@solana/kit';
import { type AccountContent, NOW } from './accounts.ts';

export interface FakeChain {
  readonly chain: Chain;
  readonly accounts: Map<Address, AccountContent>;
  /** Slot of the newest answer; every answer is one slot later than the one before. */
  slot: bigint;
  /** What the clock says, in seconds; it moves only when it is set. */
  unixTimestamp: bigint;
  /** Called before each answer, and may fail it. */
  onRead: (method: 'fetchAccountGroups' | 'fetchProgramAccounts') => void;
  readonly reads: string[];
  /** Addresses of each group asked for. */
  readonly asked: (readonly Address[])[];
}

/** Accounts in memory behind the part of `Chain` that is used here; the rest throws. */
export function createFakeChain(): FakeChain {
  const update = (address: Address): AccountUpdate | null => {
    const content = fake.accounts.get(address);
    return content === undefined ? null : { address, slot: fake.slot, lamports: 1n, ...content };
  };
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const fake: FakeChain = {
    accounts: new Map(),
    slot: 100n,
    unixTimestamp: NOW,
    onRead: () => undefined,
    reads: [],
    asked: [],
    chain: {
      source: 'localnet',
      host: 'fake:8899',
      get rpc(): Chain['rpc'] {
        return unused();
      },
      fetchAccounts: unused,
      fetchGenesisHash: unused,
      fetchSlot: unused,
      describeNode: unused,
      assertSameCluster: unused,
      getHighestSlot: unused,
      watchProgramAccounts: unused,
      async fetchAccountGroups(groups) {
        fake.reads.push('fetchAccountGroups');
        fake.asked.push(...groups);
        fake.onRead('fetchAccountGroups');
        fake.slot += 1n;
        const { slot, unixTimestamp } = fake;
        return groups.map((group) => ({ slot, unixTimestamp, accounts: group.map((address) => update(address)) }));
      },
      async fetchProgramAccounts(program, filters) {
        fake.reads.push('fetchProgramAccounts');
        fake.onRead('fetchProgramAccounts');
        fake.slot += 1n;
        const accounts = [...fake.accounts.keys()]
          .map((address) => update(address) as AccountUpdate)
          .filter(({ owner }) => owner === program)
          .filter(({ data }) =>
            filters.every(
              (filter) =>
                filter.kind === 'content' && filter.bytes.every((byte, at) => data[filter.offset + at] === byte),
            ),
          );
        return { slot: fake.slot, accounts };
      },
    },
  };
  return fake;
}
