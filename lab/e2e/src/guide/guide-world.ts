import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  connectBlockEngine,
  connectNode,
  demoWallet,
  giveTokens,
  parseEnvelope,
  requestSol,
  sendEnvelope,
} from '@lending/examples';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { address, createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder, type KeyPairSigner } from '@solana/kit';
import pg from 'pg';
import { chainUrlOf } from '../chain-url.ts';
import { issueToken } from '../clients/issue-token.ts';
import { eventually } from '../eventually.ts';
import { getJson } from '../http.ts';

/** What `npm start` runs, with a wallet as the guide's reader has one: SOL deposited, USDC borrowed, both in the wallet too. */
export interface GuideWorld {
  readonly url: string;
  readonly rpcUrl: string;
  readonly mcp: Client;
  readonly db: pg.Client;
  /** What the pages' placeholders stand for, by the names that they have in shell examples. */
  readonly values: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';
export const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Starts all of it; about ten seconds. */
export async function openGuideWorld(): Promise<GuideWorld> {
  const dataDir = await createDataDir('guide');
  const app = await startEmbedded({ dataDir });
  try {
    return await openDoors(app, dataDir);
  } catch (error) {
    await app.stop();
    throw error;
  }
}

async function openDoors(app: RunningProcess, dataDir: string): Promise<GuideWorld> {
  const { baseUrl: url } = app;
  const rpcUrl = await chainUrlOf(app);
  await eventually(async () => {
    const { ready } = await getJson<{ readonly ready: boolean }>(`${url}/v1/status`);
    if (!ready) throw new Error('not ready');
  });
  const seed = randomBytes(32);
  const wallet = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const account = await openPosition(url, rpcUrl, wallet);
  const values = {
    ...(await knownValues(url, wallet, account)),
    TOKEN: await issueToken(dataDir, 'a reader of the guide'),
    SECRET_KEY: keyOf(seed, wallet),
    DATA_DIR: dataDir,
  };
  const db = new pg.Client({ connectionString: (await readFile(join(dataDir, 'database-url'), 'utf8')).trim() });
  await db.connect();
  const mcp = new Client({ name: 'guide', version: '1' });
  await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  return {
    url,
    rpcUrl,
    mcp,
    db,
    values,
    async stop() {
      await mcp.close();
      await db.end();
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Deposits 30 SOL and borrows 300 USDC; 50 USDC more are for the interest. */
async function openPosition(url: string, rpcUrl: string, wallet: KeyPairSigner): Promise<string> {
  await requestSol(rpcUrl, wallet.address, 80);
  await giveTokens(rpcUrl, await demoWallet('saver'), wallet.address, {
    mint: address(USDC_MINT),
    decimals: 6,
    amountBase: 50_000_000n,
  });
  const steps = [
    { kind: 'deposit', body: { bank: SOL_BANK, amount: 30 } },
    { kind: 'borrow', body: { bank: USDC_BANK, amount: 300 } },
  ];
  let account = '';
  for (const { kind, body } of steps) {
    const envelope = await eventually(async () => {
      const response = await fetch(`${url}/v1/tx/${kind}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ authority: wallet.address, ...body }),
      });
      if (!response.ok) throw new Error(await response.text());
      return parseEnvelope(await response.json());
    });
    account = envelope.account;
    const node = connectNode(rpcUrl);
    await sendEnvelope(envelope, wallet, { node, engine: connectBlockEngine(rpcUrl), print: () => {} });
  }
  return account;
}

async function knownValues(url: string, wallet: KeyPairSigner, account: string): Promise<Record<string, string>> {
  const shown = await eventually(() =>
    getJson<{ readonly activity: readonly { readonly kind: string; readonly signature: string }[] }>(
      `${url}/v1/activity/${wallet.address}`,
    ).then(({ activity }) => {
      const borrowed = activity.find(({ kind }) => kind === 'borrow');
      if (borrowed === undefined) throw new Error('the loan is not shown yet');
      return borrowed;
    }),
  );
  const { reserves } = await getJson<{ readonly reserves: readonly { readonly address: string }[] }>(
    `${url}/v1/reserves?limit=1`,
  );
  return {
    WALLET: wallet.address,
    ACCOUNT: account,
    SOL_BANK,
    USDC_BANK,
    RESERVE: reserves[0]?.address ?? '',
    SIGNATURE: shown.signature,
    LAST_ID: await lastIdOf(`${url}/v1/stream?health=${account}&activity=${account}`),
  };
}

/** Of the first event of a stream, which is left then. */
async function lastIdOf(stream: string): Promise<string> {
  const { body } = await fetch(stream);
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const id = /^id: ?(\S+)$/m.exec(text)?.[1];
    if (id !== undefined) return id;
  }
  throw new Error(`${stream} ended without an event`);
}

/** As `solana-keygen` writes it: seed and public key, a JSON array. */
function keyOf(seed: Uint8Array, wallet: KeyPairSigner): string {
  return JSON.stringify([...seed, ...getAddressEncoder().encode(wallet.address)]);
}
