import { createHash } from 'node:crypto';
import { tokenAccountLayout } from '@lending/programs';
import {
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import type { Outcome } from '#ledger/execution.ts';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { SWAP_LOOKUP_TABLE, SWAP_TABLE_ADDRESSES } from '#market/swap-table.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { fundWallet } from '#market/wallet-accounts.ts';
import { type OpenedLocalnet, openLocalnet } from '../../open-localnet.ts';
import type { AggregatorName } from '../aggregator-name.ts';
import { askAggregator, type TestAnswer, type TestOrder } from './ask-aggregator.ts';

/** The demo market standing still, and a wallet of it that trades. */
export interface SwapWorld {
  readonly node: OpenedLocalnet;
  readonly wallet: Address;
  ask(aggregator: AggregatorName, order: Omit<TestOrder, 'taker'>): Promise<TestAnswer>;
  urlOf(aggregator: AggregatorName): string;
  /** Base units in the wallet's associated account, or in another owner's. */
  held(token: DemoTokenName, owner?: Address): bigint;
  /** Signs with the wallet's key and lets it run, with the swaps' lookup table. */
  submit(instructions: readonly Instruction[]): Promise<Outcome>;
  /** Gives the wallet again what it began with. */
  refill(): Promise<void>;
}

const WALLET_SOL = 1_000_000_000_000n;
const HELD: Readonly<Partial<Record<DemoTokenName, bigint>>> = {
  USDC: 2_000_000_000_000n,
  SOL: 500_000_000_000n,
  JitoSOL: 500_000_000_000n,
  LEVY: 1_000_000_000n,
  PYUSD: 1_000_000_000n,
};

export async function openSwapWorld(): Promise<SwapWorld> {
  const node = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await node.start();
  const key = createHash('sha256').update('lending demo wallet: looper').digest();
  const signer = await createKeyPairSignerFromPrivateKeyBytes(key);
  const wallet = signer.address;
  const urlOf = (aggregator: AggregatorName) => node.aggregatorUrls?.[aggregator] ?? '';
  return {
    node,
    wallet,
    urlOf,
    ask: (aggregator, order) => askAggregator(aggregator, urlOf(aggregator), { ...order, taker: wallet }),
    held(token, owner = wallet) {
      const account = node.ledger.account(tokenAccountOf(owner, DEMO_TOKENS[token]));
      return account === undefined ? 0n : tokenAccountLayout.decode(account.data).amount;
    },
    async submit(instructions) {
      const tables = { [SWAP_LOOKUP_TABLE]: [...SWAP_TABLE_ADDRESSES] };
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(signer, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(node.ledger.latestBlockhash('processed'), paid),
        (dated) => appendTransactionMessageInstructions(instructions, dated),
        (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
      );
      const transaction = await signTransactionMessageWithSigners(message);
      return node.ledger.submit(new Uint8Array(getTransactionEncoder().encode(transaction)));
    },
    refill: () => fundWallet(node.ledger, wallet, { lamports: WALLET_SOL, tokens: HELD }),
  };
}
