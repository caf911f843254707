import { createHash } from 'node:crypto';
import { totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import {
  findMintExtension,
  getAddressBytes,
  MARGINFI_PROGRAM,
  MINT_EXTENSION,
  SINGLE_POOL_PROGRAM,
  tokenAccountLayout,
  transferFeeConfigLayout,
} from '@lending/programs';
import { decodeBank, loadOracle, oracleAccountsOf, type P0Bank } from '@lending/venues';
import { type Address, createKeyPairFromPrivateKeyBytes, getAddressFromPublicKey } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { errorOf, expectDone } from '#programs/marginfi/testing/expect-outcome.ts';
import { MarketChain } from '#programs/marginfi/testing/market-chain.ts';
import type { DemoBank } from './demo-bank.ts';
import { createDemoMarket, DEMO_BANKS } from './demo-market.ts';
import * as act from './lending-instructions.ts';
import { PRACTICE_BANKS } from './practice-banks.ts';
import { DEMO_TOKENS } from './tokens.ts';
import { venueInstructionsOf } from './venue-instructions/of-bank.ts';

const opened = await MarketChain.open();
const DOLLAR = 1_000_000n;
const vaultOf = (ticker: string, chain = opened) =>
  tokenAccountLayout.decode(chain.data(chain.bank(ticker).liquidityVault)).amount;

/** What an oracle says on a chain where every byte costs rent. */
function priceOf(ticker: string) {
  const bank = opened.bank(ticker);
  const accounts = oracleAccountsOf(bank).map((address) => {
    const state = opened.accounts.get(address);
    return state === undefined ? null : { address, ...state };
  });
  return loadOracle(bank, accounts, { ...opened.context, rentLamportsPerByte: 6_960n });
}

describe('PRACTICE_BANKS', () => {
  it.each(['LEVY', 'FULL', 'LENT', 'DRY'] as const)('keeps %s under a key that everybody knows', async (name) => {
    const secret = createHash('sha256').update(`lending demo mint: ${name}`).digest();
    const { publicKey } = await createKeyPairFromPrivateKeyBytes(secret);
    expect(await getAddressFromPublicKey(publicKey)).toBe(DEMO_TOKENS[name].mint);
  });

  it('charges one percent of transfers of LEVY, and no more than 25', () => {
    const extension = findMintExtension(opened.data(DEMO_TOKENS.LEVY.mint), MINT_EXTENSION.transferFeeConfig);
    const config = transferFeeConfigLayout.decode(extension ?? new Uint8Array());
    const fee = { epoch: 0n, maximumFee: 25n * DOLLAR, transferFeeBasisPoints: 100 };
    expect(config).toMatchObject({ olderTransferFee: fee, newerTransferFee: fee });
  });

  it.each([
    ['at once', 0n],
    ['after a year', 365n * 86_400n],
  ])('leaves little room in one bank, little to borrow in another and little in a third %s', async (_, seconds) => {
    const market = await createDemoMarket({ unixTimestamp: opened.context.unixTimestamp + seconds });
    const dataOf = (address: Address) => market.genesis.accounts.get(address)?.data ?? new Uint8Array();
    const bankOf = (token: string) => {
      const { address } = opened.bank(token);
      return decodeBank({ address, owner: MARGINFI_PROGRAM, data: dataOf(address) }, MARGINFI_PROGRAM);
    };
    const [full, lent, dry] = ['FULL', 'LENT', 'DRY'].map(bankOf) as [P0Bank, P0Bank, P0Bank];
    const room = (limit: bigint, used: bigint) => Number(limit - (used >> 48n)) / 1e6;
    expect(room(1_000_000n * DOLLAR, totalAssetsOf(full.shares))).toBeCloseTo(750, -1);
    expect(room(1_000_000n * DOLLAR, totalLiabilitiesOf(lent.shares))).toSatisfy((left) => left > 380 && left <= 400);
    expect(tokenAccountLayout.decode(dataOf(dry.liquidityVault)).amount).toBe(250n * DOLLAR);
  });

  it('takes from whoever deposits LEVY what the transfer costs on top', async () => {
    const chain = opened.fork();
    const party = await chain.addParty({ LEVY: 1_000n * DOLLAR });
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('LEVY'), 99n * DOLLAR)));
    expect(await chain.tokens(party.wallet, 'LEVY')).toBe(900n * DOLLAR);
    expect(vaultOf('LEVY', chain) - vaultOf('LEVY')).toBe(99n * DOLLAR);
    const list = chain.healthAccounts(party.account);
    expectDone(chain.send(party.wallet, act.withdraw(party, chain.bank('LEVY'), 49_500_000n, list)));
    expect(await chain.tokens(party.wallet, 'LEVY')).toBe(949_500_000n);
  });

  it.each(
    PRACTICE_BANKS.flatMap((row) => (row.singlePool === undefined ? [] : [[row.token, row.singlePool] as const])),
  )('derives the pool of %s as the single pool program does', (token, singlePool) => {
    const find = (seed: string, key: Address) =>
      findProgramAddress([new TextEncoder().encode(seed), getAddressBytes(key)], SINGLE_POOL_PROGRAM).address;
    const pool = find('pool', singlePool.vote);
    expect([find('mint', pool), find('stake', pool), find('onramp', pool)]).toEqual([
      DEMO_TOKENS[token].mint,
      singlePool.stake,
      singlePool.onRamp,
    ]);
  });

  it('prices staked tokens by their pool, and counts the on-ramp of the bank that says so', () => {
    expect(priceOf('MRGN2')).toMatchObject({ kind: 'loaded', staleError: null });
    const [delegated, counted] = ['MRGN2', 'MRGN4'].map((ticker) => {
      const oracle = priceOf(ticker);
      return oracle.kind === 'loaded' ? Number((oracle.multiplier * 1_000_000n) >> 48n) : null;
    });
    expect(delegated).toBe(1_046_299);
    // One SOL to begin with and twelve and a half on the way, over 36,000 tokens.
    expect(counted).toBe(1_046_674);
  });

  it('lets nothing but SOL lie beside staked collateral', async () => {
    const chain = opened.fork();
    const party = await chain.addParty({ MRGN2: 10n ** 9n, USDC: 10n * DOLLAR, SOL: 10n ** 9n });
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('MRGN2'), 10n ** 8n)));
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('SOL'), 10n ** 8n)));
    expect(errorOf(chain.send(party.wallet, act.deposit(party, chain.bank('USDC'), DOLLAR)))).toBe('AssetTagMismatch');
  });

  it.each(PRACTICE_BANKS.filter(({ venueAccount }) => venueAccount !== undefined))(
    'takes deposits on $description',
    async ({ address, token }) => {
      const chain = opened.fork();
      const party = await chain.addParty({ [token]: 10n ** 9n });
      expectDone(chain.send(party.wallet, act.initializeAccount(party)));
      const bank = chain.bankAt(address);
      const { refresh, deposit } = venueInstructionsOf(bank);
      const read = (account: Address) => chain.data(account);
      expectDone(chain.send(party.wallet, ...refresh(bank, read), ...deposit(party, bank, 10n ** 7n, read)));
      expect(await chain.tokens(party.wallet, token)).toBe(10n ** 9n - 10n ** 7n);
    },
  );
});

describe('the banks of the demo market together', () => {
  const onVenues = DEMO_BANKS.filter(({ assetTag, state }) => assetTag > 2 && state === 'Operational');
  const funds = Object.fromEntries(Object.keys(DEMO_TOKENS).map((token) => [token, 10n ** 9n]));

  it('are enough to hold more receipts than an account may', async () => {
    const chain = opened.fork();
    const party = await chain.addParty(funds);
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    const read = (account: Address) => chain.data(account);
    const supply = (row: DemoBank | undefined) => {
      const bank = chain.bankAt(row?.address as Address);
      const { refresh, deposit } = venueInstructionsOf(bank);
      return chain.send(party.wallet, ...refresh(bank, read), ...deposit(party, bank, 10n ** 7n, read));
    };
    for (const row of onVenues.slice(0, 4)) expectDone(supply(row));
    expect(errorOf(supply(onVenues[4]))).toBe('CostlyPositionLimitExceeded');
  });
});
