import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_FLAG, ASSET_TAG, toUiAmount } from '@lending/domain';
import type { WireCode } from '@lending/errors';
import { findFeeState, MARGINFI_MAIN_GROUP, PYTH_RECEIVER_PROGRAM, releaseOf } from '@lending/programs';
import { type Database, upsertBankAudits } from '@lending/store';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { asset, debt, giveTokens } from '../builders/accounts.ts';
import { editTerms, setFeedAge } from '../builders/chain-edits.ts';
import { findBank, findPair } from '../builders/pairs.ts';
import { isCollateral, isOpen, isOwnPool, isStaked, type Scene, SOL } from '../builders/scene.ts';
import { askRest, buildCall, type Call } from './called-service.ts';

/** A wallet with SOL deposited and some of the dollars that it may borrow, and where it is. */
interface Borrower {
  readonly scene: Scene;
  readonly url: string;
  readonly db: Database;
  readonly authority: Address;
  /** The bank of its SOL, and that of the dollars. */
  readonly deposit: P0Bank;
  readonly borrow: P0Bank;
}

/** A state of the chain, or of what is around it, in which a call is refused with a code. */
export interface Provocation {
  readonly code: WireCode;
  /** What is the matter. */
  readonly name: string;
  /** Fields of `details` that the specification, or the words, promise. */
  readonly details?: readonly string[];
  /** What the borrower has deposited and owes, USD; default: 1,000 and nothing. */
  readonly held?: number;
  readonly owed?: number;
  /** Makes it so, and says what to call. */
  arrange(borrower: Borrower): Provoked | Promise<Provoked>;
}

type Provoked = Call & { restore?(): void | Promise<void> };

/** Makes the borrower of a case. */
export async function prepare(
  scene: Scene,
  service: Pick<Borrower, 'url' | 'db'>,
  { held = 1_000, owed = 0 }: Provocation,
): Promise<Borrower> {
  const { deposit, borrow } = findPair(scene.world, 'SOL on dollars');
  const wallet = await scene.walletWith(100n * SOL, [borrow, 5_000]);
  await scene.account(wallet, [asset(deposit, held), ...(owed === 0 ? [] : [debt(borrow, owed)])]);
  scene.world.settle();
  return { ...service, scene, authority: wallet.address, deposit, borrow };
}

/** Every code that a builder's call can be refused with, and what refuses it. */
export const PROVOCATIONS: readonly Provocation[] = [
  {
    code: 'INVALID_ARGUMENT',
    name: 'a negative amount',
    details: ['field'],
    arrange: (at) => depositOf(at, -1),
  },
  {
    code: 'BANK_NOT_FOUND',
    name: 'a bank that is a wallet',
    arrange: ({ authority }) => buildCall('borrow', { authority, bank: authority, amount: 1 }),
  },
  {
    code: 'ACCOUNT_NOT_FOUND',
    name: 'a wallet without a lending account',
    async arrange({ scene, deposit }) {
      const { address } = await scene.walletWith(100n * SOL);
      return buildCall('withdraw', { authority: address, bank: deposit.address, amount: 1 });
    },
  },
  {
    code: 'ACCOUNT_AMBIGUOUS',
    name: 'a wallet with two lending accounts',
    details: ['accounts'],
    async arrange({ scene, deposit }) {
      const wallet = await scene.walletWith(100n * SOL);
      for (const index of [0, 1]) await scene.account(wallet, [asset(deposit, 10)], { index });
      return buildCall('deposit', { authority: wallet.address, bank: deposit.address, amount: 1 });
    },
  },
  {
    code: 'IDEMPOTENCY_CONFLICT',
    name: 'a key that stands for another amount',
    async arrange(at) {
      const key = { idempotency_key: 'once' };
      const first = await askRest(at, depositOf(at, 1, key));
      if (first.status !== 200) throw new Error(`The first call failed: ${JSON.stringify(first.body)}`);
      return depositOf(at, 2, key);
    },
  },
  {
    code: 'BORROW_LIMIT_EXCEEDED',
    name: 'a loan that the collateral does not carry',
    details: ['max_borrow', 'limited_by'],
    arrange: (at) => dollarsOf(at, 'borrow', 2_000),
  },
  {
    code: 'BORROW_LIMIT_EXCEEDED',
    name: 'a loop whose loan is above what the bank lends',
    details: ['max_borrow', 'limited_by'],
    async arrange(at) {
      const restore = editTerms(at.scene.ledger, at.borrow.address, (config) => ({ ...config, borrowLimit: 1n }));
      return { ...(await loopOf(at, '2')), restore };
    },
  },
  {
    code: 'WITHDRAW_LIMIT_EXCEEDED',
    name: 'more than is deposited',
    arrange: ({ scene, authority, deposit }) =>
      buildCall('withdraw', { authority, bank: deposit.address, amount: worth(scene, deposit, 1_100) }),
  },
  {
    code: 'DEPOSIT_LIMIT_EXCEEDED',
    name: 'a bank that is full',
    arrange: (at) => depositUnder(at, { depositLimit: 1n }),
  },
  {
    code: 'REPAY_LIMIT_EXCEEDED',
    name: 'more than is owed',
    details: ['limited_by'],
    owed: 100,
    arrange: (at) => dollarsOf(at, 'repay', 200),
  },
  {
    code: 'REPAY_LIMIT_EXCEEDED',
    name: 'more debt than one close repays',
    details: ['max_repay', 'cap_usd'],
    held: 1_000_000,
    owed: 250_001,
    arrange: ({ authority }) => buildCall('close_position', { authority, repay_all: true }),
  },
  {
    code: 'LEVERAGE_EXCEEDED',
    name: 'a leverage above the maximum of the pair',
    details: ['max_leverage'],
    arrange: (at) => loopOf(at, '9'),
  },
  {
    code: 'INSUFFICIENT_BALANCE',
    name: 'a wallet without the tokens',
    arrange: (at) => dollarsOf(at, 'deposit', 5_500),
  },
  {
    code: 'INSUFFICIENT_COLLATERAL',
    name: 'collateral that does not pay for the debt',
    details: ['max_repay', 'limited_by'],
    async arrange({ scene, deposit, borrow }) {
      const other = findBank(scene.world, 'USDC', 'kamino');
      const wallet = await scene.walletWith(100n * SOL);
      await scene.account(wallet, [asset(deposit, 100), asset(other, 1_000), debt(borrow, 300)]);
      const args = { authority: wallet.address, deposit_bank: deposit.address, repay_all: true };
      return buildCall('close_position', args);
    },
  },
  {
    code: 'BANK_NOT_BORROWABLE',
    name: 'a bank of another venue',
    arrange({ scene, authority }) {
      const { address } = findBank(scene.world, 'SOL', 'kamino');
      return buildCall('borrow', { authority, bank: address, amount: 1 });
    },
  },
  {
    code: 'BANK_PAUSED',
    name: 'a bank that its administrator paused',
    arrange: (at) => depositUnder(at, { operationalState: 0 }),
  },
  {
    code: 'ORACLE_STALE',
    name: 'a price that nothing brings up to date',
    async arrange({ scene, borrow }) {
      const { ledger, banks } = scene.world;
      const isPushed = (each: P0Bank) => ledger.account(scene.feedOf(each))?.owner === PYTH_RECEIVER_PROGRAM;
      const bank = banks.find((each) => isOwnPool(each) && isCollateral(each) && each !== borrow && isPushed(each));
      if (bank === undefined) throw new TypeError('No bank has a feed that is pushed');
      const wallet = await scene.walletWith(100n * SOL);
      await scene.account(wallet, [asset(bank, 1_000)]);
      setFeedAge(ledger, scene.feedOf(bank), 5_000n);
      const restore = () => setFeedAge(ledger, scene.feedOf(bank), 0n);
      return { ...buildCall('borrow', { authority: wallet.address, bank: borrow.address, amount: 1 }), restore };
    },
  },
  {
    code: 'ASSET_TAG_CONFLICT',
    name: 'dollars beside staked collateral',
    async arrange({ scene, borrow }) {
      const staked = scene.world.banks.find((bank) => bank.assetTag === ASSET_TAG.staked);
      if (staked === undefined) throw new TypeError('No bank takes staked collateral');
      const wallet = await scene.walletWith(100n * SOL, [borrow, 100]);
      await scene.account(wallet, [asset(staked, 500)]);
      return buildCall('deposit', { authority: wallet.address, bank: borrow.address, amount: 1 });
    },
  },
  {
    code: 'BALANCE_SLOTS_FULL',
    name: 'an account with sixteen balances',
    async arrange(at) {
      return dollarsOf({ ...at, authority: await portfolio(at, 16) }, 'deposit', 10);
    },
  },
  {
    code: 'SWAP_ROUTE_UNAVAILABLE',
    name: 'aggregators that know no route',
    details: ['tried'],
    arrange: async (at) => ({ restore: faultBoth(at, { kind: 'no_route' }), ...(await loopOf(at, '2')) }),
  },
  {
    code: 'TX_TOO_LARGE',
    name: 'a loop beside many balances, without tables of addresses',
    details: ['bytes_over', 'transaction_version'],
    async arrange(at) {
      const banks = { deposit_bank: at.deposit.address, borrow_bank: at.borrow.address };
      return buildCall('loop', { authority: await portfolio(at, 13), ...banks, amount: 1, leverage: 1.5 });
    },
  },
  {
    code: 'SIMULATION_FAILED',
    name: 'tokens that their issuer froze',
    async arrange(at) {
      await giveTokens(at.scene.ledger, at.authority, at.borrow, { amountBase: 10n ** 9n, isFrozen: true });
      return dollarsOf(at, 'deposit', 1);
    },
  },
  {
    code: 'SIMULATION_FAILED',
    name: 'an account that is closed for good',
    async arrange({ scene, deposit }) {
      const wallet = await scene.walletWith(100n * SOL);
      const account = await scene.account(wallet, [asset(deposit, 10)], { flags: ACCOUNT_FLAG.disabled });
      return buildCall('deposit', { authority: wallet.address, account, bank: deposit.address, amount: 1 });
    },
  },
  {
    code: 'POLICY_REFUSED',
    name: 'a health that the caller will not have',
    arrange: (at) => dollarsOf(at, 'borrow', 100, { policy: { min_health_ratio_after: 50 } }),
  },
  {
    code: 'INTERNAL',
    name: 'a group that cannot be read',
    arrange: (at) =>
      depositOn(at, MARGINFI_MAIN_GROUP, (data) => data.map((byte, index) => (index === 0 ? byte ^ 1 : byte))),
  },
  {
    code: 'UPSTREAM_UNAVAILABLE',
    name: 'aggregators that do not answer',
    arrange: async (at) => ({ restore: faultBoth(at, { kind: 'down' }), ...(await loopOf(at, '2')) }),
  },
  {
    code: 'UPSTREAM_UNAVAILABLE',
    name: 'a node that does not answer',
    arrange(at) {
      const { localnet } = at.scene.world;
      localnet.setFault({ kind: 'error', code: -32_005, message: 'Node is unhealthy' });
      return { ...depositOf(at, 1), restore: () => localnet.setFault(null) };
    },
  },
  {
    code: 'DATA_STALE',
    name: 'tables in which nothing stands yet',
    arrange: () => ({ tool: 'svc_get_banks', method: 'GET', path: '/v1/banks', args: {} }),
  },
  {
    code: 'DOC_NOT_FOUND',
    name: 'a page that is none',
    details: ['field', 'candidates'],
    arrange() {
      const slug = 'borrow-safely';
      return { tool: 'svc_get_doc', method: 'GET', path: `/v1/docs/${slug}`, args: { slug } };
    },
  },
  {
    code: 'PROGRAM_UPGRADING',
    name: 'a bank that is not lengthened yet',
    details: ['program'],
    arrange: (at) => depositOn(at, at.deposit.address, (data) => data.slice(0, releaseOf('0.1.11').sizes.bank)),
  },
  {
    code: 'PROGRAM_UNSUPPORTED',
    name: 'a fee state as long as no version makes it',
    details: ['program'],
    async arrange(at) {
      const [feeState] = await findFeeState();
      return depositOn(at, feeState, (data) => Uint8Array.from([...data, ...new Uint8Array(180)]));
    },
  },
  {
    code: 'BANK_UNVERIFIED',
    name: 'a loan of a bank whose rates disagree with the program',
    details: ['bank', 'residuals'],
    async arrange(at) {
      await audit(at, '7');
      return { ...dollarsOf(at, 'borrow', 1), restore: () => audit(at, null) };
    },
  },
];

/** So many dollars of a bank's token, as callers write them. */
function worth(scene: Scene, bank: P0Bank, usd: number): string {
  return toUiAmount(scene.worth(bank, usd), bank.decimals);
}

function depositOf({ authority, deposit }: Borrower, amount: number, rest: Call['args'] = {}): Call {
  return buildCall('deposit', { authority, bank: deposit.address, amount, ...rest });
}

/** A deposit while the bank has other terms. */
function depositUnder(at: Borrower, terms: { readonly depositLimit: bigint } | { readonly operationalState: number }) {
  const restore = editTerms(at.scene.ledger, at.deposit.address, (config) => ({ ...config, ...terms }));
  return { ...depositOf(at, 1), restore };
}

/** A deposit while an account of the program's has other bytes. */
function depositOn(at: Borrower, address: Address, change: (data: Uint8Array) => Uint8Array): Provoked {
  const { ledger } = at.scene;
  const before = ledger.account(address);
  if (before === undefined) throw new TypeError(`There is no account ${address}`);
  ledger.writeAccount(address, { ...before, data: change(before.data) });
  return { ...depositOf(at, 1), restore: () => ledger.writeAccount(address, before) };
}

function dollarsOf({ scene, authority, borrow }: Borrower, kind: string, usd: number, rest: Call['args'] = {}): Call {
  return buildCall(kind, { authority, bank: borrow.address, amount: worth(scene, borrow, usd), ...rest });
}

/** A loop of SOL on dollars, of a wallet without an account. */
async function loopOf({ scene, deposit, borrow }: Borrower, leverage: string): Promise<Call> {
  const { address: authority } = await scene.walletWith(100n * SOL);
  const banks = { deposit_bank: deposit.address, borrow_bank: borrow.address };
  return buildCall('loop', { authority, ...banks, amount: 1, leverage });
}

/** Says of the rates of the dollars that they differed, or no more, and waits until the api knows whether they are trusted. */
async function audit({ url, db, borrow }: Borrower, unverifiedSince: string | null): Promise<void> {
  const lastDifference = { field: 'borrowing_rate', ours: '1', theirs: '2', bound: '0', account: null, slot: '7' };
  const counts = { compared: '2', differed: '1', largestUnits: '1', lastUnits: '-1', agreedInRow: 0 };
  const seen = { source: 'localnet', slot: 9n, slotTime: new Date().toISOString() } as const;
  const row = { bank: borrow.address, figure: 'rates', ...counts, unverifiedSince, lastDifference, ...seen } as const;
  await db.transaction().execute((transaction) => upsertBankAudits(transaction, [row]));
  for (;;) {
    const { audit: known } = (await (await fetch(`${url}/v1/status`)).json()) as { audit: { unverified: number } };
    if (known.unverified === (unverifiedSince === null ? 0 : 1)) return;
    await sleep(100);
  }
}

/** A wallet with dollars whose account has so many balances, those at other venues first. */
async function portfolio({ scene, deposit, borrow }: Borrower, count: number): Promise<Address> {
  const counts = scene.world.banks.filter((bank) => isOpen(bank) && bank.weights.assetInit > 0n && !isStaked(bank));
  const own = counts.filter((bank) => bank.venue === 'p0' && bank !== deposit && bank !== borrow);
  const elsewhere = counts.filter(({ venue }) => venue !== 'p0' && venue !== 'drift');
  const wallet = await scene.walletWith(100n * SOL, [borrow, 100]);
  await scene.account(
    wallet,
    [...elsewhere, ...own].slice(0, count).map((bank) => asset(bank, 50)),
  );
  return wallet.address;
}

type AggregatorFault = Parameters<Scene['world']['localnet']['setAggregatorFault']>[1];

function faultBoth({ scene }: Borrower, fault: AggregatorFault): () => void {
  const set = (each: AggregatorFault) => {
    for (const name of ['jupiter', 'dflow'] as const) scene.world.localnet.setAggregatorFault(name, each);
  };
  set(fault);
  return () => set(null);
}
