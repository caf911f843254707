import { describeError, LendingError } from '@lending/errors';
import { anyAddress, bankContent, createFakeChain, GROUP } from '@lending/fakes';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { createBankList } from './bank-list.ts';

const [BANK, OTHER] = [anyAddress(1), anyAddress(2)];
const { signal } = new AbortController();

function createMarket({ maxAgeMs = 60_000 } = {}) {
  const fake = createFakeChain();
  fake.accounts.set(BANK, bankContent());
  const rejected: [string, string][] = [];
  const searches: unknown[] = [];
  const list = createBankList({
    chain: fake.chain,
    program: MARGINFI_PROGRAM,
    group: GROUP,
    maxAgeMs,
    onReject: (bank, error) => void rejected.push([bank, describeError(error)]),
    onSearch: (error) => void searches.push(error),
  });
  const addresses = async () => (await list.get('p0', signal)).map(({ address }) => address);
  return { fake, list, rejected, searches, addresses };
}

describe('createBankList', () => {
  it('searches the group at first, and not again while the list is young', async () => {
    const { fake, addresses } = createMarket();
    fake.accounts.set(anyAddress(9), bankContent({ group: OTHER }));
    expect(await addresses()).toEqual([BANK]);
    fake.accounts.set(OTHER, bankContent());
    expect(await addresses()).toEqual([BANK]);
    expect(fake.reads).toEqual(['fetchProgramAccounts']);
  });

  it('searches again when the list is too old: finds new banks and forgets closed ones', async () => {
    const { fake, list, addresses } = createMarket({ maxAgeMs: 30 });
    expect(await addresses()).toEqual([BANK]);
    fake.accounts.set(OTHER, bankContent());
    fake.accounts.delete(BANK);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(await addresses()).toEqual([BANK]);
    await list.idle();
    expect(await addresses()).toEqual([OTHER]);
    expect(fake.reads).toHaveLength(2);
  });

  it('keeps an old list while the search fails, says so, and searches again', async () => {
    const { fake, list, searches, addresses } = createMarket({ maxAgeMs: 0 });
    expect(await addresses()).toEqual([BANK]);
    const failure = new LendingError('CHAIN__RPC_UNAVAILABLE');
    fake.onRead = () => {
      throw failure;
    };
    fake.accounts.set(OTHER, bankContent());
    for (let round = 0; round < 2; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(await addresses()).toEqual([BANK]);
      await list.idle();
    }
    expect(searches).toEqual([null, failure, failure]);
    fake.onRead = () => undefined;
    await addresses();
    await list.idle();
    expect(await addresses()).toEqual([BANK, OTHER]);
    expect(searches.slice(3)).toContain(null);
  });

  it('does not wait for a search that hangs, and starts no other beside it', async () => {
    const { fake, list, addresses } = createMarket({ maxAgeMs: 0 });
    await addresses();
    const answer = Promise.withResolvers<never>();
    let asked = 0;
    const fetchProgramAccounts = () => {
      asked += 1;
      return answer.promise;
    };
    Object.assign(fake.chain, { fetchProgramAccounts });
    for (let round = 0; round < 3; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      expect(await addresses()).toEqual([BANK]);
    }
    expect(asked).toBe(1);
    answer.reject(new LendingError('CHAIN__RPC_TIMED_OUT'));
    await list.idle();
  });

  it('searches again beside when told that the list will not do', async () => {
    const { fake, list, addresses } = createMarket();
    fake.accounts.clear();
    expect(await addresses()).toEqual([]);
    fake.accounts.set(BANK, bankContent());
    expect(await addresses()).toEqual([]);
    list.expire();
    expect(await addresses()).toEqual([]);
    await list.idle();
    expect(await addresses()).toEqual([BANK]);
    expect(fake.reads).toHaveLength(2);
  });

  it('names a bank that cannot be read, and lists its neighbours', async () => {
    const { fake, rejected, addresses } = createMarket();
    const { owner, data } = bankContent();
    fake.accounts.set(OTHER, { owner, data: data.subarray(0, 1_000) });
    expect(await addresses()).toEqual([BANK]);
    expect(rejected).toEqual([[OTHER, expect.stringMatching(/^DECODE__ACCOUNT_MALFORMED: .* 1000 bytes/)]]);
  });

  it('finds the banks of all venues with one search, and answers each venue its own', async () => {
    const { fake, list, rejected } = createMarket();
    const tags = [3, 4, 5, 6];
    for (const [nth, assetTag] of tags.entries())
      fake.accounts.set(anyAddress(10 + nth), bankContent({ config: { assetTag } }));
    const venues = ['p0', 'kamino', 'drift', 'solend', 'juplend'] as const;
    const answers = await Promise.all(venues.map((venue) => list.get(venue, signal)));
    expect(answers.map((banks) => banks.map(({ address }) => address))).toEqual([
      [BANK],
      ...tags.map((_, nth) => [anyAddress(10 + nth)]),
    ]);
    expect(fake.reads).toEqual(['fetchProgramAccounts']);
    expect(rejected).toEqual([]);
  });

  it('keeps a fresher reading of a bank it lists, and of no other', async () => {
    const { list } = createMarket();
    await list.get('p0', signal);
    const decode = (address: typeof BANK) => decodeBank({ address, ...bankContent({ feed: OTHER }) }, MARGINFI_PROGRAM);
    list.update(decode(BANK));
    list.update(decode(OTHER));
    const listed = await list.get('p0', signal);
    expect(listed.map(({ address, oracle }) => [address, oracle.keys[0]])).toEqual([[BANK, OTHER]]);
  });

  it('fails with the search, and searches again', async () => {
    const { fake, addresses } = createMarket();
    fake.onRead = () => {
      throw new LendingError('CHAIN__RPC_UNAVAILABLE');
    };
    await expect(addresses()).rejects.toMatchObject({ code: 'CHAIN__RPC_UNAVAILABLE' });
    fake.onRead = () => undefined;
    expect(await addresses()).toEqual([BANK]);
  });
});
