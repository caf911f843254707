import { parseEnvelope, signEnvelope } from '@lending/examples';
import { useDatabase } from '@lending/store/testing';
import { getBase64Encoder, type KeyPairSigner, type Signature } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { attempt } from '../src/builders/attempt.ts';
import { movePrice } from '../src/builders/chain-edits.ts';
import { findPair, type Pair } from '../src/builders/pairs.ts';
import { SOL, useScene } from '../src/builders/scene.ts';
import { askRest, buildCall, useService } from '../src/error-codes/called-service.ts';

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

/** A node that gave a status has named a slot that it has yet to confirm, and takes no question of less afterwards. */
const CONFIRMING_SLOTS = 4;
const scene = useScene('leverage plans', attempt);
const service = useService(scene, useDatabase(), { hasTables: true });

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
    const restore = movePrice(scene.world, pair.deposit, 20n);
    const { plan } = await landed(looped, wallet);
    restore();
    expect(plan).toMatchObject({ matches: true });
    expect(plan.differences).toMatchObject([{ field: `token_changes.${pair.deposit.mint}` }]);
  });

  it('says of a plan whose price has gone that it would not land, and of what was sent all the same why it failed', async () => {
    const { wallet, pair } = await prepared('SOL on dollars');
    const looped = await loop(wallet, pair, '2');
    const restore = movePrice(scene.world, pair.deposit, 100n);
    scene.world.settle();
    const { body: again } = await askRest(service, simulating(looped));
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

async function prepared(name: string) {
  const pair = findPair(scene.world, name);
  const wallet = await scene.dice.wallet();
  await scene.fund(wallet, 100n * SOL, [[pair.deposit, 200n * 10n ** BigInt(pair.deposit.decimals)]]);
  scene.world.settle();
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
  const { status, body } = await askRest(service, buildCall(kind, args));
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as Answer;
}

function simulating({ plan_id: planId }: Answer) {
  return { method: 'POST', path: '/v1/tx/simulate', args: { plan_id: planId } } as const;
}

async function expectSameAgain(answer: Answer): Promise<void> {
  const { body } = await askRest(service, simulating(answer));
  expect(body, JSON.stringify(body)).toMatchObject({ would_land: true, error: null });
  const { simulation } = body as unknown as Answer;
  expect(simulation.token_changes).toEqual(answer.simulation.token_changes);
  expect(simulation.post_health).toEqual(answer.simulation.post_health);
}

/** Signs, lands and confirms all of it, and has the action verified. */
async function landed(answer: Answer, wallet: KeyPairSigner) {
  const { ledger, settle } = scene.world;
  const signed = await signEnvelope(parseEnvelope(answer), wallet);
  for (const { base64 } of signed) ledger.submit(new Uint8Array(getBase64Encoder().encode(base64)));
  settle();
  settle();
  const signature = signed[answer.action_tx_index]?.signature as Signature;
  const path = `/v1/verify/${signature}?plan_id=${answer.plan_id}`;
  const { body } = await askRest(service, { method: 'GET', path, args: {} });
  expect(body, JSON.stringify(body)).toMatchObject({ landed: true });
  for (let slot = 0; slot < CONFIRMING_SLOTS; slot += 1) settle();
  return body as unknown as {
    readonly plan: { readonly differences: readonly { readonly field: string }[] };
  };
}
