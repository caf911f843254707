import type { FollowRequest } from '@lending/store';
import { afterEach, describe, expect, it } from 'vitest';
import { ACCOUNT, accountRow, balanceRow, OTHER_ACCOUNT, UNEVEN_MEASURES, WALLET } from '../../testing/account-rows.ts';
import { USDC_BANK } from '../../testing/bank-row.ts';
import { type AccountsWorld, answeredFollow, createAccountsApp, followRow } from '../../testing/test-app.ts';
import { ask } from '../testing/ask.ts';

let app: Awaited<ReturnType<typeof createAccountsApp>>;
afterEach(() => app.close());

const QUERY = `query ($address: PublicKey!) { account(address: $address) { address isClosed updatedSlot } }`;

/** An app that tells what it asked to be followed. */
async function serve(world: AccountsWorld) {
  const asked: Pick<FollowRequest, 'address' | 'aspect'>[] = [];
  app = await createAccountsApp({
    ...world,
    store: {
      requestFollow: async ({ address, aspect }) => {
        asked.push({ address, aspect });
        const own = (world.accounts ?? []).filter((row) => row.address === address || row.authority === address);
        const accounts = own.map((row) => row.address);
        return { kind: 'known', follow: answeredFollow(address, aspect, accounts) };
      },
      ...world.store,
    },
  });
  return asked;
}

describe('account', () => {
  it('that is in the tables is followed all the same, so that it does not grow old', async () => {
    const asked = await serve({ accounts: [accountRow()] });
    const { data } = await ask(app, QUERY, { address: ACCOUNT });
    expect(data.account.updatedSlot).toBe(400_000_990);
    expect(asked).toEqual([{ address: ACCOUNT, aspect: 'accounts' }]);
  });

  it('that was closed is shown closed', async () => {
    await serve({ accounts: [accountRow({ is_closed: true, balances: [] })] });
    expect((await ask(app, QUERY, { address: ACCOUNT })).data.account).toMatchObject({ isClosed: true });
  });

  it('that is still being read is not called absent', async () => {
    await serve({
      store: { requestFollow: async ({ address, aspect }) => ({ kind: 'new', follow: followRow(address, aspect) }) },
    });
    const { data, errors } = await ask(app, QUERY, { address: ACCOUNT });
    expect(data.account).toBeNull();
    expect(errors[0]?.extensions).toMatchObject({ code: 'DATA_STALE', retryable: true });
  });

  it.each([
    ['a wallet', WALLET],
    ['nobody’s', 'Vote111111111111111111111111111111111111111'],
    ['a bank', USDC_BANK],
  ])('at an address that is %s is not found, by name', async (_name, address) => {
    await serve({ accounts: [accountRow()] });
    const { data, errors } = await ask(app, QUERY, { address });
    expect(data.account).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ path: ['account'], extensions: { code: 'ACCOUNT_NOT_FOUND' } });
  });
});

describe('lists', () => {
  it('value each account as of its own oldest measure, and are as old as the oldest', async () => {
    const debt = balanceRow({ bank: USDC_BANK, asset_shares: '0', liability_shares: '600000000' });
    await serve({
      store: {
        listBankMeasures: async () => UNEVEN_MEASURES,
        listAccounts: async () => [accountRow({ balances: [debt] }), accountRow({ address: OTHER_ACCOUNT })],
      },
    });
    const { data, errors } = await ask(app, '{ accounts { asOf { slot } nodes { positions { amountRaw } } } }');
    expect(errors).toEqual([]);
    expect(data.accounts).toEqual({
      asOf: { slot: 400_000_500 },
      nodes: [
        { positions: [{ amountRaw: '600011999' }] },
        { positions: [{ amountRaw: '10000049999' }, { amountRaw: '600005999' }] },
      ],
    });
  });

  it('follow nobody', async () => {
    const asked = await serve({
      store: {
        listAccounts: async () => [accountRow()],
        listBalances: async () => [],
        listActivity: async () => [],
        listNewestActivity: async () => [],
      },
    });
    const { data, errors } = await ask(
      app,
      `{ accounts(filter: { authority: "${WALLET}" }) { isComplete asOf { slot } nodes { address activity { id } } }
         balances(filter: { account: ["${ACCOUNT}"] }) { nodes { bank } }
         activity(filter: { account: ["${ACCOUNT}"] }) { asOf { slot } nodes { id } } }`,
    );
    expect(errors).toEqual([]);
    expect(data.accounts).toMatchObject({ isComplete: false, nodes: [{ address: ACCOUNT }] });
    expect(asked).toEqual([]);
  });
});
