import { setTimeout as sleep } from 'node:timers/promises';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { createDataDir, startEmbedded, startProcess } from '@lending/testing';
import { accountsInLogs, decodeBank, decodeMarginfiAccount, type P0Account } from '@lending/venues';
import {
  type Address,
  type Base58EncodedBytes,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  getBase58Decoder,
  getBase64Encoder,
} from '@solana/kit';
import { argumentOf } from './measure/config.ts';
import { residentMb } from './measure/process.ts';
import { percentilesOf } from './measure/statistics.ts';
import { figure, once, printResult } from './report/result.ts';

/**
 * From a node reporting a slot as confirmed to an answer that knows of it, on the local chain at 100 transactions a second. Chain and
 * service are processes of their own; this one listens to the chain as anybody could, and from the moment it is told of a transaction
 * or of an account it asks the service for it again and again. Prints a JSON line. `--seconds 120` measures longer, `--tps 50` loads less.
 */
const GOAL = { p50Ms: 500, p99Ms: 2_000 };
const seconds = argumentOf('--seconds', 60);
const transactionsPerSecond = argumentOf('--tps', 100);
/** One of so many is asked for: asking is work, too. */
const EVERY = 16;
const ASK_AGAIN_MS = 25;
const GIVE_UP_MS = 20_000;
const WARM_UP_MS = 15_000;

const chain = await startProcess({
  entry: 'lab/localnet/src/main.ts',
  env: { LOCALNET_PORT: '0', LOCALNET_TRANSACTIONS_PER_SECOND: `${transactionsPerSecond}` },
  readyLine: /(http:\/\/127\.0\.0\.1:\d+)/,
});
const service = await startEmbedded({
  dataDir: await createDataDir('bench-answer'),
  env: {
    SOLANA_RPC_URL: chain.baseUrl,
    CHAIN_SOURCE: 'localnet',
    INDEX_SCOPE: 'all',
    LOG_LEVEL: 'warn',
  },
});
const stopping = new AbortController();
try {
  await sleep(WARM_UP_MS);
  const activity = followTransactions();
  const accounts = followAccounts();
  const memory: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    await sleep(1_000);
    memory.push(residentMb(service.child.pid));
  }
  stopping.abort();
  const results = { activity: await activity, account: await accounts };
  const all = [...results.activity.ms, ...results.account.ms];
  const overall = percentilesOf(all, results.activity.missing + results.account.missing);
  const judged = (what: string, ms: number, most: number) => {
    // What was never answered is no fast answer.
    const ours = once(overall.failed === 0 ? ms : Number.NaN);
    return figure({ goal: 'chain', what, unit: 'ms', ours, bound: { of: 'ours', is: 'atMost', value: most } });
  };
  printResult(
    'chain to answer',
    [
      judged('p50 of activity and accounts', overall.p50Ms, GOAL.p50Ms),
      judged('p99 of activity and accounts', overall.p99Ms, GOAL.p99Ms),
    ],
    {
      transactionsPerSecond,
      seconds,
      seen: { transactions: results.activity.seen, accounts: results.account.seen },
      activity: percentilesOf(results.activity.ms, results.activity.missing),
      account: percentilesOf(results.account.ms, results.account.missing),
      overall,
      serviceMb: { last: memory.at(-1), highest: Math.max(...memory) },
    },
  );
} finally {
  stopping.abort();
  await service.stop();
  await chain.stop();
}

interface Followed {
  readonly seen: number;
  readonly ms: readonly number[];
  readonly missing: number;
}

/** Every few confirmed transactions: until the activity of an account it names lists it. */
async function followTransactions(): Promise<Followed> {
  const pending: Promise<number | null>[] = [];
  let seen = 0;
  const notifications = await subscriptions()
    .logsNotifications({ mentions: [MARGINFI_PROGRAM] }, { commitment: 'confirmed' })
    .subscribe({ abortSignal: stopping.signal });
  for await (const { value } of notifications) {
    if (value.err !== null) continue;
    const toldAt = performance.now();
    seen += 1;
    const [account] = accountsInLogs(value.logs ?? [], MARGINFI_PROGRAM).accounts;
    if (account === undefined || seen % EVERY !== 0) continue;
    const url = `${service.baseUrl}/v1/activity/${account}?limit=50`;
    pending.push(
      untilAnswered(toldAt, async () => {
        const reply = (await getJson(url)) as { readonly activity: readonly { readonly signature: string }[] };
        return reply.activity.some(({ signature }) => signature === value.signature);
      }),
    );
  }
  return settle(seen, pending);
}

/** Every few confirmed changes of an account: until its positions show what it holds at P0's own banks. */
async function followAccounts(): Promise<Followed> {
  const pending: Promise<number | null>[] = [];
  const known = new Map<Address, P0Account>();
  let seen = 0;
  let shareValues = await readShareValues();
  const refresh = setInterval(async () => {
    shareValues = await readShareValues();
  }, 2_000);
  const bytes = getBase58Decoder().decode(marginfiAccountLayout.discriminator) as string as Base58EncodedBytes;
  const notifications = await subscriptions()
    .programNotifications(MARGINFI_PROGRAM, {
      commitment: 'confirmed',
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0n, bytes, encoding: 'base58' } }],
    })
    .subscribe({ abortSignal: stopping.signal });
  for await (const { value } of notifications) {
    const toldAt = performance.now();
    const data = new Uint8Array(getBase64Encoder().encode(value.account.data[0]));
    if (data.length === 0) continue;
    const account = decodeMarginfiAccount(
      { address: value.pubkey, owner: value.account.owner, data },
      MARGINFI_PROGRAM,
    );
    const before = known.get(account.address);
    known.set(account.address, account);
    seen += 1;
    if (before === undefined || seen % EVERY !== 0 || !isFarFrom(before, account)) continue;
    const url = `${service.baseUrl}/v1/account/${account.address}?detail=concise`;
    pending.push(
      untilAnswered(toldAt, async () => {
        // A newer change came meanwhile: the answer shows that one, or is on its way to.
        const newest = known.get(account.address) ?? account;
        return isShown((await getJson(url)) as PositionsReply, newest, shareValues);
      }),
    );
  }
  clearInterval(refresh);
  return settle(seen, pending);
}

interface PositionsReply {
  readonly accounts: readonly {
    readonly positions: readonly { readonly bank: string; readonly amount_raw: string | null }[];
  }[];
}

interface ShareValues {
  readonly asset: bigint;
  readonly liability: bigint;
}

/** Whether the answer's amounts are those of the shares, but for the interest of seconds. */
function isShown(reply: PositionsReply, account: P0Account, values: ReadonlyMap<string, ShareValues>): boolean {
  const shown = new Map(reply.accounts[0]?.positions.map(({ bank, amount_raw: raw }) => [bank, raw]));
  return account.balances.every(({ bank, assetShares, liabilityShares }) => {
    const value = values.get(bank);
    if (value === undefined) return true;
    const expected = ((assetShares * value.asset) >> 96n) + ((liabilityShares * value.liability) >> 96n);
    const raw = shown.get(bank);
    return raw === undefined || raw === null ? expected === 0n : isNear(BigInt(raw), expected);
  });
}

function isNear(one: bigint, other: bigint): boolean {
  const difference = one > other ? one - other : other - one;
  return difference <= 2n || difference * 1_000_000n < other;
}

/** A change that interest could not have made. */
function isFarFrom(before: P0Account, after: P0Account): boolean {
  const shares = new Map(
    before.balances.map((balance) => [balance.bank, balance.assetShares + balance.liabilityShares]),
  );
  return after.balances.some(({ bank, assetShares, liabilityShares }) => {
    const [now, then] = [assetShares + liabilityShares, shares.get(bank) ?? 0n];
    const difference = now > then ? now - then : then - now;
    return difference * 10_000n > now;
  });
}

/** Share values of P0's own banks, in raw I80F48; those of other venues are worth something else besides. */
async function readShareValues(): Promise<ReadonlyMap<string, ShareValues>> {
  const bytes = getBase58Decoder().decode(bankLayout.discriminator) as string as Base58EncodedBytes;
  const found = await createSolanaRpc(chain.baseUrl)
    .getProgramAccounts(MARGINFI_PROGRAM, {
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0n, bytes, encoding: 'base58' } }],
    })
    .send();
  const banks = found.map(({ pubkey, account: { owner, data } }) =>
    decodeBank({ address: pubkey, owner, data: new Uint8Array(getBase64Encoder().encode(data[0])) }, MARGINFI_PROGRAM),
  );
  return new Map(
    banks
      .filter(({ venue }) => venue === 'p0')
      .map(({ address, shares }) => [
        address,
        { asset: shares.assetShareValue, liability: shares.liabilityShareValue },
      ]),
  );
}

/** Milliseconds until the answer holds; null when it does not in all that time. */
async function untilAnswered(toldAt: number, isAnswered: () => Promise<boolean>): Promise<number | null> {
  while (performance.now() - toldAt < GIVE_UP_MS) {
    if (await isAnswered().catch(() => false)) return performance.now() - toldAt;
    await sleep(ASK_AGAIN_MS);
  }
  return null;
}

async function settle(seen: number, pending: readonly Promise<number | null>[]): Promise<Followed> {
  const times = await Promise.all(pending);
  const ms = times.filter((time) => time !== null);
  return { seen, ms, missing: times.length - ms.length };
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
  return await response.json();
}

function subscriptions() {
  return createSolanaRpcSubscriptions(chain.baseUrl.replace('http', 'ws'));
}
