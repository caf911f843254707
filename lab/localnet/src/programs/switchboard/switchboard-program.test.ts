import {
  encodeSecp256k1Instruction,
  oracleStatsLayout,
  pullFeedLayout,
  SWITCHBOARD_ERRORS,
  type SwitchboardErrorName,
} from '@lending/programs';
import { address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createActor } from '#actors/actor.ts';
import { sendTransaction } from '#actors/send-transaction.ts';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';
import { priceAt } from '#market/price-walk.ts';
import { fundWallet } from '#market/wallet-accounts.ts';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { crankInstructions } from '#switchboard/crank-instructions.ts';
import { DEMO_ORACLES } from '#switchboard/demo-oracles.ts';
import { type SignedPrices, type SigningRequest, signPrices } from '#switchboard/sign-prices.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const CRANKED = ['mSOL', 'INF'] as const;
const actor = createActor('somebody who cranks');
let localnet: OpenedLocalnet;
let nowMs = 0;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 1);
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, nowMs: () => nowMs });
  await fundWallet(localnet.ledger, actor.wallet, { lamports: 1_000_000_000n });
  nowMs += 200_000;
  passSlots(3);
});

function passSlots(count: number): void {
  for (let slot = 0; slot < count; slot += 1) localnet.ledger.advanceSlot();
}

function feedOf(name: DemoFeedName) {
  return pullFeedLayout.decode(localnet.ledger.account(DEMO_FEEDS[name].account)?.data ?? expect.fail());
}

function sign(request: Partial<SigningRequest> = {}): SignedPrices {
  return signPrices(localnet.ledger, {
    names: CRANKED,
    oracles: DEMO_ORACLES.slice(0, 3),
    priceAt: (name, slot) => priceAt(name, 1, slot).price,
    ...request,
  });
}

/** Sends a transaction and returns what it ended in. */
function send(instructions: readonly Instruction[]) {
  const outcome = sendTransaction(localnet.ledger, actor, instructions);
  return outcome.kind === 'executed' ? outcome.result.error : expect.fail(`It was not run: ${outcome.kind}`);
}

function crank(
  signed: SignedPrices,
  change: (instructions: readonly Instruction[]) => readonly Instruction[] = (all) => all,
) {
  return send(change(crankInstructions(CRANKED, signed, actor.wallet)));
}

const failsWith = (name: SwitchboardErrorName, index = 1) => ({
  InstructionError: [index, { Custom: SWITCHBOARD_ERRORS[name] }],
});

describe('the Switchboard program', () => {
  it('makes feeds that nobody pushed fresh, with the value that three oracles signed', () => {
    const before = feedOf('mSOL');
    expect(localnet.ledger.unixTimestamp - before.lastUpdateTimestamp).toBe(200n);
    const signed = sign();
    expect(crank(signed)).toBeNull();
    for (const [index, name] of CRANKED.entries()) {
      const feed = feedOf(name);
      expect(feed.lastUpdateTimestamp).toBe(localnet.ledger.unixTimestamp);
      expect(feed.result).toMatchObject({
        value: signed.values[index],
        mean: signed.values[index],
        stdDev: 0n,
        numSamples: 3,
        slot: signed.slot,
      });
      expect(feed.submissions.filter(({ slot }) => slot > 0n).map(({ oracle }) => oracle)).toEqual(
        DEMO_ORACLES.slice(0, 3).map(({ address }) => address),
      );
    }
    const [oracle] = DEMO_ORACLES;
    const stats = localnet.ledger.account(oracle?.stats.address ?? expect.fail())?.data ?? expect.fail();
    expect(oracleStatsLayout.decode(stats).megaSlotInfo.currentSignatureCount).toBe(1n);
  });

  it('takes the median of what was signed lately, and a later submission in place of the oracle’s earlier', () => {
    crank(sign());
    passSlots(5);
    const [first] = DEMO_ORACLES;
    const higher = sign({ oracles: first === undefined ? [] : [first], priceAt: () => 200n * 10n ** 18n });
    expect(crank(higher)).toBeNull();
    const { result, submissions } = feedOf('mSOL');
    expect(submissions.filter(({ slot }) => slot > 0n)).toHaveLength(3);
    expect(result).toMatchObject({ numSamples: 3, maxValue: 200n * 10n ** 18n, slot: higher.slot });
    expect(result.value).toBeLessThan(200n * 10n ** 18n);
    expect(result.stdDev).toBeGreaterThan(0n);
  });

  it('finds the signatures wherever they stand, when their own offsets say so', () => {
    const memo = { programAddress: MEMO_PROGRAM, accounts: [], data: new TextEncoder().encode('crank') };
    const signed = sign();
    const check = (index: number) =>
      encodeSecp256k1Instruction(
        signed.signatures.map(({ oracle, ...signature }) => ({ ...signature, ethAddress: oracle.ethAddress })),
        signed.message,
        index,
      );
    expect(crank(signed, ([, submission]) => [check(1), submission ?? memo, memo])).not.toBeNull();
    expect(crank(signed, ([, submission]) => [memo, submission ?? memo, check(2)])).toBeNull();
  });

  it('refuses values that nobody signed', () => {
    const signed = sign();
    const raised = { ...signed, values: signed.values.map((value) => value + 1n) };
    expect(crank(raised)).toEqual(failsWith('ChecksumMismatch'));
  });

  it('refuses what was signed over a slot that is too old to be known', () => {
    const signed = sign();
    passSlots(513);
    expect(crank(signed)).toEqual(failsWith('InvalidSlotNumber'));
  });

  it('counts no sample that is older than the feed allows', () => {
    const signed = sign();
    passSlots(260);
    expect(crank(signed)).toEqual(failsWith('NotEnoughSamples'));
  });

  it('wants as many samples as the feed does', () => {
    const address = DEMO_FEEDS.INF.account;
    const state = localnet.ledger.account(address) ?? expect.fail();
    const data = new Uint8Array(pullFeedLayout.encode({ ...feedOf('INF'), minSampleSize: 3 }));
    localnet.ledger.writeAccounts([[address, { ...state, data }]]);
    expect(crank(sign({ oracles: DEMO_ORACLES.slice(0, 2) }))).toEqual(failsWith('NotEnoughSamples'));
    expect(crank(sign())).toBeNull();
  });

  it('refuses a signature of somebody else than the oracle it is given', () => {
    const signed = sign();
    const [first, second, third] = signed.signatures;
    const swapped = [first, third, second].flatMap((one) => one ?? []);
    const instructions = crankInstructions(CRANKED, { ...signed, signatures: swapped }, actor.wallet);
    const right = crankInstructions(CRANKED, signed, actor.wallet);
    const mixed = [instructions[0], right[1]].flatMap((one) => one ?? []);
    expect(send(mixed)).toEqual(failsWith('InvalidEthAddress'));
  });

  it('lets a wrong signature end the transaction before it', () => {
    const signed = sign();
    const [first, ...others] = signed.signatures;
    const wrong = { ...(first ?? expect.fail()), ...(DEMO_ORACLES[4]?.sign(signed.message) ?? expect.fail()) };
    expect(crank({ ...signed, signatures: [wrong, ...others] })).toEqual({ InstructionError: [0, { Custom: 2 }] });
  });

  it('wants the signatures in its own transaction', () => {
    expect(crank(sign(), (all) => all.slice(1))).toEqual(failsWith('MissingSecpIx', 0));
  });

  it('refuses a feed of another queue', () => {
    const address = DEMO_FEEDS.INF.account;
    const state = localnet.ledger.account(address) ?? expect.fail();
    const data = new Uint8Array(pullFeedLayout.encode({ ...feedOf('INF'), queue: actor.wallet }));
    localnet.ledger.writeAccounts([[address, { ...state, data }]]);
    expect(crank(sign())).toEqual(failsWith('InvalidQueue'));
  });

  it('pushes the other feeds all the time, and these never', () => {
    nowMs += 100_000;
    passSlots(10);
    expect(localnet.ledger.unixTimestamp - feedOf('SOL').lastUpdateTimestamp).toBeLessThan(5n);
    expect(localnet.ledger.unixTimestamp - feedOf('2Z').lastUpdateTimestamp).toBe(300n);
  });
});
