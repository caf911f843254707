// @boundaries-ignore the official SDKs are installed apart, and only conformance reaches them
import { openSdkWorker, type SdkAction, type SdkWorker } from '../../../parity/src/sdk/sdk-client.ts';

/** Banks of the demo market with feeds of Pyth: the SDK asks the internet for others. */
const CBBTC = 'Ac4KV5K5isDqtABtg6h5DiwzZMe3Sp9bc3pBiCUvUpaQ';
const USDC = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const USDT = 'HmpMfL8942u22htC4EMiWgLX931g3sacXFR6KjuLgKLV';

/** What is built again and again; none of it is ever sent. */
export const ACTIONS: readonly SdkAction[] = [
  { kind: 'deposit', bank: USDC, amount: 5 },
  { kind: 'withdraw', bank: CBBTC, amount: 0.1 },
  { kind: 'borrow', bank: USDT, amount: 10 },
  { kind: 'repay', bank: USDT, amount: 10 },
];

/** Amounts in whole tokens. */
type Leverage = { readonly depositBank: string; readonly borrowBank: string; readonly amount: number } & (
  | { readonly kind: 'loop'; readonly leverage: number }
  | { readonly kind: 'close_position' }
);

/** A stable pair, of which everybody's tables know both banks; never sent either. */
export const LEVERAGES: readonly Leverage[] = [
  { kind: 'loop', depositBank: USDC, borrowBank: USDT, amount: 100, leverage: 3 },
  { kind: 'close_position', depositBank: USDC, borrowBank: USDT, amount: 100 },
];

/** A wallet of the demo market with two deposits and a debt, which the official SDK made: it can build and send here, too. */
export interface Borrower {
  readonly sdk: SdkWorker;
  readonly account: string;
}

export async function openBorrower(rpcUrl: string, banks: readonly string[]): Promise<Borrower> {
  const sdk = await openSdkWorker(rpcUrl, 'borrower', banks);
  const account = await sdk.createAccount();
  await sdk.perform(account, { kind: 'deposit', bank: CBBTC, amount: 1 });
  await sdk.perform(account, { kind: 'deposit', bank: USDC, amount: 500 });
  await sdk.perform(account, { kind: 'borrow', bank: USDT, amount: 1_000 });
  return { sdk, account };
}

/** Asks the service for a build. @throws Error with the answer when it is not one. */
export async function postBuild(baseUrl: string, path: string, body: Readonly<Record<string, unknown>>): Promise<void> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: HTTP ${response.status} ${text}`);
}
