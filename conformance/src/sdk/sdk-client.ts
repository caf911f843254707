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
import { fetchSdkSwap } from './sdk-swap.ts';

/** What the SDK is asked for, in its own words: amounts in whole tokens. */
export interface SdkAction {
  readonly kind: 'deposit' | 'withdraw' | 'borrow' | 'repay';
  readonly bank: string;
  readonly amount: number;
}

/** A loop or a partial close, as the SDK is asked for it: amounts in whole tokens of the deposit bank, or of the debt. */
export type SdkLeverage = {
  readonly depositBank: string;
  readonly borrowBank: string;
  readonly amount: number;
} & ({ readonly kind: 'loop'; readonly leverage: number } | { readonly kind: 'close_position' });

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
  /** What an envelope of ours knows, too: banks, prices and account read anew, the transaction, and the state that simulating it leaves. */
  buildAsWeDo(account: string, action: SdkAction): Promise<void>;
  /** The same two for loops and closes, with a swap quoted at the aggregator's URL. */
  leverageBarely(account: string, action: SdkLeverage, swapUrl: string): Promise<void>;
  leverageAsWeDo(account: string, action: SdkLeverage, swapUrl: string): Promise<void>;
}

/** The SDK and its own parts come with several copies of the same classes. */
type SdkTransaction = Parameters<MarginfiClient['simulateTransactions']>[0][number];

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
    async buildAsWeDo(account, action) {
      await client.reload();
      const wrapper = await fetchAccount(account);
      const bank = new PublicKey(action.bank);
      const transaction = await transactionOf(wrapper, action);
      await silently(() =>
        wrapper.simulateBorrowLendTransaction([transaction], [bank], {
          enabled: true,
          mandatoryBanks: [bank],
          excludedBanks: [],
        }),
      );
    },
    async leverageBarely(account, action, swapUrl) {
      const wrapper = await fetchAccount(account);
      const transactions = await leverageTransactions(client, wrapper, action, swapUrl);
      await client.simulateTransactions(transactions, [wrapper.address]);
    },
    async leverageAsWeDo(account, action, swapUrl) {
      await client.reload();
      const wrapper = await fetchAccount(account);
      const transactions = await leverageTransactions(client, wrapper, action, swapUrl);
      const banks = [new PublicKey(action.depositBank), new PublicKey(action.borrowBank)];
      await silently(() =>
        wrapper.simulateBorrowLendTransaction(transactions, banks, {
          enabled: true,
          mandatoryBanks: banks,
          excludedBanks: [],
        }),
      );
    },
  };
}

/** More collateral than a repayment is worth, for slippage: what the SDK's reference asks its caller to see to. */
const CLOSE_MARGIN = 1.01;

/** The SDK's own flash loan around a swap that its caller had quoted. */
async function leverageTransactions(
  client: MarginfiClient,
  account: MarginfiAccountWrapper,
  action: SdkLeverage,
  swapUrl: string,
): Promise<SdkTransaction[]> {
  const [depositBankAddress, borrowBankAddress] = [new PublicKey(action.depositBank), new PublicKey(action.borrowBank)];
  const [deposit, borrow] = [depositBankAddress, borrowBankAddress].map((address) => {
    const bank = client.getBankByPk(address);
    const price = client.getOraclePriceByBank(address);
    if (bank === null || price === null) throw new TypeError(`The SDK does not know the bank ${address}`);
    return { mint: bank.mint.toBase58(), decimals: bank.mintDecimals, price: price.priceRealtime.price.toNumber() };
  }) as [SwappedToken, SwappedToken];
  const taker = account.authority.toBase58();
  const pair = { depositBankAddress, borrowBankAddress };
  if (action.kind === 'loop') {
    const { borrowAmount } = account.computeLoopingParams(
      action.amount,
      action.leverage,
      depositBankAddress,
      borrowBankAddress,
    );
    const inBase = toBase(borrowAmount.toNumber(), borrow);
    const swap = await fetchSdkSwap(swapUrl, { inputMint: borrow.mint, outputMint: deposit.mint, inBase, taker });
    const { transactions } = await account.makeLoopTxV2({
      ...pair,
      inputDepositAmount: action.amount,
      depositAmount: action.amount + Number(swap.minOutBase) / 10 ** deposit.decimals,
      borrowAmount: Number(inBase) / 10 ** borrow.decimals,
      swap,
    });
    return transactions as unknown as SdkTransaction[];
  }
  const inBase = toBase(((action.amount * borrow.price) / deposit.price) * CLOSE_MARGIN, deposit);
  const swap = await fetchSdkSwap(swapUrl, { inputMint: deposit.mint, outputMint: borrow.mint, inBase, taker });
  const { transactions } = await account.makeRepayWithCollatTxV2({
    ...pair,
    repayAmount: action.amount,
    withdrawAmount: Number(inBase) / 10 ** deposit.decimals,
    swap,
  });
  return transactions as unknown as SdkTransaction[];
}

interface SwappedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly price: number;
}

/** The SDK counts in numbers; so does who uses it. */
function toBase(amount: number, { decimals }: SwappedToken): bigint {
  return BigInt(Math.floor(amount * 10 ** decimals));
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

/** The SDK prints the account it simulated. */
async function silently<T>(work: () => Promise<T>): Promise<T> {
  const { log } = console;
  console.log = () => undefined;
  try {
    return await work();
  } finally {
    console.log = log;
  }
}
