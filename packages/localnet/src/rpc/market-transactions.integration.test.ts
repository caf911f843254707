import { findBankVaultAuthority, MARGINFI_MAIN_LOOKUP_TABLES, marginfiAccountLayout } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLendingAccount } from '#actors/actor.ts';
import { bidInstructions } from '#actors/bid.ts';
import { DEMO_BANKS } from '#market/demo-market.ts';
import * as act from '#market/lending-instructions.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import { type OpenedLocalnet, openLocalnet } from '../open-localnet.ts';

/** Good for nothing: whoever simulates with it has it replaced. */
const NO_BLOCKHASH = '11111111111111111111111111111111' as Blockhash;
const AMOUNT = 1_000_000_000n;

let localnet: OpenedLocalnet;
beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  await localnet.start();
  for (let slot = 0; slot < 40; slot += 1) localnet.ledger.advanceSlot();
});
afterAll(() => localnet.stop());

const read = (address: Address) => {
  const state = localnet.ledger.account(address);
  if (state === undefined) throw new TypeError(`${address} is not there`);
  return state.data;
};

/** A wallet's first deposit into the USDC bank on Kamino: as builders make it, unsigned. */
function firstDeposit(): { readonly owner: act.Owner; readonly instructions: readonly Instruction[] } {
  const wallet = localnet.wallets[0]?.address as Address;
  const owner = { wallet, account: findLendingAccount(wallet, 0).address };
  const row = DEMO_BANKS.find(({ description }) => description.endsWith('USDC | Kamino | Main Market'));
  const state = localnet.ledger.account(row?.address as Address);
  const bank = decodeBank(
    { address: row?.address as Address, owner: state?.owner as Address, data: read(row?.address as Address) },
    state?.owner as Address,
  );
  const { refresh, deposit } = venueInstructionsOf(bank);
  const lending = [...refresh(bank, read), ...deposit(owner, bank, AMOUNT, read)];
  return { owner, instructions: [...bidInstructions('first'), act.openAccount(owner), ...lending] };
}

describe('a builder’s transaction on the demo market', () => {
  it('is simulated with the group’s lookup tables, its blockhash replaced, and told the accounts it leaves', async () => {
    const rpc = createSolanaRpc(localnet.rpcUrl);
    const { owner, instructions } = firstDeposit();
    const tables = await fetchAddressesForLookupTables([...MARGINFI_MAIN_LOOKUP_TABLES], rpc);
    const whole = compileTransaction(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayer(owner.wallet, message),
        (message) =>
          setTransactionMessageLifetimeUsingBlockhash({ blockhash: NO_BLOCKHASH, lastValidBlockHeight: 0n }, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
        (message) => compressTransactionMessageUsingAddressLookupTables(message, tables),
      ),
    );
    const wire = getBase64EncodedWireTransaction(whole);
    expect(getBase64Encoder().encode(wire).length).toBeLessThan(900);
    const { value } = await rpc
      .simulateTransaction(wire, {
        ...{ encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true },
        accounts: { encoding: 'base64', addresses: [owner.account, owner.wallet] },
      })
      .send();
    expect(value.err, value.logs?.join('\n')).toBeNull();
    expect(value.replacementBlockhash?.blockhash).not.toBe(NO_BLOCKHASH);
    expect(value.unitsConsumed).toBeGreaterThan(100_000n);
    const [account, wallet] = value.accounts;
    const { lendingAccount } = marginfiAccountLayout.decode(getBase64Encoder().encode(account?.data[0] as string));
    expect(lendingAccount.balances.filter(({ active }) => active !== 0)).toHaveLength(1);
    expect(wallet?.lamports).toBeLessThan(localnet.wallets[0]?.lamports as bigint);

    const message = getBase64Decoder().decode(whole.messageBytes);
    expect((await rpc.getFeeForMessage(message as never).send()).value).toBeNull();
  });

  it('pays for a version 1 message what its header says', async () => {
    const rpc = createSolanaRpc(localnet.rpcUrl);
    const { owner, instructions } = firstDeposit();
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const limits = { computeUnitLimit: 400_000, loadedAccountsDataSizeLimit: 2_000_000, priorityFeeLamports: 1_234n };
    const whole = compileTransaction(
      pipe(
        createTransactionMessage({ version: 1 }),
        (message) => setTransactionMessageFeePayer(owner.wallet, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions.slice(2), message),
        (message) => setTransactionMessageConfig(limits, message),
      ),
    );
    const message = getBase64Decoder().decode(whole.messageBytes);
    expect((await rpc.getFeeForMessage(message as never).send()).value).toBe(6_234n);
    const wire = getBase64EncodedWireTransaction(whole);
    const { value } = await rpc.simulateTransaction(wire, { encoding: 'base64', sigVerify: false }).send();
    expect(value.err, value.logs?.join('\n')).toBeNull();
  });

  it('finds the price of recent transactions that wrote what it writes', async () => {
    const busy = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, transactionsPerSecond: 10 });
    await busy.start();
    for (let slot = 0; slot < 60; slot += 1) busy.ledger.advanceSlot();
    const rpc = createSolanaRpc(busy.rpcUrl);
    const bank = DEMO_BANKS[0]?.address as Address;
    const [vaultAuthority] = await findBankVaultAuthority('liquidity', bank);
    const [ofBank, ofNobody] = await Promise.all([
      rpc.getRecentPrioritizationFees([bank]).send(),
      rpc.getRecentPrioritizationFees([vaultAuthority]).send(),
    ]);
    const paid = ofBank.filter(({ prioritizationFee }) => prioritizationFee > 0n);
    expect(paid.length).toBeGreaterThan(10);
    for (const [index, { slot, prioritizationFee }] of ofBank.entries()) {
      expect(ofNobody[index]?.slot).toBe(slot);
      expect(prioritizationFee).toBeGreaterThanOrEqual(ofNobody[index]?.prioritizationFee as bigint);
    }
    await busy.stop();
  });
});
