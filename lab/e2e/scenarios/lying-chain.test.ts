import { demoWallet, parseEnvelope } from '@lending/examples';
import { DEMO_TOKENS } from '@lending/localnet';
import {
  encodeInstruction,
  lendingPoolPulseBankPriceCache,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
} from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
import { oracleAccountsOf, type P0Bank } from '@lending/venues';
import { AccountRole, type Address, type Instruction, type KeyPairSigner } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseWorth, fund, makeAccount } from '../src/builders/accounts.ts';
import { createDice } from '../src/builders/dice.ts';
import { listBanks, listFeeds } from '../src/builders/ledger-tables.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { type HistoryPoller, startHistoryPoller, untilStored } from '../src/history/history-poller.ts';
import { type HistoryWorld, HOUR_MS, MINUTE_MS, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson, postJson } from '../src/http.ts';
import { landEnvelope, landInstructions } from '../src/land.ts';
import { LIES, type Lie, startLying } from '../src/lies/lies.ts';
import { markRefreshed } from '../src/positions/fresh-venues.ts';
import { pulseHealthOf } from '../src/positions/pulse-health.ts';
import type { StatusReply } from '../src/replies.ts';
import { query } from '../src/tables/query.ts';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly code?: string;
    readonly retryable?: boolean;
    readonly details?: { readonly residuals: readonly { readonly field: string }[] };
    readonly simulation?: { readonly warnings: readonly { readonly code: string; readonly bank?: string }[] };
  };
}

/** A lie with those who act on its bank. */
interface Plot extends Lie {
  readonly bankOf: P0Bank;
  /** Whose bytes are altered. */
  readonly target: Address;
  /** Owes the bank. */
  readonly debtor: Address;
  /** Holds the bank's tokens, and owes dollars. */
  readonly lender: Address;
  /** Holds them and owes nothing. */
  readonly saver: KeyPairSigner;
  readonly touch: () => Promise<void>;
}

const database = useDatabase();
const opened = useOpened();
const dice = createDice('lying chain');
let world: HistoryWorld;
let poller: HistoryPoller;
let keeper: KeyPairSigner;
let usdc: P0Bank;
let bitcoin: P0Bank;
let plots: readonly Plot[];
let touchSlot = 0;

describe('a chain that gives other bytes than the program computed', () => {
  beforeAll(async () => {
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - 5 * MINUTE_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 0 }));
    poller = opened.keep(startHistoryPoller(world));
    keeper = await demoWallet('looper');
    const { ledger } = world.localnet;
    const banks = listBanks(ledger);
    usdc = bankAt(banks, 'USDC');
    bitcoin = bankAt(banks, 'cbBTC');
    const feeds = listFeeds(ledger).map((feed) => [feed, ledger.account(feed)] as const);
    // The market moves its prices with each slot; here they stay.
    ledger.onSlot(() => {
      ledger.writeAccounts(feeds);
      markRefreshed(ledger, banks);
    });
    plots = await Promise.all(LIES.map((lie) => plot(lie, banks)));
    await untilFollowed();
    await sample();
    const tellTruth = startLying(ledger, new Map(plots.map((one) => [one.target, one])));
    await touchAll();
    tellTruth();
  });

  it('[lying-chain] is found out within one touch, bank by bank and figure by figure', async () => {
    await untilStatus((banks) => {
      expect(unverifiedIn(banks)).toEqual(expectedFigures());
      for (const one of plots) {
        const slot = slotSeen(one);
        const found = { differed: 1, unverified_since: slot, last_difference: { field: one.field, slot } };
        expect(figureOf(banks, one)).toMatchObject(found);
      }
    });
  });

  it.each(LIES)('[lying-chain] $figure of $token: what its figures decide is refused, the rest warns', async (lie) => {
    const one = plotOf(lie);
    await expectRefusals(one);
    expect(await warnedOf('deposit', one.saver.address, one.bankOf)).toContain(one.bankOf.address);
    if (one.bankOf.venue === 'p0')
      expect(await warnedOf('repay', one.debtor, one.bankOf)).toContain(one.bankOf.address);
    expect(await warnedOf('withdraw', one.saver.address, one.bankOf)).toContain(one.bankOf.address);
  });

  it('[lying-chain] says nothing of a bank that it told the truth of', async () => {
    const [one] = plots as [Plot];
    expect(await warnedOf('borrow', one.lender, usdc)).toEqual([one.bankOf.address]);
  });

  it('[lying-chain] is not believed after a restart, but for what an operator overrules until then', async () => {
    const [overruled, ...others] = plots as [Plot, ...Plot[]];
    const until = new Date(world.time.oursMs + HOUR_MS).toISOString();
    await poller.stop();
    await world.restartIndexer();
    await world.restartApi({ AUDIT_OVERRULE: `${overruled.bankOf.address}@${until}` });
    poller = opened.keep(startHistoryPoller(world));
    await untilFollowed();
    await sample();
    await untilStatus((banks) => {
      expect(unverifiedIn(banks)).toEqual(expectedFigures());
      const shown = banks.flatMap(({ bank, overruled_until }) =>
        overruled_until === null ? [] : [[bank, overruled_until]],
      );
      expect(shown).toEqual([[overruled.bankOf.address, until]]);
    });
    for (const one of others) await expectRefusals(one);
    expect(await warnedOf('borrow', overruled.debtor, overruled.bankOf)).toContain(overruled.bankOf.address);
  });

  it('[lying-chain] is believed again after three touches in different slots', async () => {
    // An account that is seen for the first time since the restart has no state to be compared with.
    await touchAll(plots.filter(({ account }) => account !== undefined));
    for (let touches = 1; touches <= 2; touches += 1) {
      await touchAll();
      await untilStatus((banks) => {
        expect(unverifiedIn(banks)).toEqual(expectedFigures());
        for (const one of plots) expect(figureOf(banks, one)?.slot).toBe(slotSeen(one));
      });
    }
    await touchAll();
    await untilStatus((banks) => expect(unverifiedIn(banks)).toEqual([]));
    for (const { bankOf, debtor } of plots.filter(({ bankOf: { venue } }) => venue === 'p0'))
      expect(await warnedOf('borrow', debtor, bankOf)).toEqual([]);
  });
});

function bankAt(banks: readonly P0Bank[], token: keyof typeof DEMO_TOKENS, venue: P0Bank['venue'] = 'p0'): P0Bank {
  const found = banks.find((bank) => bank.mint === DEMO_TOKENS[token].mint && bank.venue === venue);
  if (found === undefined) throw new TypeError(`The demo market has no ${token} bank at ${venue}`);
  return found;
}

function plotOf(lie: Lie): Plot {
  const found = plots.find(({ token, venue }) => token === lie.token && venue === lie.venue);
  if (found === undefined) throw new TypeError(`There is no plot of ${lie.token}`);
  return found;
}

async function plot(lie: Lie, banks: readonly P0Bank[]): Promise<Plot> {
  const { ledger } = world.localnet;
  const bankOf = bankAt(banks, lie.token, lie.venue);
  const [debtor, lender, saver] = [await dice.wallet(), await dice.wallet(), await dice.wallet()];
  const tokens = baseWorth(ledger, bankOf, 1_000);
  for (const wallet of [debtor, lender, saver]) await fund(ledger, wallet, 10n ** 10n, [[bankOf, tokens]]);
  await makeAccount(ledger, debtor.address, [
    { bank: bitcoin, side: 'asset', usd: 1_000 },
    { bank: bankOf.venue === 'p0' ? bankOf : usdc, side: 'liability', usd: 100 },
  ]);
  await makeAccount(ledger, lender.address, [
    { bank: bankOf, side: 'asset', usd: 200 },
    { bank: bitcoin, side: 'asset', usd: 1_000 },
    { bank: usdc, side: 'liability', usd: 100 },
  ]);
  await makeAccount(ledger, saver.address, [{ bank: bankOf, side: 'asset', usd: 500 }]);
  const acts = { bankOf, debtor: debtor.address, lender: lender.address, saver };
  if (lie.account !== undefined) {
    const [has, owes] = [bankAt(banks, lie.account.has), bankAt(banks, lie.account.owes)];
    const judged = await makeAccount(ledger, (await dice.wallet()).address, [
      { bank: has, side: 'asset', usd: 1_000 },
      { bank: owes, side: 'liability', usd: 100 },
    ]);
    const held = banksOf(judged).map((address) => (address === has.address ? has : owes));
    return { ...lie, ...acts, target: judged, touch: () => send(pulseHealthOf(MARGINFI_MAIN_GROUP, judged, held)) };
  }
  const touch = () => (lie.figure === 'price' ? send(pulsePrice(bankOf)) : deposit(saver, bankOf));
  return { ...lie, ...acts, target: bankOf.address, touch };
}

/** Of an account's balances, as the program sorts them. */
function banksOf(account: Address): readonly Address[] {
  const state = world.localnet.ledger.account(account);
  if (state === undefined) throw new TypeError(`There is no account ${account}`);
  const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
  return balances.flatMap(({ active, bankPk }) => (active === 1 ? [bankPk] : []));
}

/** Touches what is in question, in one slot; then that slot passes, and prices are sampled. */
async function touchAll(touched: readonly Plot[] = plots): Promise<void> {
  world.advance(SECOND_MS);
  touchSlot = Number(world.localnet.ledger.slot('processed'));
  for (const { touch } of touched) await touch();
  expect(Number(world.localnet.ledger.slot('processed'))).toBe(touchSlot);
  world.advance(SECOND_MS);
  await sample();
  // An indexer waits two slots for accounts that come late.
  world.advance(SECOND_MS);
}

/** Waits until an indexer knows all banks and accounts, and compares what is written from now on. */
async function untilFollowed(): Promise<void> {
  const begin = world.localnet.ledger.slot('processed');
  const owners = plots.flatMap(({ debtor, lender, saver }) => [debtor, lender, saver.address]);
  const read = 'select (select count(*)::int from account where authority = any($1)) as accounts, slot > $2 as follows';
  await eventually(async () => {
    world.advance(SECOND_MS);
    await send(pulsePrice(usdc));
    world.localnet.ledger.advanceSlot();
    world.localnet.ledger.advanceSlot();
    const rows = await query(database, `${read} from bank_audit where bank = $3 and figure = 'interest'`, [
      owners,
      begin,
      usdc.address,
    ]);
    expect(rows).toEqual([{ accounts: owners.length, follows: true }]);
  });
}

async function sample(): Promise<void> {
  await poller.sample();
  await untilStored(world, poller);
}

function pulsePrice(bank: P0Bank): Instruction {
  const remaining = oracleAccountsOf(bank).map((address) => ({ address, role: AccountRole.READONLY }));
  const accounts = { group: MARGINFI_MAIN_GROUP, bank: bank.address };
  return encodeInstruction(lendingPoolPulseBankPriceCache, MARGINFI_PROGRAM, accounts, {}, remaining);
}

async function send(instruction: Instruction): Promise<void> {
  expect(await landInstructions(world.localnet.ledger, keeper, [instruction])).toBeNull();
}

/** Builds a deposit as anybody would, and lands it. */
async function deposit(wallet: KeyPairSigner, { address: bank }: P0Bank): Promise<void> {
  const { status, body } = await ask('deposit', wallet.address, { bank, amount: 5 });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(await landEnvelope(world.localnet.ledger, parseEnvelope(body), wallet)).toBeNull();
}

function ask(kind: string, authority: Address, body: object): Promise<Answer> {
  return postJson(`${world.api.url}/v1/tx/${kind}`, { authority, ...body });
}

/** Borrow, loop, and a withdrawal that leaves debt; banks at venues lend nothing. */
async function expectRefusals({ bankOf, debtor, lender, field }: Plot): Promise<void> {
  const [{ address: bank }, amount] = [bankOf, 0.01];
  const isLent = bankOf.venue === 'p0';
  const [supply, debt] = isLent ? [bitcoin.address, bank] : [bank, usdc.address];
  const loop = { deposit_bank: supply, borrow_bank: debt, amount, leverage: '1.5', create_new_account: true };
  const answers = await Promise.all([
    ask('withdraw', lender, { bank, amount }),
    ask('loop', lender, loop),
    ...(isLent ? [ask('borrow', debtor, { bank, amount })] : []),
  ]);
  for (const { status, body } of answers) {
    expect([status, body.code, body.retryable], JSON.stringify(body)).toEqual([503, 'BANK_UNVERIFIED', false]);
    expect(body.details?.residuals.map((residual) => residual.field)).toEqual([field]);
  }
}

/** Builds, and gives the banks that it warns of. */
async function warnedOf(kind: string, authority: Address, { address: bank }: P0Bank): Promise<readonly unknown[]> {
  const { status, body } = await ask(kind, authority, { bank, amount: 0.01 });
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.simulation?.warnings ?? [])
    .filter(({ code }) => code === 'BANK_UNVERIFIED')
    .map((warning) => warning.bank);
}

type AuditedBanks = StatusReply['audit']['banks'];

async function untilStatus(check: (banks: AuditedBanks) => void): Promise<void> {
  await eventually(async () => check((await getJson<StatusReply>(`${world.api.url}/v1/status`)).audit.banks), 20_000);
}

function figureOf(banks: AuditedBanks, { bankOf, figure }: Plot) {
  const found = banks.find(({ bank }) => bank === bankOf.address);
  return found?.figures.find((one) => one.figure === figure);
}

/** The slot of the last touch; of a price the one of its reading, which the poller makes after that. */
function slotSeen({ figure }: Plot): number {
  return figure === 'price' ? touchSlot + 1 : touchSlot;
}

function unverifiedIn(banks: AuditedBanks): readonly string[] {
  return banks
    .flatMap(({ bank, verified, figures }) => {
      const found = figures.filter(({ unverified_since: since }) => since !== null);
      expect(verified).toBe(found.length === 0);
      return found.map(({ figure }) => `${bank} ${figure}`);
    })
    .sort();
}

function expectedFigures(): readonly string[] {
  return plots.map(({ bankOf, figure }) => `${bankOf.address} ${figure}`).sort();
}
