import { demoWallet } from '@lending/examples';
import { DEMO_BANKS, editAccount } from '@lending/localnet';
import {
  bankLayout,
  findProgramIdl,
  MARGINFI_PROGRAM,
  METADATA_DIRECT,
  PROGRAM_METADATA_PROGRAM,
  programMetadataLayout,
} from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
import { address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { type HistoryPoller, startHistoryPoller, untilStored } from '../src/history/history-poller.ts';
import { type HistoryWorld, MINUTE_MS, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson, postJson } from '../src/http.ts';
import type { BanksReply, StatusReply } from '../src/replies.ts';

const database = useDatabase();
const opened = useOpened();
let world: HistoryWorld;
let poller: HistoryPoller;
const bankOf = (symbol: string) =>
  address(DEMO_BANKS.find(({ ticker }) => ticker.startsWith(`${symbol} |`))?.address ?? '');

/** Deploys a program that this service does not know, which does what the newest known one does. */
async function deployNewer(): Promise<void> {
  void world.localnet.upgrade('0.1.13');
  await pass();
}

async function pass(): Promise<void> {
  world.advance(SECOND_MS);
  await poller.sample();
  await untilStored(world, poller);
}

async function buildDeposit(symbol: string) {
  const question = { authority: (await demoWallet('saver')).address, bank: bankOf(symbol), amount: 1 };
  const { status, body } = await postJson<{ code?: string }>(`${world.api.url}/v1/tx/deposit`, question);
  return { status, code: body.code ?? null, text: JSON.stringify(body) };
}

const statusOf = async () => (await getJson<StatusReply>(`${world.api.url}/v1/status`)).program;
const banksOf = () => getJson<BanksReply>(`${world.api.url}/v1/banks?limit=100`);

/** Publishes an IDL beside the program. */
async function publishIdl(text: string): Promise<void> {
  const body = Buffer.from(text);
  const header = programMetadataLayout.encode({
    ...{ program: MARGINFI_PROGRAM, authority: MARGINFI_PROGRAM, mutable: 1, canonical: 1, seed: new Uint8Array(16) },
    ...{ encoding: 1, compression: 0, format: 1, dataSource: METADATA_DIRECT, dataLength: body.length },
    _padding: new Uint8Array(5),
  });
  const [account] = await findProgramIdl(MARGINFI_PROGRAM);
  const state = { lamports: 1_000_000_000n, owner: PROGRAM_METADATA_PROGRAM, executable: false };
  world.localnet.ledger.writeAccounts([[account, { ...state, data: Uint8Array.from([...header, ...body]) }]]);
  world.advance(SECOND_MS);
}

describe('a lending program that is newer than the service', () => {
  beforeAll(async () => {
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - 30 * MINUTE_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 0 }));
    poller = opened.keep(startHistoryPoller(world));
    await pass();
    await pass();
  });

  it('[newer-program] builds for one that looks like the newest known, and says that this is inferred', async () => {
    await deployNewer();
    expect(await buildDeposit('USDC')).toMatchObject({ status: 200 });
    expect(await statusOf()).toMatchObject({ version: '0.1.12', standing: 'inferred', reason: null });
  });

  it.each(['no JSON', '{"metadata":{"version":"0.1.12"}}', '{"metadata":{"version":7}}', '{"metadata":null}'])(
    '[newer-program] takes %s in place of its IDL for nothing against it',
    async (text) => {
      await publishIdl(text);
      await deployNewer();
      expect(await buildDeposit('USDC')).toMatchObject({ status: 200 });
    },
  );

  it('[newer-program] builds nothing where its IDL names it', async () => {
    await publishIdl('{"metadata":{"version":"0.1.13"}}');
    await deployNewer();
    const reason = "The program's IDL names version 0.1.13, the newest that is known here is 0.1.12";
    const refused = await buildDeposit('USDC');
    expect(refused).toMatchObject({ status: 503, code: 'PROGRAM_UNSUPPORTED' });
    expect(refused.text).toContain(reason);
    expect(refused.text).not.toContain('transactions');
    expect(await statusOf()).toMatchObject({ version: null, standing: 'unknown', reason });
    expect((await fetch(`${world.api.url}/readyz`)).status).toBe(200);
    await publishIdl('{}');
    expect(await buildDeposit('USDC')).toMatchObject({ status: 200 });
  });

  it('[newer-program] reads on where a bank has a number that is not known, and builds nothing', async () => {
    editAccount(world.localnet.ledger, bankLayout, bankOf('ORCA'), (bank) => ({
      ...bank,
      config: { ...bank.config, oracleSetup: 29 },
    }));
    editAccount(world.localnet.ledger, bankLayout, bankOf('JUP'), (bank) => ({
      ...bank,
      flags: bank.flags | (1n << 40n),
    }));
    await pass();
    const bank = bankOf('ORCA');
    await eventually(async () => {
      const { banks, coverage } = await banksOf();
      expect(coverage.complete).toBe(false);
      expect(coverage.banks_skipped).toContainEqual({ bank, reason: expect.stringContaining('its oracle') });
      expect(coverage.banks_skipped).toContainEqual({
        bank: bankOf('JUP'),
        reason: expect.stringContaining('flags 0x10000000000'),
      });
      expect(banks.find((each) => each.address === bank)).toMatchObject({
        price_usd: null,
        oracle: { type: 'Unknown' },
      });
      expect(banks.find((each) => each.address === bankOf('JUP'))?.price_usd).toBeGreaterThan(0);
      expect(banks).toHaveLength(DEMO_BANKS.length);
    });
    await deployNewer();
    const refused = await buildDeposit('USDC');
    expect(refused).toMatchObject({ status: 503, code: 'PROGRAM_UNSUPPORTED' });
    expect(refused.text).toContain(`The bank ${bank} has a state or an oracle that is not known here`);
  });

  it('[newer-program] reads a bank that is longer, and builds nothing', async () => {
    editAccount(world.localnet.ledger, bankLayout, bankOf('ORCA'), (bank) => ({
      ...bank,
      config: { ...bank.config, oracleSetup: 3 },
    }));
    await pass();
    const bank = bankOf('USDT');
    const state = world.localnet.ledger.account(bank, 'processed');
    if (state === undefined) throw new TypeError('The demo market has the bank');
    const data = new Uint8Array(state.data.length + 100).fill(255);
    data.set(state.data);
    world.localnet.ledger.writeAccounts([[bank, { ...state, data }]]);
    await deployNewer();
    await eventually(async () => {
      const refused = await buildDeposit('USDC');
      expect(refused).toMatchObject({ status: 503, code: 'PROGRAM_UNSUPPORTED' });
      expect(refused.text).toContain(`A bank has ${data.length} bytes, which no version known here writes`);
    });
    const { banks } = await banksOf();
    expect(banks.find((each) => each.address === bank)?.price_usd).toBeGreaterThan(0);
    for (const path of ['banks', 'reserves', 'strategies', `account/${(await demoWallet('saver')).address}`]) {
      expect((await fetch(`${world.api.url}/v1/${path}`)).status, path).toBe(200);
    }
  });
});
