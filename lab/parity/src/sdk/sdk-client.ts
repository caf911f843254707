import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getConfig, MarginfiAccountWrapper, MarginfiClient } from '@mrgnlabs/marginfi-client-v2';
import { NodeWallet } from '@mrgnlabs/mrgn-common';
import {
  Connection,
  Keypair,
  PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';

type SdkTransaction = Parameters<MarginfiClient['simulateTransactions']>[0][number];

/** What the SDK is asked for, in its own words: amounts in whole tokens. */
export interface SdkAction {
  readonly kind: 'deposit' | 'withdraw' | 'borrow' | 'repay';
  readonly bank: string;
  readonly amount: number;
}

/** The official SDK at work for one wallet of the local chain's demo market, on a node. */
export interface SdkWorker {
  readonly wallet: string;
  /** Opens a lending account, and returns its address once it stands. */
  createAccount(): Promise<string>;
  /** Builds, signs, sends, and waits until it is confirmed. */
  perform(account: string, action: SdkAction): Promise<void>;
  /**
   * The least the SDK does for a transaction that was seen to pass: the account read anew, the transaction, one simulation. Banks and
   * prices are as old as the client.
   */
  buildBarely(account: string, action: SdkAction): Promise<void>;
}

const CONFIRMATION_POLLS = 100;
const POLL_MS = 100;

/**
 * @param name of a demo wallet, whose key the market publishes.
 * @param banks P0's own. Left to find them, the SDK stops at the first bank on a venue that its interface description does not know.
 */
export async function openSdkWorker(rpcUrl: string, name: string, banks: readonly string[]): Promise<SdkWorker> {
  const payer = Keypair.fromSeed(createHash('sha256').update(`lending demo wallet: ${name}`).digest());
  const connection = new Connection(rpcUrl, 'confirmed');
  // Names of banks, which the SDK would fetch from the internet and needs for staked collateral alone.
  const client = await MarginfiClient.fetch(getConfig('production'), new NodeWallet(payer as never), connection, {
    bankMetadataMap: {},
    preloadedBankAddresses: banks.map((bank) => new PublicKey(bank)),
  });

  async function send(instructions: readonly TransactionInstruction[], signers: readonly Keypair[]): Promise<void> {
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = compile(instructions, blockhash);
    transaction.sign([payer, ...signers]);
    const signature = await connection.sendRawTransaction(transaction.serialize());
    for (let poll = 0; poll < CONFIRMATION_POLLS; poll += 1) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value?.err != null) throw new Error(`${signature} failed: ${JSON.stringify(value.err)}`);
      if (value?.confirmationStatus === 'confirmed' || value?.confirmationStatus === 'finalized') return;
      await sleep(POLL_MS);
    }
    throw new Error(`${signature} was not confirmed`);
  }

  function compile(instructions: readonly TransactionInstruction[], blockhash: string): VersionedTransaction {
    const message = new TransactionMessage({
      payerKey: payer.publicKey,
      recentBlockhash: blockhash,
      instructions: [...instructions],
    });
    return new VersionedTransaction(message.compileToV0Message(client.addressLookupTables));
  }

  const fetchAccount = (account: string) => MarginfiAccountWrapper.fetch(new PublicKey(account), client);

  return {
    wallet: payer.publicKey.toBase58(),
    async createAccount() {
      const account = Keypair.generate();
      const { instructions } = await client.makeCreateMarginfiAccountIx(account.publicKey);
      await send(instructions, [account]);
      return account.publicKey.toBase58();
    },
    async perform(account, action) {
      await send(await instructionsOf(await fetchAccount(account), action), []);
    },
    async buildBarely(account, action) {
      const wrapper = await fetchAccount(account);
      const transaction = await transactionOf(wrapper, action);
      await client.simulateTransactions([transaction], [wrapper.address, new PublicKey(action.bank)]);
    },
  };
}

async function instructionsOf(
  account: MarginfiAccountWrapper,
  { kind, bank, amount }: SdkAction,
): Promise<readonly TransactionInstruction[]> {
  const address = new PublicKey(bank);
  switch (kind) {
    case 'deposit':
      return (await account.makeDepositIx(amount, address)).instructions;
    case 'withdraw':
      return (await account.makeWithdrawIx(amount, address)).instructions;
    case 'borrow':
      return (await account.makeBorrowIx(amount, address)).instructions;
    case 'repay':
      return (await account.makeRepayIx(amount, address)).instructions;
    default:
      return kind satisfies never;
  }
}

/** The SDK's own transactions: versioned with a blockhash for what takes tokens out, and legacy without one for what pays them in. */
async function transactionOf(
  account: MarginfiAccountWrapper,
  { kind, bank, amount }: SdkAction,
): Promise<SdkTransaction> {
  const address = new PublicKey(bank);
  if (kind === 'deposit') return account.makeDepositTx(amount, address) as Promise<unknown> as Promise<SdkTransaction>;
  if (kind === 'repay') return account.makeRepayTx(amount, address) as Promise<unknown> as Promise<SdkTransaction>;
  const { transactions, actionTxIndex } =
    kind === 'withdraw' ? await account.makeWithdrawTx(amount, address) : await account.makeBorrowTx(amount, address);
  const transaction = transactions[actionTxIndex];
  if (transaction === undefined) throw new TypeError(`The SDK made no transaction to ${kind}`);
  return transaction as unknown as SdkTransaction;
}
