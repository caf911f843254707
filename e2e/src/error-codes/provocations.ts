import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_FLAG, ASSET_TAG, toUiAmount } from '@lending/domain';
import { findFeeState, MARGINFI_MAIN_GROUP, PYTH_RECEIVER_PROGRAM, releaseOf } from '@lending/programs';
import { upsertBankAudits } from '@lending/store';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import type { BuildersWorld } from '../builders/builders-world.ts';
import { createDice } from '../builders/dice.ts';
import { editTerms } from '../builders/edit-chain.ts';
import { giveTokens } from '../builders/endow.ts';
import { setFeedAge } from '../builders/feed-age.ts';
import { fund, makeAccount } from '../builders/made-wallet.ts';
import { baseWorth } from '../builders/worth.ts';
import { findPair, PAIRS, type Pair } from '../leverage/pairs.ts';
import { askRest, build, type Provocation } from './provoked.ts';
import type { TwoDoors } from './two-doors.ts';

const SOL = 1_000_000_000n;
const dice = createDice('error codes');

const pairOf = (world: BuildersWorld, name = 'SOL on dollars'): Pair => {
  const named = PAIRS.find((each) => each.name === name);
  if (named === undefined) throw new TypeError(`There is no pair ${name}`);
  return findPair(world, named);
};
const isPlain = ({ venue, assetTag, operationalState, weights }: P0Bank) =>
  venue === 'p0' && assetTag !== ASSET_TAG.staked && operationalState === 'Operational' && weights.assetInit > 0n;

/** A wallet with a hundred SOL, and so much of a bank's token. */
async function walletWith(world: BuildersWorld, bank?: P0Bank, usd = 0): Promise<KeyPairSigner> {
  const wallet = await dice.wallet();
  const tokens = bank === undefined ? [] : [[bank, baseWorth(world.ledger, bank, usd)] as const];
  await fund(world.ledger, wallet, 100n * SOL, tokens);
  return wallet;
}

/** So many dollars of a bank's token, as callers write them. */
function worth({ ledger }: BuildersWorld, bank: P0Bank, usd: number): string {
  return toUiAmount(baseWorth(ledger, bank, usd), bank.decimals);
}

/** A wallet with 1,000 USD of SOL deposited and a debt in dollars. */
async function borrower(world: BuildersWorld, owedUsd: number, heldUsd = 1_000) {
  const { deposit, borrow } = pairOf(world);
  const wallet = await walletWith(world, borrow, 5_000);
  const debts = owedUsd === 0 ? [] : [{ bank: borrow, side: 'liability' as const, usd: owedUsd }];
  await makeAccount(world.ledger, wallet.address, [{ bank: deposit, side: 'asset', usd: heldUsd }, ...debts]);
  world.settle();
  return { deposit, borrow, wallet, authority: wallet.address };
}

/** A call that loops SOL on dollars. */
async function loop(world: BuildersWorld, leverage: string) {
  const { deposit, borrow } = pairOf(world);
  const wallet = await walletWith(world);
  world.settle();
  const banks = { deposit_bank: deposit.address, borrow_bank: borrow.address };
  return build('loop', { authority: wallet.address, ...banks, amount: 1, leverage });
}

/** Every code that a builder's call can be refused with, and what refuses it. */
export const PROVOCATIONS: readonly Provocation[] = [
  {
    code: 'INVALID_ARGUMENT',
    name: 'a negative amount',
    details: ['field'],
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      return build('deposit', { authority, bank: deposit.address, amount: -1 });
    },
  },
  {
    code: 'BANK_NOT_FOUND',
    name: 'a bank that is a wallet',
    async arrange({ world }) {
      const { authority } = await borrower(world, 0);
      return build('borrow', { authority, bank: authority, amount: 1 });
    },
  },
  {
    code: 'ACCOUNT_NOT_FOUND',
    name: 'a wallet without a lending account',
    async arrange({ world }) {
      const { address } = await walletWith(world);
      world.settle();
      return build('withdraw', { authority: address, bank: pairOf(world).deposit.address, amount: 1 });
    },
  },
  {
    code: 'ACCOUNT_AMBIGUOUS',
    name: 'a wallet with two lending accounts',
    details: ['accounts'],
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      await makeAccount(world.ledger, authority, [{ bank: deposit, side: 'asset', usd: 10 }], { index: 1 });
      world.settle();
      return build('deposit', { authority, bank: deposit.address, amount: 1 });
    },
  },
  {
    code: 'IDEMPOTENCY_CONFLICT',
    name: 'a key that stands for another amount',
    async arrange(doors) {
      const { authority, deposit } = await borrower(doors.world, 0);
      const args = { authority, bank: deposit.address, idempotency_key: 'once' };
      const first = await askRest(doors, build('deposit', { ...args, amount: 1 }));
      if (first.status !== 200) throw new Error(`The first call failed: ${JSON.stringify(first.body)}`);
      return build('deposit', { ...args, amount: 2 });
    },
  },
  {
    code: 'BORROW_LIMIT_EXCEEDED',
    name: 'a loan that the collateral does not carry',
    details: ['max_borrow', 'limited_by'],
    async arrange({ world }) {
      const { authority, borrow } = await borrower(world, 0);
      return build('borrow', { authority, bank: borrow.address, amount: worth(world, borrow, 2_000) });
    },
  },
  {
    code: 'BORROW_LIMIT_EXCEEDED',
    name: 'a loop whose loan is above what the bank lends',
    details: ['max_borrow', 'limited_by'],
    async arrange({ world }) {
      const { borrow } = pairOf(world);
      const restore = editTerms(world.ledger, borrow.address, (config) => ({ ...config, borrowLimit: 1n }));
      return { ...(await loop(world, '2')), restore };
    },
  },
  {
    code: 'WITHDRAW_LIMIT_EXCEEDED',
    name: 'more than is deposited',
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      return build('withdraw', { authority, bank: deposit.address, amount: worth(world, deposit, 1_100) });
    },
  },
  {
    code: 'DEPOSIT_LIMIT_EXCEEDED',
    name: 'a bank that is full',
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      const restore = editTerms(world.ledger, deposit.address, (config) => ({ ...config, depositLimit: 1n }));
      world.settle();
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'REPAY_LIMIT_EXCEEDED',
    name: 'more than is owed',
    details: ['limited_by'],
    async arrange({ world }) {
      const { authority, borrow } = await borrower(world, 100);
      return build('repay', { authority, bank: borrow.address, amount: worth(world, borrow, 200) });
    },
  },
  {
    code: 'REPAY_LIMIT_EXCEEDED',
    name: 'more debt than one close repays',
    details: ['max_repay', 'cap_usd'],
    async arrange({ world }) {
      const { authority } = await borrower(world, 250_001, 1_000_000);
      return build('close_position', { authority, repay_all: true });
    },
  },
  {
    code: 'LEVERAGE_EXCEEDED',
    name: 'a leverage above the maximum of the pair',
    details: ['max_leverage'],
    arrange: ({ world }) => loop(world, '9'),
  },
  {
    code: 'INSUFFICIENT_BALANCE',
    name: 'a wallet without the tokens',
    async arrange({ world }) {
      const { borrow } = pairOf(world);
      const { address } = await walletWith(world, borrow, 10);
      world.settle();
      return build('deposit', { authority: address, bank: borrow.address, amount: worth(world, borrow, 20) });
    },
  },
  {
    code: 'INSUFFICIENT_COLLATERAL',
    name: 'collateral that does not pay for the debt',
    details: ['max_repay', 'limited_by'],
    async arrange({ world }) {
      const { deposit, borrow } = pairOf(world);
      const { address } = await walletWith(world);
      const other = pairOf(world, 'dollars at Kamino').deposit;
      const held = [deposit, other].map((bank, nth) => ({
        bank,
        side: 'asset' as const,
        usd: nth === 0 ? 100 : 1_000,
      }));
      await makeAccount(world.ledger, address, [...held, { bank: borrow, side: 'liability', usd: 300 }]);
      world.settle();
      return build('close_position', { authority: address, deposit_bank: deposit.address, repay_all: true });
    },
  },
  {
    code: 'BANK_NOT_BORROWABLE',
    name: 'a bank of another venue',
    async arrange({ world }) {
      const { authority } = await borrower(world, 0);
      return build('borrow', { authority, bank: pairOf(world, 'SOL at Kamino').deposit.address, amount: 1 });
    },
  },
  {
    code: 'BANK_PAUSED',
    name: 'a bank that its administrator paused',
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      const restore = editTerms(world.ledger, deposit.address, (config) => ({ ...config, operationalState: 0 }));
      world.settle();
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'ORACLE_STALE',
    name: 'a price that nobody brings up to date',
    async arrange({ world }) {
      const { ledger, feeds } = world;
      const { borrow } = pairOf(world);
      const pushed = (bank: P0Bank) =>
        bank.oracle.keys.find((key) => feeds.includes(key) && ledger.account(key)?.owner === PYTH_RECEIVER_PROGRAM);
      const bank = world.banks.find((each) => isPlain(each) && each !== borrow && pushed(each) !== undefined);
      const feed = bank === undefined ? undefined : pushed(bank);
      if (bank === undefined || feed === undefined) throw new TypeError('No bank has a feed that is pushed');
      const { address } = await walletWith(world);
      await makeAccount(ledger, address, [{ bank, side: 'asset', usd: 1_000 }]);
      setFeedAge(ledger, feed, 5_000n);
      world.settle();
      const restore = () => setFeedAge(ledger, feed, 0n);
      return { ...build('borrow', { authority: address, bank: borrow.address, amount: 1 }), restore };
    },
  },
  {
    code: 'ASSET_TAG_CONFLICT',
    name: 'dollars beside staked collateral',
    async arrange({ world }) {
      const { ledger, banks } = world;
      const staked = banks.find(({ assetTag }) => assetTag === ASSET_TAG.staked);
      const { borrow } = pairOf(world);
      if (staked === undefined) throw new TypeError('No bank takes staked collateral');
      const { address } = await walletWith(world, borrow, 100);
      await makeAccount(ledger, address, [{ bank: staked, side: 'asset', usd: 500 }]);
      world.settle();
      return build('deposit', { authority: address, bank: borrow.address, amount: 1 });
    },
  },
  {
    code: 'BALANCE_SLOTS_FULL',
    name: 'an account with sixteen balances',
    async arrange({ world }) {
      const { address, bank } = await portfolio(world, 16);
      return build('deposit', { authority: address, bank: bank.address, amount: worth(world, bank, 10) });
    },
  },
  {
    code: 'SWAP_ROUTE_UNAVAILABLE',
    name: 'aggregators that know no route',
    details: ['tried'],
    async arrange({ world }) {
      const restore = faultBoth(world, { kind: 'no_route' });
      return { ...(await loop(world, '2')), restore };
    },
  },
  {
    code: 'TX_TOO_LARGE',
    name: 'a loop beside many balances, without tables of addresses',
    details: ['bytes_over', 'transaction_version'],
    async arrange({ world }) {
      const { deposit, borrow } = pairOf(world);
      const { address } = await portfolio(world, 13);
      const banks = { deposit_bank: deposit.address, borrow_bank: borrow.address };
      return build('loop', { authority: address, ...banks, amount: 1, leverage: 1.5 });
    },
  },
  {
    code: 'SIMULATION_FAILED',
    name: 'tokens that their issuer froze',
    async arrange({ world }) {
      const { borrow } = pairOf(world);
      const { address } = await walletWith(world);
      await giveTokens(world.ledger, address, borrow, { amountBase: 10n ** 9n, isFrozen: true });
      world.settle();
      return build('deposit', { authority: address, bank: borrow.address, amount: 1 });
    },
  },
  {
    code: 'SIMULATION_FAILED',
    name: 'an account that is closed for good',
    async arrange({ world }) {
      const { deposit } = pairOf(world);
      const { address } = await walletWith(world);
      const flags = ACCOUNT_FLAG.disabled;
      const account = await makeAccount(world.ledger, address, [{ bank: deposit, side: 'asset', usd: 10 }], { flags });
      world.settle();
      return build('deposit', { authority: address, account, bank: deposit.address, amount: 1 });
    },
  },
  {
    code: 'POLICY_REFUSED',
    name: 'a health that the caller will not have',
    async arrange({ world }) {
      const { authority, borrow } = await borrower(world, 0);
      const policy = { min_health_ratio_after: 50 };
      return build('borrow', { authority, bank: borrow.address, amount: worth(world, borrow, 100), policy });
    },
  },
  {
    code: 'INTERNAL',
    name: 'a group that cannot be read',
    async arrange({ world: { ledger, settle, ...world } }) {
      const { authority, deposit } = await borrower({ ...world, ledger, settle }, 0);
      const group = ledger.account(MARGINFI_MAIN_GROUP);
      if (group === undefined) throw new TypeError('There is no group');
      const data = Uint8Array.from(group.data, (byte, index) => (index === 0 ? byte ^ 1 : byte));
      ledger.writeAccount(MARGINFI_MAIN_GROUP, { ...group, data });
      settle();
      const restore = () => ledger.writeAccount(MARGINFI_MAIN_GROUP, group);
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'UPSTREAM_UNAVAILABLE',
    name: 'aggregators that do not answer',
    async arrange({ world }) {
      const restore = faultBoth(world, { kind: 'down' });
      return { ...(await loop(world, '2')), restore };
    },
  },
  {
    code: 'UPSTREAM_UNAVAILABLE',
    name: 'a node that does not answer',
    async arrange({ world }) {
      const { authority, deposit } = await borrower(world, 0);
      world.localnet.setFault({ kind: 'error', code: -32_005, message: 'Node is unhealthy' });
      const restore = () => world.localnet.setFault(null);
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'DATA_STALE',
    name: 'tables in which nothing stands yet',
    arrange: async () => ({ tool: 'svc_get_banks', method: 'GET', path: '/v1/banks', args: {} }),
  },
  {
    code: 'DOC_NOT_FOUND',
    name: 'a page that nobody wrote',
    details: ['field', 'candidates'],
    arrange: async () => {
      const slug = 'borrow-safely';
      return { tool: 'svc_get_doc', method: 'GET', path: `/v1/docs/${slug}`, args: { slug } };
    },
  },
  {
    code: 'PROGRAM_UPGRADING',
    name: 'a bank that is not lengthened yet',
    details: ['program'],
    async arrange({ world: { ledger, settle, ...world } }) {
      const { authority, deposit } = await borrower({ ...world, ledger, settle }, 0);
      const bank = ledger.account(deposit.address);
      if (bank === undefined) throw new TypeError('There is no bank');
      ledger.writeAccount(deposit.address, { ...bank, data: bank.data.slice(0, releaseOf('0.1.11').sizes.bank) });
      settle();
      const restore = () => ledger.writeAccount(deposit.address, bank);
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'PROGRAM_UNSUPPORTED',
    name: 'a fee state as long as no version makes it',
    details: ['program'],
    async arrange({ world: { ledger, settle, ...world } }) {
      const { authority, deposit } = await borrower({ ...world, ledger, settle }, 0);
      const [feeState] = await findFeeState();
      const before = ledger.account(feeState);
      if (before === undefined) throw new TypeError('There is no fee state');
      ledger.writeAccount(feeState, { ...before, data: Uint8Array.from([...before.data, ...new Uint8Array(180)]) });
      settle();
      const restore = () => {
        ledger.writeAccount(feeState, before);
        settle();
      };
      return { ...build('deposit', { authority, bank: deposit.address, amount: 1 }), restore };
    },
  },
  {
    code: 'BANK_UNVERIFIED',
    name: 'a loan of a bank whose rates disagree with the program',
    details: ['bank', 'residuals'],
    async arrange(doors) {
      const { authority, borrow } = await borrower(doors.world, 0);
      await audit(doors, borrow, { unverifiedSince: '7' });
      const restore = () => audit(doors, borrow, { unverifiedSince: null });
      return { ...build('borrow', { authority, bank: borrow.address, amount: 1 }), restore };
    },
  },
];

/** Says of a bank's rates that they differed, and waits until the api knows whether they are trusted. */
async function audit(
  { url, db }: TwoDoors,
  { address: bank }: P0Bank,
  { unverifiedSince }: { readonly unverifiedSince: string | null },
): Promise<void> {
  const lastDifference = { field: 'borrowing_rate', ours: '1', theirs: '2', bound: '0', account: null, slot: '7' };
  const counts = { compared: '2', differed: '1', largestUnits: '1', lastUnits: '-1', agreedInRow: 0 };
  const seen = { source: 'localnet', slot: 9n, slotTime: new Date().toISOString() } as const;
  await db
    .transaction()
    .execute((transaction) =>
      upsertBankAudits(transaction, [{ bank, figure: 'rates', ...counts, unverifiedSince, lastDifference, ...seen }]),
    );
  for (;;) {
    const { audit: known } = (await (await fetch(`${url}/v1/status`)).json()) as { audit: { unverified: number } };
    if (known.unverified === (unverifiedSince === null ? 0 : 1)) return;
    await sleep(100);
  }
}

/** A wallet whose account has so many balances, P0's own banks first, and another bank that it holds tokens of. */
async function portfolio(world: BuildersWorld, count: number) {
  const { deposit, borrow } = pairOf(world);
  const fitting = world.banks.filter((bank) => isPlain(bank) && bank !== deposit && bank !== borrow);
  const elsewhere = world.banks.filter(
    ({ venue, weights, operationalState }) =>
      venue !== 'p0' && venue !== 'drift' && operationalState === 'Operational' && weights.assetInit > 0n,
  );
  const held = [...elsewhere, ...fitting].slice(0, count);
  const { address } = await walletWith(world, borrow, 100);
  await makeAccount(
    world.ledger,
    address,
    held.map((bank) => ({ bank, side: 'asset' as const, usd: 50 })),
  );
  world.settle();
  return { address, bank: borrow, held };
}

function faultBoth({ localnet }: BuildersWorld, fault: Parameters<typeof localnet.setAggregatorFault>[1]): () => void {
  const set = (each: typeof fault) => {
    localnet.setAggregatorFault('jupiter', each);
    localnet.setAggregatorFault('dflow', each);
  };
  set(fault);
  return () => set(null);
}
