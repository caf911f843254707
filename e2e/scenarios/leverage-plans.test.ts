import { parseEnvelope, signEnvelope } from '@lending/examples';
import { useDatabase } from '@lending/testing';
import { getBase64Encoder, type KeyPairSigner, type Signature } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDice } from '../src/builders/dice.ts';
import { fund } from '../src/builders/made-wallet.ts';
import { askRest, build } from '../src/error-codes/provoked.ts';
import { openTwoDoors, type TwoDoors } from '../src/error-codes/two-doors.ts';
import { movePrice } from '../src/leverage/move-price.ts';
import { findPair, PAIRS, type Pair } from '../src/leverage/pairs.ts';

/** What an answer of a builder, or of what follows one, has in it that these tests look at. */
interface Answer {
  readonly plan_id: string;
  readonly action_tx_index: number;
  readonly swap: { readonly in_raw: string; readonly min_out_raw: string; readonly out_raw: string } | null;
  readonly simulation: {
    readonly token_changes: readonly { readonly mint: string; readonly delta_raw: string }[];
    readonly post_health: { readonly health_ratio: number | null };
    readonly position: { readonly deposit_delta_raw: string; readonly borrow_delta_raw: string };
  };
}

const SOL = 1_000_000_000n;
/** A node that was asked for a status has named a slot that it has yet to confirm, and is not asked for less afterwards. */
const CONFIRMING_SLOTS = 4;
const dice = createDice('leverage plans');
const database = useDatabase();
let doors: TwoDoors;

beforeAll(async () => {
  doors = await openTwoDoors(database.db, { hasTables: true });
});

afterAll(async () => {
  await doors?.stop();
});

describe('[leverage-plans] what was planned, simulated again and verified', () => {
  it.each([
    ['SOL on dollars', '2'],
    ['a staked SOL on SOL', '3'],
    ['SOL at Kamino', '1.5'],
    ['one dollar at two places', '2'],
  ])('%s at %s: fares again as it was told, and did what was promised', async (name, leverage) => {
    const { wallet, pair } = await prepared(name);
    const looped = await loop(wallet, pair, leverage);
    await expectSameAgain(looped);
    expect(await landed(looped, wallet)).toMatchObject({
      success: true,
      activity: expect.arrayContaining([
        expect.objectContaining({ kind: 'borrow', bank: pair.borrow.address }),
        expect.objectContaining({ kind: 'deposit', bank: pair.deposit.address }),
      ]),
      plan: { transaction_index: looped.action_tx_index, matches: true, differences: [] },
    });
    const closed = await close(wallet, pair, { repay_all: true });
    await expectSameAgain(closed);
    expect(closed.simulation.post_health.health_ratio).toBeNull();
    expect(await landed(closed, wallet)).toMatchObject({
      success: true,
      activity: expect.arrayContaining([
        expect.objectContaining({ kind: 'repay', bank: pair.borrow.address }),
        expect.objectContaining({ kind: 'withdraw', bank: pair.deposit.address }),
      ]),
      plan: { matches: true, differences: [] },
    });
  });

  it('keeps its promise where what is over is deposited', async () => {
    const { wallet, pair } = await prepared('SOL on dollars');
    await landed(await loop(wallet, pair, '2'), wallet);
    const closed = await close(wallet, pair, { repay_all: true, surplus: 'redeposit' });
    expect(await landed(closed, wallet)).toMatchObject({ success: true, plan: { matches: true, differences: [] } });
  });

  it('forgives what the swap lost within its slippage, and names it', async () => {
    const { wallet, pair } = await prepared('SOL on dollars');
    const looped = await loop(wallet, pair, '3');
    const restore = movePrice(doors.world, pair.deposit, 20n);
    const { plan } = await landed(looped, wallet);
    restore();
    expect(plan).toMatchObject({ matches: true });
    expect(plan.differences).toMatchObject([{ field: `token_changes.${pair.deposit.mint}` }]);
  });

  it('says of a plan whose price has gone that it would not land, and of what was sent all the same why it failed', async () => {
    const { wallet, pair } = await prepared('SOL on dollars');
    const looped = await loop(wallet, pair, '2');
    const restore = movePrice(doors.world, pair.deposit, 100n);
    doors.world.settle();
    const { body: again } = await askRest(doors, simulating(looped));
    expect(again).toMatchObject({ would_land: false, error: { code: 'SWAP_ROUTE_UNAVAILABLE' } });
    const reply = await landed(looped, wallet);
    restore();
    expect(reply).toMatchObject({
      success: false,
      error: { code: 'SWAP_ROUTE_UNAVAILABLE' },
      plan: { compared: [], matches: null },
    });
  });
});

async function prepared(name: string): Promise<{ readonly wallet: KeyPairSigner; readonly pair: Pair }> {
  const named = PAIRS.find((each) => each.name === name);
  if (named === undefined) throw new TypeError(`There is no pair ${name}`);
  const pair = findPair(doors.world, named);
  const wallet = await dice.wallet();
  await fund(doors.world.ledger, wallet, 100n * SOL, [[pair.deposit, 200n * 10n ** BigInt(pair.deposit.decimals)]]);
  doors.world.settle();
  return { wallet, pair };
}

function loop({ address }: KeyPairSigner, { deposit, borrow }: Pair, leverage: string): Promise<Answer> {
  const banks = { deposit_bank: deposit.address, borrow_bank: borrow.address };
  return planned('loop', { authority: address, ...banks, amount: 5, leverage });
}

function close({ address }: KeyPairSigner, { deposit, borrow }: Pair, how: object): Promise<Answer> {
  const banks = { deposit_bank: deposit.address, borrow_bank: borrow.address };
  return planned('close_position', { authority: address, ...banks, ...how });
}

async function planned(kind: string, args: Record<string, unknown>): Promise<Answer> {
  const { status, body } = await askRest(doors, build(kind, args));
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Answer;
}

function simulating({ plan_id: planId }: Answer) {
  return { tool: '', method: 'POST', path: '/v1/tx/simulate', args: { plan_id: planId } } as const;
}

async function expectSameAgain(answer: Answer): Promise<void> {
  const { body } = await askRest(doors, simulating(answer));
  expect(body, JSON.stringify(body)).toMatchObject({ would_land: true, error: null });
  const { simulation } = body as unknown as Answer;
  expect(simulation.token_changes).toEqual(answer.simulation.token_changes);
  expect(simulation.post_health).toEqual(answer.simulation.post_health);
}

/** Signs, lands and confirms all of it, and has the action verified. */
async function landed(answer: Answer, wallet: KeyPairSigner) {
  const { ledger, settle } = doors.world;
  const signed = await signEnvelope(parseEnvelope(answer), wallet);
  for (const { base64 } of signed) ledger.submit(new Uint8Array(getBase64Encoder().encode(base64)));
  settle();
  settle();
  const signature = signed[answer.action_tx_index]?.signature as Signature;
  const path = `/v1/verify/${signature}?plan_id=${answer.plan_id}`;
  const { body } = await askRest(doors, { tool: '', method: 'GET', path, args: {} });
  expect(body, JSON.stringify(body)).toMatchObject({ landed: true });
  for (let slot = 0; slot < CONFIRMING_SLOTS; slot += 1) settle();
  return body as unknown as {
    readonly plan: { readonly differences: readonly { readonly field: string }[] };
  };
}
