import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import { pullFeedLayout } from '@lending/programs';
import { createSwitchboardCranker } from '@lending/transactions';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES, hasFixtures } from '../config.ts';

const IDL = resolve(FIXTURES, 'idl/switchboard-on-demand@0.1.0.json');
const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const PAYER = address('CYXEgwbPHu2f9cY3mcUkinzDoDcsSan7myh1uBvYRbEw');
/** mSOL, JupSOL and INF of the demo market, at mainnet's addresses. */
const FEEDS = [
  'HBkp4ppTRv9HjAKLz7Wjo1zRUd1m1o7Nn3uaapCRfT21',
  'BRCWKZ1PevwTFzBL2MLZM5hMwCNMWE8NYuS6zFPaXZ6y',
  '48tBfE2bjtmEi4XKaQPc81SHQj3Srr1HN6AJJqeEiPNY',
].map((feed) => address(feed));

/** Only what is asked of the SDK here: its own types are those of an Anchor that is not ours. */
interface OnDemand {
  readonly PullFeed: {
    new (program: unknown, key: PublicKey): { data: unknown };
    fetchUpdateManyIx(program: unknown, params: unknown): Promise<[TransactionInstruction[], unknown[], unknown]>;
  };
}

let localnet: OpenedLocalnet;
let url: string;

beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await localnet.start();
  for (let slot = 0; slot < 3; slot += 1) localnet.ledger.advanceSlot();
  url = localnet.switchboardUrl ?? expect.fail('Switchboard is not served');
});
afterAll(() => localnet.stop());

function feedAt(feed: Address) {
  return pullFeedLayout.decode(localnet.ledger.account(feed)?.data ?? expect.fail());
}

/** What the SDK makes of what the double of Switchboard serves. */
async function officialCrank(
  feeds: readonly Address[],
  signatures: number,
): Promise<readonly TransactionInstruction[]> {
  const { default: anchor } = await import('@coral-xyz/anchor');
  const { CrossbarClient } = await import('@switchboard-xyz/common');
  const { PullFeed } = (await import('@switchboard-xyz/on-demand')) as unknown as OnDemand;
  const connection = { getGenesisHash: () => Promise.resolve(MAINNET) };
  const program = new anchor.Program(JSON.parse(readFileSync(IDL, 'utf8')), { connection } as never);
  const pullFeeds = feeds.map((key) => {
    const { queue, feedHash, maxVariance, minResponses } = feedAt(key);
    const pullFeed = new PullFeed(program, new PublicKey(key));
    pullFeed.data = {
      queue: new PublicKey(queue),
      feedHash: [...feedHash],
      maxVariance: new anchor.BN(maxVariance.toString()),
      minResponses,
    };
    return pullFeed;
  });
  const [instructions] = await PullFeed.fetchUpdateManyIx(program, {
    feeds: pullFeeds,
    numSignatures: signatures,
    crossbarClient: new CrossbarClient(url),
    payer: new PublicKey(PAYER),
  });
  return instructions;
}

const ours = ({ programAddress, accounts, data }: Instruction) => ({
  program: programAddress,
  accounts: (accounts ?? []).map(({ address: key, role }) => ({
    key,
    isSigner: role >= AccountRole.READONLY_SIGNER,
    isWritable: role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER,
  })),
  data: Buffer.from(data ?? []).toString('hex'),
});

const theirs = ({ programId, keys, data }: TransactionInstruction) => ({
  program: programId.toBase58(),
  accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({ key: pubkey.toBase58(), isSigner, isWritable })),
  data: data.toString('hex'),
});

describe.skipIf(!hasFixtures)('a crank beside the official SDK’s (FIXTURES_DIR)', () => {
  it.each([
    [1, 1],
    [1, 3],
    [3, 1],
    [3, 3],
  ])(
    'of %s feeds with %s signatures has the same bytes and accounts for the same answer',
    async (feedCount, signatures) => {
      const feeds = FEEDS.slice(0, feedCount);
      const cranker = createSwitchboardCranker({ crossbarUrl: url, gatewayHosts: ['127.0.0.1'], signatures });
      const wanted = feeds.map((key) => ({ address: key, feed: feedAt(key) }));
      const [crank] = await cranker.crank(wanted, PAYER);
      const official = await officialCrank(feeds, signatures);
      expect(crank?.feeds).toEqual(feeds);
      expect(crank?.instructions.map(ours)).toEqual(official.map(theirs));
    },
  );

  it('finds the feed’s hash to be the SDK’s of the jobs that crossbar tells', async () => {
    const { FeedHash } = await import('@switchboard-xyz/common');
    for (const key of FEEDS) {
      const { feedHash, queue } = feedAt(key);
      const answer = await fetch(`${url}/fetch/${Buffer.from(feedHash).toString('hex')}`);
      const { jobs } = (await answer.json()) as { readonly jobs: never[] };
      expect([...FeedHash.compute(new PublicKey(queue).toBuffer(), jobs)]).toEqual([...feedHash]);
    }
  });
});
