import type { MarginfiAccountWrapper, MarginfiClient } from '@mrgnlabs/marginfi-client-v2';
import { PublicKey } from '@solana/web3.js';
import { fetchSdkSwap } from './sdk-swap.ts';

/** A loop or a partial close, as the SDK is asked for it: amounts in whole tokens of the deposit bank, or of the debt. */
export type SdkLeverage = {
  readonly depositBank: string;
  readonly borrowBank: string;
  readonly amount: number;
} & ({ readonly kind: 'loop'; readonly leverage: number } | { readonly kind: 'close_position' });

/** The SDK and its own parts come with several copies of the same classes. */
export type SdkTransaction = Parameters<MarginfiClient['simulateTransactions']>[0][number];

/** More collateral than a repayment is worth, for slippage: the SDK leaves that to its caller. */
const CLOSE_MARGIN = 1.01;

interface SwappedToken {
  readonly mint: string;
  readonly decimals: number;
  readonly price: number;
}

interface Pair {
  readonly addresses: { readonly depositBankAddress: PublicKey; readonly borrowBankAddress: PublicKey };
  readonly deposit: SwappedToken;
  readonly borrow: SwappedToken;
}

/** The SDK's own flash loan around a swap that its caller had quoted. */
export async function leverageTransactions(
  client: MarginfiClient,
  account: MarginfiAccountWrapper,
  action: SdkLeverage,
  swapUrl: string,
): Promise<SdkTransaction[]> {
  const depositBankAddress = new PublicKey(action.depositBank);
  const borrowBankAddress = new PublicKey(action.borrowBank);
  const pair: Pair = {
    addresses: { depositBankAddress, borrowBankAddress },
    deposit: tokenOf(client, depositBankAddress),
    borrow: tokenOf(client, borrowBankAddress),
  };
  const { transactions } =
    action.kind === 'loop' ? await loop(account, action, pair, swapUrl) : await close(account, action, pair, swapUrl);
  return transactions as unknown as SdkTransaction[];
}

async function loop(
  account: MarginfiAccountWrapper,
  { amount, leverage }: Extract<SdkLeverage, { readonly kind: 'loop' }>,
  { addresses, deposit, borrow }: Pair,
  swapUrl: string,
) {
  const { depositBankAddress, borrowBankAddress } = addresses;
  const { borrowAmount } = account.computeLoopingParams(amount, leverage, depositBankAddress, borrowBankAddress);
  const inBase = toBase(borrowAmount.toNumber(), borrow);
  const taker = account.authority.toBase58();
  const swap = await fetchSdkSwap(swapUrl, { inputMint: borrow.mint, outputMint: deposit.mint, inBase, taker });
  return account.makeLoopTxV2({
    ...addresses,
    inputDepositAmount: amount,
    depositAmount: amount + toTokens(swap.minOutBase, deposit),
    borrowAmount: toTokens(inBase, borrow),
    swap,
  });
}

async function close(
  account: MarginfiAccountWrapper,
  { amount }: SdkLeverage,
  { addresses, deposit, borrow }: Pair,
  swapUrl: string,
) {
  const inBase = toBase(((amount * borrow.price) / deposit.price) * CLOSE_MARGIN, deposit);
  const taker = account.authority.toBase58();
  const swap = await fetchSdkSwap(swapUrl, { inputMint: deposit.mint, outputMint: borrow.mint, inBase, taker });
  return account.makeRepayWithCollatTxV2({
    ...addresses,
    repayAmount: amount,
    withdrawAmount: toTokens(inBase, deposit),
    swap,
  });
}

function tokenOf(client: MarginfiClient, address: PublicKey): SwappedToken {
  const bank = client.getBankByPk(address);
  const price = client.getOraclePriceByBank(address);
  if (bank === null || price === null) throw new TypeError(`The SDK does not know the bank ${address}`);
  return { mint: bank.mint.toBase58(), decimals: bank.mintDecimals, price: price.priceRealtime.price.toNumber() };
}

/** The SDK counts in numbers; so does who uses it. */
function toBase(tokens: number, { decimals }: SwappedToken): bigint {
  return BigInt(Math.floor(tokens * 10 ** decimals));
}

function toTokens(base: bigint, { decimals }: SwappedToken): number {
  return Number(base) / 10 ** decimals;
}
