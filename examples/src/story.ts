import { type Address, address, generateKeyPairSigner, type KeyPairSigner, type Signature } from '@solana/kit';
import { connectBlockEngine } from './block-engine-port.ts';
import type { readConfig } from './config.ts';
import { demoWallet, giveTokens, requestSol } from './demo-wallet.ts';
import { connectNode, type NodePort } from './node-port.ts';
import { sendEnvelope } from './send-envelope.ts';
import type { Bank, Positions, StoryService } from './story-service.ts';
import { untilShown } from './until-shown.ts';

/** What a story prints and hands back, step by step. */
export interface StoryStep {
  readonly action: string;
  readonly account: string;
  readonly signature: Signature;
  /** What the index held of the account once it had seen the step: `lend 5 SOL`, `borrow 100 USDC`. */
  readonly positions: readonly string[];
}

export interface StoryDeps {
  readonly service: StoryService;
  readonly config: ReturnType<typeof readConfig>;
  readonly print: (line: string) => void;
  /** Null: a fresh key, which the faucet and a demo wallet fund. */
  readonly wallet: KeyPairSigner | null;
}

/** The dollars that interest costs while the debts stand a moment, and some to spare. */
const GIFT_BASE = 50_000_000n;

/**
 * A whole life of a lending account on the local chain: created, lent to, borrowed from, repaid, emptied, then looped and closed. Every step
 * is built by the service, signed here, sent to the node, verified, and awaited in the index.
 */
export async function tellStory({ service, config, print, wallet: given }: StoryDeps): Promise<readonly StoryStep[]> {
  const teller: Teller = { service, node: connectNode(config.rpcUrl), config, print };
  const [sol, usdc] = await Promise.all([findBank(service, 'SOL'), findBank(service, 'USDC')]);
  const wallet = given ?? (await fundedWallet(teller, usdc));
  const authority = wallet.address;
  print(`Wallet ${authority}\n`);
  const steps: StoryStep[] = [];
  for (const scene of scenesWith(sol.address, usdc.address)) steps.push(await perform(teller, wallet, scene));
  return steps;
}

/** What is asked of a builder, and what the account is to hold afterwards. */
interface Scene {
  readonly action: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly sides: readonly ('lend' | 'borrow')[];
}

function scenesWith(sol: string, usdc: string): readonly Scene[] {
  const pair = { deposit_bank: sol, borrow_bank: usdc };
  return [
    { action: 'create-account', body: {}, sides: [] },
    { action: 'deposit', body: { bank: sol, amount: 5 }, sides: ['lend'] },
    { action: 'borrow', body: { bank: usdc, amount: '100' }, sides: ['lend', 'borrow'] },
    { action: 'repay', body: { bank: usdc, repay_all: true }, sides: ['lend'] },
    { action: 'withdraw', body: { bank: sol, withdraw_all: true }, sides: [] },
    { action: 'loop', body: { ...pair, amount: 2, leverage: 2 }, sides: ['lend', 'borrow'] },
    { action: 'close-position', body: { ...pair, repay_all: true }, sides: ['lend'] },
    { action: 'withdraw', body: { bank: sol, withdraw_all: true }, sides: [] },
  ];
}

interface Teller {
  readonly service: StoryService;
  readonly node: NodePort;
  readonly config: StoryDeps['config'];
  readonly print: (line: string) => void;
}

async function perform(teller: Teller, wallet: KeyPairSigner, { action, body, sides }: Scene): Promise<StoryStep> {
  const { service, node, config, print } = teller;
  const { address: authority } = wallet;
  const envelope = await service.build(action, { authority, ...body });
  const engine = connectBlockEngine(config.blockEngineUrl);
  const signatures = await sendEnvelope(envelope, wallet, { node, engine, print });
  const signature = signatures[envelope.action_tx_index];
  if (signature === undefined)
    throw new Error(`${action}: the envelope has no transaction ${envelope.action_tx_index}`);
  print(`  landed: ${signature}`);
  await expectPromised(teller, signature, envelope.plan_id);
  const kind = action.replace('-', '_');
  await untilShown(
    `the activity of ${signature}`,
    () => service.getActivity(authority),
    ({ activity }) => activity.find((entry) => entry.signature === signature && entry.kind === kind),
  );
  const account = await untilShown(
    `the account ${envelope.account} after ${action}`,
    () => service.getPositions(authority),
    ({ accounts }) => accounts.find((one) => one.address === envelope.account && holds(one.positions, sides)),
  );
  const positions = account.positions.map(({ side, symbol, amount_ui }) => `${side} ${amount_ui} ${symbol}`);
  const { status, health_factor } = account.health;
  print(`  the index shows: ${positions.join(', ') || 'no balance'}; ${status}, health factor ${health_factor}\n`);
  return { action, account: envelope.account, signature, positions };
}

/** @throws Error when the service says that what landed is not what was promised. */
async function expectPromised({ service, print }: Teller, signature: Signature, planId: string): Promise<void> {
  const { success, plan, advice } = await untilShown(
    `that ${signature} landed`,
    () => service.verify(signature, planId),
    (answer) => (answer.landed === null ? undefined : answer),
  );
  if (success !== true) throw new Error(`${signature} did not succeed: ${advice}`);
  if (plan?.matches === false)
    throw new Error(`${signature} is not what was promised: ${JSON.stringify(plan.differences)}`);
  print(`  verified: ${plan?.matches === true ? 'what moved is what was promised' : 'it succeeded'}`);
}

/** Activity and balances are told by different messages: the later of them is waited for. */
function holds(positions: Positions['accounts'][number]['positions'], sides: Scene['sides']): boolean {
  return [...new Set(positions.map(({ side }) => side))].toSorted().join() === sides.toSorted().join();
}

async function findBank(service: StoryService, symbol: string): Promise<Bank> {
  const { banks } = await service.getBanks(symbol);
  const [bank] = banks;
  if (bank === undefined) throw new Error(`The service knows no ${symbol} bank of P0`);
  return bank;
}

async function fundedWallet({ config, print, service }: Teller, usdc: Bank): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  const gift = { mint: address(usdc.mint), decimals: usdc.decimals, amountBase: GIFT_BASE };
  await requestSol(config.rpcUrl, wallet.address, 20);
  const saver = await demoWallet('saver');
  await giveTokens(config.rpcUrl, saver, wallet.address, gift);
  print('A fresh wallet: 20 SOL from the faucet, 50 USDC from a demo wallet.');
  await untilFunded(service, wallet.address);
  return wallet;
}

async function untilFunded(service: StoryService, wallet: Address): Promise<void> {
  await untilShown(
    'the tokens of the wallet',
    () => service.getWallet(wallet),
    ({ tokens }) => (tokens.some(({ symbol }) => symbol === 'USDC') ? true : undefined),
  );
}
