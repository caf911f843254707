import { createHash } from 'node:crypto';
import { ASSET_TAG } from '@lending/domain';
import {
  COMPUTE_BUDGET_PROGRAM,
  getAddressBytes,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
} from '@lending/programs';
import { decodeBank } from '@lending/venues';
import {
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findProgramAddress } from '#engine/derived-address.ts';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { healthAccounts, openAccount, pulseHealth, tokenAccountOf } from './lending-instructions.ts';
import { DEMO_TOKENS } from './tokens.ts';
import { VENUE_BANKS } from './venue-banks.ts';
import { venueInstructionsOf } from './venue-instructions/of-bank.ts';
import type { ReadAccount } from './venue-instructions/venue-instructions.ts';

const VENUES = ['kamino', 'solend', 'juplend'] as const;
const USDC = 1_000_000n;

let localnet: OpenedLocalnet;
let saver: KeyPairSigner;
beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await localnet.start();
  // The market publishes how its keys are made: they are worth nothing.
  const key = createHash('sha256').update('lending demo wallet: saver').digest();
  saver = await createKeyPairSignerFromPrivateKeyBytes(key);
});
afterAll(() => localnet.stop());

const rpc = () => createSolanaRpc(localnet.rpcUrl);

async function fetchBytes(address: Address): Promise<Uint8Array> {
  const { value } = await rpc().getAccountInfo(address, { commitment: 'processed', encoding: 'base64' }).send();
  if (value === null) throw new TypeError(`${address} is not there`);
  return new Uint8Array(Buffer.from(value.data[0], 'base64'));
}

/** Builders read accounts where they stand: what one asks for is fetched, and it is asked again. */
async function build<T>(make: (read: ReadAccount) => T): Promise<T> {
  const known = new Map<Address, Uint8Array>();
  let missing: Address | undefined;
  const read = (address: Address) => {
    const data = known.get(address);
    if (data !== undefined) return data;
    missing = address;
    throw new TypeError(`${address} is not read yet`);
  };
  for (;;) {
    try {
      return make(read);
    } catch (error) {
      if (missing === undefined) throw error;
      known.set(missing, await fetchBytes(missing));
      missing = undefined;
    }
  }
}

/** Sends a transaction and fails the test with its logs when it does. */
async function send(instructions: readonly Instruction[]): Promise<void> {
  const { value: blockhash } = await rpc().getLatestBlockhash({ commitment: 'processed' }).send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(saver, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
    (m) => appendTransactionMessageInstructions([unitLimit(), ...instructions], m),
  );
  const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
  const { value } = await rpc().simulateTransaction(wire, { commitment: 'processed', encoding: 'base64' }).send();
  expect(value.err, value.logs?.join('\n')).toBeNull();
  await rpc().sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
}

function unitLimit(): Instruction {
  const data = Uint8Array.of(2, 0, 0, 0, 0);
  new DataView(data.buffer).setUint32(1, 1_400_000, true);
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data };
}

function accountOf(wallet: Address): Address {
  const seeds = [MARGINFI_MAIN_GROUP, wallet].map(getAddressBytes);
  const none = new Uint8Array(2);
  return findProgramAddress([new TextEncoder().encode('marginfi_account'), ...seeds, none, none], MARGINFI_PROGRAM)
    .address;
}

async function bankOn(venue: (typeof VENUES)[number]) {
  const row = VENUE_BANKS.find(({ token, assetTag }) => token === 'USDC' && assetTag === ASSET_TAG[venue]);
  if (row === undefined) throw new TypeError(`The demo market has no USDC bank on ${venue}`);
  const data = await fetchBytes(row.address);
  return decodeBank({ address: row.address, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
}

it('lends on Kamino, Save and JupLend over RPC, counts all three as health, and gives everything back', {
  timeout: 180_000,
}, async () => {
  const owner = { wallet: saver.address, account: accountOf(saver.address) };
  const tokens = async () => {
    const { value } = await rpc()
      .getTokenAccountBalance(tokenAccountOf(owner.wallet, DEMO_TOKENS.USDC), { commitment: 'processed' })
      .send();
    return BigInt(value.amount);
  };
  const account = async () => marginfiAccountLayout.decode(await fetchBytes(owner.account));
  const before = await tokens();

  await send([openAccount(owner)]);
  for (const venue of VENUES) {
    const bank = await bankOn(venue);
    await send(await build((read) => venueInstructionsOf(bank).deposit(owner, bank, 1_000n * USDC, read)));
    localnet.ledger.advanceSlot();
  }
  expect(before - (await tokens())).toBe(3_000n * USDC);

  const refreshAll = async () => {
    for (const venue of VENUES) {
      const bank = await bankOn(venue);
      await send(await build((read) => venueInstructionsOf(bank).refresh(bank, read)));
    }
  };
  for (let slot = 0; slot < 100; slot += 1) localnet.ledger.advanceSlot();
  await refreshAll();
  const banks = await Promise.all(VENUES.map(bankOn));
  await send([pulseHealth(owner.account, healthAccounts(banks))]);
  const { healthCache, indexerFlags } = await account();
  expect(healthCache).toMatchObject({ internalErr: 0, mrgnErr: 0 });
  // USD at what the feeds say of USDC, which walks about a dollar.
  expect(Number(healthCache.assetValueEquity) / 2 ** 48).toBeCloseTo(3_000, -2);
  expect(indexerFlags).toMatchObject({ isLendingOnly: 1, hasKamino: 1, hasJuplend: 1, hasDrift: 0 });

  for (const [index, venue] of VENUES.entries()) {
    localnet.ledger.advanceSlot();
    const bank = await bankOn(venue);
    await refreshAll();
    const rest = healthAccounts(banks.slice(index + 1));
    await send(await build((read) => venueInstructionsOf(bank).withdraw(owner, bank, 'all', rest, read)));
  }
  const earned = (await tokens()) - before;
  expect(earned).toBeGreaterThan(-4n);
  expect(earned).toBeLessThan(USDC);
  expect((await account()).lendingAccount.balances.every(({ active }) => active === 0)).toBe(true);
});
