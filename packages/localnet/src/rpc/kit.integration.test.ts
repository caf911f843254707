import { SYSTEM_PROGRAM } from '@lending/programs';
import {
  type Address,
  address,
  airdropFactory,
  appendTransactionMessageInstruction,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  decodeTransactionFromRpcResponse,
  estimateResourceLimitsFactory,
  fetchAddressesForLookupTables,
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__INVALID_PARAMS,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  sendAndConfirmTransactionFactory,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { fetchSysvarClock, fetchSysvarRent } from '@solana/sysvars';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLocalnet, type Localnet } from '../localnet.ts';

/** Replies of methods that kit has no types for. */
interface RawReply {
  // biome-ignore lint/suspicious/noExplicitAny: the tests state the shape they expect
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

const SOL = 1_000_000_000n;
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const TIP = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
const V1_LIMITS = { computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 100_000 };
const NOBODY = address('Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkX');
const TABLE = address('8EaKc8aZq6rYSVbtFFcxgLnP8hL9GcYyhgvCEyVgS2vZ');
const BANKS = ['So11111111111111111111111111111111111111112', '4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt'].map(
  (text) => address(text),
);

/** A lookup table that holds one address, extended long ago. */
function lookupTable(entry: Address): AccountState {
  const data = new Uint8Array(56 + 32);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(4, 18_446_744_073_709_551_615n, true);
  data.set(getAddressEncoder().encode(entry), 56);
  return { lamports: SOL, owner: address('AddressLookupTab1e1111111111111111111111111'), data, executable: false };
}

function bank(tag: number, length = 100): AccountState {
  const data = new Uint8Array(length).fill(tag);
  return { lamports: SOL, owner: PROGRAM, data, executable: false };
}

describe('the local chain under @solana/kit', () => {
  let node: Localnet;
  let stop: AbortController;
  let rpc: ReturnType<typeof createSolanaRpc>;
  let subscriptions: ReturnType<typeof createSolanaRpcSubscriptions>;

  beforeEach(async () => {
    stop = new AbortController();
    node = createLocalnet({
      engine: createModelEngine(),
      genesis: () => [
        [BANKS[0] as Address, bank(1)],
        [BANKS[1] as Address, bank(2, 200)],
        [TABLE, lookupTable(BANKS[0] as Address)],
      ],
      slotMs: 20,
      startSlot: 5000n,
      relaxesFeePayer: true,
    });
    await node.start();
    rpc = createSolanaRpc(node.rpcUrl);
    subscriptions = createSolanaRpcSubscriptions(node.wsUrl);
  });
  afterEach(async () => {
    stop.abort();
    await node.stop();
  });

  const fund = async () => {
    const signer = await generateKeyPairSigner();
    const airdrop = airdropFactory({ rpc, rpcSubscriptions: subscriptions } as never);
    await airdrop({ recipientAddress: signer.address, lamports: lamports(10n * SOL), commitment: 'confirmed' });
    return signer;
  };

  const transfer = (source: KeyPairSigner, destination: Address, amount: bigint) =>
    getTransferSolInstruction({ source, destination, amount });

  const sign = async (payer: KeyPairSigner, instructions: readonly Instruction[]) => {
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(payer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
    const signed = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(signed);
    return signed;
  };

  const sendAndConfirm = () => sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions: subscriptions } as never);

  const rejection = async (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  const callRaw = async (method: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(node.rpcUrl, { method: 'POST', body });
    return (await response.json()) as RawReply;
  };

  it('airdrops, transfers, confirms by subscription, and tells the status, the history and the balances', async () => {
    const alice = await fund();
    const bob = await generateKeyPairSigner();
    const signed = await sign(alice, [transfer(alice, bob.address, 3n * SOL)]);
    await sendAndConfirm()(signed, { commitment: 'confirmed' });
    const signature = getSignatureFromTransaction(signed);
    const { value: balance } = await rpc.getBalance(bob.address).send();
    expect(balance).toBe(3n * SOL);
    expect((await rpc.getBalance(alice.address).send()).value).toBe(7n * SOL - 5000n);
    const { value: statuses } = await rpc.getSignatureStatuses([signature]).send();
    expect(statuses[0]).toMatchObject({ err: null, status: { Ok: null } });
    expect(['confirmed', 'finalized']).toContain(statuses[0]?.confirmationStatus);
    const history = await rpc.getSignaturesForAddress(alice.address).send();
    expect(history[0]?.signature).toBe(signature);
    expect(history).toHaveLength(2);
    const older = await rpc.getSignaturesForAddress(alice.address, { before: signature }).send();
    expect(older.map((entry) => entry.signature)).toEqual([history[1]?.signature]);
    expect(await rpc.getSignaturesForAddress(alice.address, { until: signature }).send()).toEqual([]);
  });

  it('gives a landed transaction back through kit’s own decoders, in base64, base58 and json', async () => {
    const alice = await fund();
    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, SOL)]);
    await sendAndConfirm()(signed, { commitment: 'confirmed' });
    const signature = getSignatureFromTransaction(signed);
    for (const encoding of ['base64', 'base58', 'json'] as const) {
      const found = await rpc
        .getTransaction(signature, { encoding: encoding as 'base64', maxSupportedTransactionVersion: 1 })
        .send();
      expect(found?.meta).toMatchObject({ err: null, fee: 5000n, computeUnitsConsumed: 150n });
      const decoded = decodeTransactionFromRpcResponse(found as never);
      expect(JSON.stringify(decoded, (_k, v) => (typeof v === 'bigint' ? `${v}` : v))).toContain(alice.address);
    }
    const base64 = await rpc
      .getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })
      .send();
    expect(base64?.transaction[0]).toBe(getBase64EncodedWireTransaction(signed));
    expect(base64?.version).toBe(0);
    expect(base64?.blockTime).toBe(await rpc.getBlockTime(base64?.slot as bigint).send());
    const block = await rpc
      .getBlock(base64?.slot as bigint, { maxSupportedTransactionVersion: 1, encoding: 'base64', rewards: false })
      .send();
    expect(block?.transactions.map((one) => one.transaction[0])).toContain(base64?.transaction[0]);
    const refused = await rejection(rpc.getTransaction(signature, { encoding: 'base64' } as never).send());
    expect(isSolanaError(refused, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)).toBe(true);
  });

  it('lands a version 1 transaction and tells its budget', async () => {
    const alice = await fund();
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstruction(transfer(alice, BANKS[0] as Address, 1n), m),
      // One that sets no limits may do nothing.
      (m) => setTransactionMessageConfig(V1_LIMITS, m),
    );
    const signed = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(signed);
    await sendAndConfirm()(signed, { commitment: 'confirmed' });
    const found = await callRaw('getTransaction', [
      getSignatureFromTransaction(signed),
      { encoding: 'json', maxSupportedTransactionVersion: 1, commitment: 'confirmed' },
    ]);
    expect(found.result.version).toBe(1);
    expect(found.result.transaction.message.transactionConfig).toEqual({
      ...V1_LIMITS,
      heapSize: null,
      priorityFee: null,
    });
  });

  it('reads a lookup table for kit and lands a transaction that uses it', async () => {
    const alice = await fund();
    const tables = await fetchAddressesForLookupTables([TABLE], rpc, { commitment: 'processed' });
    expect(tables).toEqual({ [TABLE]: [BANKS[0]] });
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstruction(transfer(alice, BANKS[0] as Address, 5n), m),
      (m) => compressTransactionMessageUsingAddressLookupTables(m, tables),
    );
    const limits = await estimateResourceLimitsFactory({ rpc })(message);
    expect(limits.computeUnitLimit).toBeGreaterThanOrEqual(150);
    // Alice, the bank of 100 bytes and one table; this genesis has no account for the System program.
    expect(limits.loadedAccountsDataSizeLimit).toBe(2 * 64 + 100 + 8_248);
    const signed = await signTransactionMessageWithSigners(message);
    assertIsTransactionWithBlockhashLifetime(signed);
    await sendAndConfirm()(signed, { commitment: 'confirmed' });
    const signature = getSignatureFromTransaction(signed);
    const found = await rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send();
    expect(found?.meta?.loadedAddresses).toEqual({ writable: [BANKS[0]], readonly: [] });
    expect(found?.transaction.message).toMatchObject({
      addressTableLookups: [{ accountKey: TABLE, writableIndexes: [0] }],
    });
    expect((await rpc.getBalance(BANKS[0] as Address).send()).value).toBe(SOL + 5n);
    expect(await rpc.getSignaturesForAddress(BANKS[0] as Address).send()).toHaveLength(1);
  });

  it('refuses a transfer beyond the balance before it lands, as kit’s preflight error with its cause', async () => {
    const alice = await fund();
    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, 100n * SOL)]);
    const error = await rejection(
      rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send(),
    );
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    const failure = error as { cause: unknown; context: { logs: string[]; unitsConsumed: unknown } };
    expect(isSolanaError(failure.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
    expect(failure.context.logs.at(-1)).toContain('custom program error: 0x1');
    expect((await rpc.getSignatureStatuses([getSignatureFromTransaction(signed)]).send()).value).toEqual([null]);
  });

  it('lands a failing transaction without preflight, charging its fee', async () => {
    const alice = await fund();
    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, 100n * SOL)]);
    const wire = getBase64EncodedWireTransaction(signed);
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    const { value } = await rpc.getSignatureStatuses([getSignatureFromTransaction(signed)]).send();
    expect(value[0]?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
    const processed = await rpc.getBalance(alice.address, { commitment: 'processed' }).send();
    expect(processed.value).toBe(10n * SOL - 5000n);
  });

  it('has a transaction whose fee payer cannot pay in a block, without effect, once', async () => {
    const poor = await generateKeyPairSigner();
    const signed = await sign(poor, [transfer(poor, BANKS[0] as Address, 1n)]);
    const signature = getSignatureFromTransaction(signed);
    const wire = getBase64EncodedWireTransaction(signed);
    const heard: unknown[] = [];
    const logs = await subscriptions
      .logsNotifications({ mentions: [poor.address] }, { commitment: 'processed' })
      .subscribe({ abortSignal: stop.signal });
    void (async () => {
      for await (const one of logs) heard.push(one);
    })();
    const preflight = await rejection(rpc.sendTransaction(wire, { encoding: 'base64' }).send());
    expect(isSolanaError(preflight, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(
      true,
    );
    expect((await rpc.getSignatureStatuses([signature]).send()).value).toEqual([null]);
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send();
    const read = () => rpc.getTransaction(signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 }).send();
    await vi.waitFor(async () => expect(await read()).not.toBeNull());
    expect((await read())?.meta).toMatchObject({
      err: 'AccountNotFound',
      fee: 0n,
      logMessages: null,
      innerInstructions: null,
      computeUnitsConsumed: 3_000n,
    });
    expect(await rpc.getSignaturesForAddress(poor.address).send()).toMatchObject([
      { signature, err: 'AccountNotFound' },
    ]);
    expect(heard).toEqual([]);
    node.ledger.writeAccount(poor.address, { ...bank(0, 0), owner: SYSTEM_PROGRAM });
    const again = await callRaw('sendTransaction', [wire, { encoding: 'base64' }]);
    expect(again.error?.message).toBe('Transaction simulation failed: This transaction has already been processed');
  });

  it('refuses an unknown blockhash, a second landing and an unsigned transaction', async () => {
    const alice = await fund();
    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, 1n)]);
    const wire = getBase64EncodedWireTransaction(signed);
    await sendAndConfirm()(signed, { commitment: 'confirmed' });
    const again = await callRaw('sendTransaction', [wire, { encoding: 'base64' }]);
    expect(again.error?.message).toBe('Transaction simulation failed: This transaction has already been processed');
    const stale = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: BANKS[1] as never, lastValidBlockHeight: 1n }, m),
      (m) => appendTransactionMessageInstruction(transfer(alice, BANKS[0] as Address, 1n), m),
    );
    const old = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(stale));
    const error = (await rejection(rpc.sendTransaction(old, { encoding: 'base64' }).send())) as { cause: unknown };
    expect(isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    const unsigned = Buffer.from(wire, 'base64').fill(0, 1, 65).toString('base64');
    expect((await callRaw('sendTransaction', [unsigned, { encoding: 'base64' }])).error?.code).toBe(-32003);
  });

  it('simulates an unsigned transaction with a replaced blockhash and shows accounts afterwards', async () => {
    const alice = await fund();
    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, SOL)]);
    const bytes = Buffer.from(getBase64EncodedWireTransaction(signed), 'base64').fill(0, 1, 65);
    const { value, context } = await rpc
      .simulateTransaction(bytes.toString('base64') as never, {
        encoding: 'base64',
        sigVerify: false,
        replaceRecentBlockhash: true,
        innerInstructions: true,
        accounts: { encoding: 'base64', addresses: [BANKS[0] as Address] },
      })
      .send();
    expect(value.err).toBeNull();
    expect(value.unitsConsumed).toBe(150n);
    expect(value.accounts[0]?.lamports).toBe(2n * SOL);
    expect(context.slot).toBeGreaterThan(5000n);
    expect((await rpc.getBalance(BANKS[0] as Address, { commitment: 'processed' }).send()).value).toBe(SOL);
    const both = await callRaw('simulateTransaction', [
      bytes.toString('base64'),
      { encoding: 'base64', sigVerify: true, replaceRecentBlockhash: true },
    ]);
    expect(both.error).toEqual({ code: -32602, message: 'sigVerify may not be used with replaceRecentBlockhash' });
  });

  it('lists program accounts by filters and slices them', async () => {
    const all = await rpc.getProgramAccounts(PROGRAM, { encoding: 'base64' }).send();
    expect(all.map(({ pubkey }) => pubkey).toSorted()).toEqual(BANKS.toSorted());
    const sized = await rpc
      .getProgramAccounts(PROGRAM, { encoding: 'base64', filters: [{ dataSize: 200n }], withContext: true })
      .send();
    expect(sized.value.map(({ pubkey }) => pubkey)).toEqual([BANKS[1]]);
    const bytes = Buffer.from([1, 1, 1]).toString('base64') as never;
    const matched = await rpc
      .getProgramAccounts(PROGRAM, {
        encoding: 'base64',
        dataSlice: { offset: 1, length: 2 },
        filters: [{ memcmp: { offset: 7n, bytes, encoding: 'base64' } }],
      })
      .send();
    expect(matched).toHaveLength(1);
    expect(matched[0]?.account).toMatchObject({ data: ['AQE=', 'base64'], space: 100n });
  });

  it('reads the clock and other accounts in one call at one slot', async () => {
    const clock = 'SysvarC1ock11111111111111111111111111111111' as Address;
    const reply = await rpc
      .getMultipleAccounts([clock, BANKS[0] as Address, NOBODY], { encoding: 'base64', commitment: 'confirmed' })
      .send();
    const bytes = Buffer.from(reply.value[0]?.data[0] ?? '', 'base64');
    expect(bytes.readBigUInt64LE(0)).toBe(reply.context.slot);
    expect(Math.abs(Number(bytes.readBigInt64LE(32)) - Date.now() / 1000)).toBeLessThan(60);
    expect(reply.value[1]?.owner).toBe(PROGRAM);
    expect(reply.value[2]).toBeNull();
    expect((await fetchSysvarClock(rpc)).epoch).toBe(0n);
    const rent = await fetchSysvarRent(rpc);
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(
      (128n + 165n) * rent.lamportsPerByteYear * BigInt(rent.exemptionThreshold),
    );
    const zstd = await rpc.getAccountInfo(BANKS[0] as Address, { encoding: 'base64+zstd' }).send();
    expect(zstd.value?.data[1]).toBe('base64+zstd');
  });

  it('answers what clients ask about the cluster', async () => {
    const [slot, height, epoch, schedule, health, version, genesis, samples, fees] = await Promise.all([
      rpc.getSlot({ commitment: 'processed' }).send(),
      rpc.getBlockHeight({ commitment: 'processed' }).send(),
      rpc.getEpochInfo().send(),
      rpc.getEpochSchedule().send(),
      rpc.getHealth().send(),
      rpc.getVersion().send(),
      rpc.getGenesisHash().send(),
      rpc.getRecentPerformanceSamples(5).send(),
      rpc.getRecentPrioritizationFees([]).send(),
    ]);
    expect(slot).toBeGreaterThanOrEqual(5001n);
    expect(height).toBeLessThan(slot);
    expect(epoch.slotsInEpoch).toBe(schedule.slotsPerEpoch);
    expect(health).toBe('ok');
    expect(version['solana-core']).toMatch(/^\d+\./);
    expect(genesis).toHaveLength(genesis.length);
    expect(samples.length).toBeLessThanOrEqual(1);
    expect(fees.at(-1)).toMatchObject({ prioritizationFee: 0n });
    const { value } = await rpc.getLatestBlockhash().send();
    expect((await rpc.isBlockhashValid(value.blockhash).send()).value).toBe(true);
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [BANKS[0], { encoding: 'base64' }],
    });
    const text = await (await fetch(node.rpcUrl, { method: 'POST', body })).text();
    expect(text).toContain('"rentEpoch":18446744073709551615,"space":100');
  });

  it('refuses with the codes of a validator', async () => {
    const future = await rejection(rpc.getSlot({ minContextSlot: 1_000_000n }).send());
    expect(isSolanaError(future, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED)).toBe(true);
    expect((await callRaw('getNothing', [])).error).toEqual({ code: -32601, message: 'Method not found' });
    expect(isSolanaError(await rejection(rpc.getVoteAccounts().send()), SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND)).toBe(
      true,
    );
    const tooMany = Array.from({ length: 101 }, () => BANKS[0] as Address);
    const many = await rejection(rpc.getMultipleAccounts(tooMany).send());
    expect(isSolanaError(many, SOLANA_ERROR__JSON_RPC__INVALID_PARAMS)).toBe(true);
    const block = await rejection(rpc.getBlock(1_000_000n, { maxSupportedTransactionVersion: 0 }).send());
    expect(isSolanaError(block, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE)).toBe(true);
    const broken = await fetch(node.rpcUrl, { method: 'POST', body: '{"jsonrpc"' });
    expect(await broken.json()).toEqual({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null });
    const large = await fetch(node.rpcUrl, { method: 'POST', body: 'x'.repeat(2_000_000) }).catch(() => ({
      status: 413,
    }));
    expect(large.status).toBe(413);
    const batch = JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'getHealth' },
      { jsonrpc: '2.0', id: 'b', method: 'getNothing' },
      7,
    ]);
    const replies = (await (await fetch(node.rpcUrl, { method: 'POST', body: batch })).json()) as { id: unknown }[];
    expect(replies.map(({ id }) => id)).toEqual([1, 'b', null]);
    expect((await callRaw('getAccountInfo', ['not an address'])).error?.code).toBe(-32602);
    expect((await callRaw('getAccountInfo', [BANKS[1], { encoding: 'base58' }])).error?.code).toBe(-32600);
  });

  it('notifies of slots, an account, a program’s accounts, logs and a signature', async () => {
    const alice = await fund();
    const abortSignal = stop.signal;
    // Kit drops what arrives while nobody waits, so the next message is always awaited already.
    const next = async <T>(pending: Promise<AsyncIterable<T>>) => {
      const iterator = (await pending)[Symbol.asyncIterator]();
      let upcoming = iterator.next();
      return async () => {
        const { value } = await upcoming;
        upcoming = iterator.next();
        upcoming.catch(() => undefined);
        return value as T;
      };
    };
    const slot = await next(subscriptions.slotNotifications().subscribe({ abortSignal }));
    const account = await next(
      subscriptions
        .accountNotifications(BANKS[0] as Address, { encoding: 'base64', commitment: 'confirmed' })
        .subscribe({ abortSignal }),
    );
    const program = await next(
      subscriptions
        .programNotifications(PROGRAM, { encoding: 'base64', commitment: 'processed', filters: [{ dataSize: 200n }] })
        .subscribe({ abortSignal }),
    );
    const logs = await next(
      subscriptions
        .logsNotifications({ mentions: [alice.address] }, { commitment: 'confirmed' })
        .subscribe({ abortSignal }),
    );
    const first = await slot();
    expect(first.slot).toBeGreaterThan(first.parent);

    node.ledger.writeAccount(BANKS[0] as Address, bank(9));
    node.ledger.writeAccount(BANKS[1] as Address, bank(8, 200));
    const changed = await account();
    expect(changed.value.data[0]).toBe(Buffer.from(bank(9).data).toString('base64'));
    expect(changed.context.slot).toBeGreaterThanOrEqual(first.slot);
    expect((await program()).value.pubkey).toBe(BANKS[1]);
    node.ledger.writeAccount(BANKS[1] as Address, undefined);
    expect((await program()).value.account).toMatchObject({ lamports: 0n, space: 0n });

    const signed = await sign(alice, [transfer(alice, BANKS[0] as Address, 1n)]);
    const signature = getSignatureFromTransaction(signed);
    const settled = await next(
      subscriptions.signatureNotifications(signature, { commitment: 'confirmed' }).subscribe({ abortSignal }),
    );
    await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send();
    expect((await settled()).value).toEqual({ err: null });
    expect((await logs()).value).toMatchObject({ signature, err: null });
  });

  it('lands a bundle whole or not at all', async () => {
    const alice = await fund();
    const { address: to } = await generateKeyPairSigner();
    const tip = transfer(alice, TIP, 1000n);
    const good = await sign(alice, [transfer(alice, to, SOL)]);
    const bad = await sign(alice, [transfer(alice, to, 100n * SOL), tip]);
    const fine = await sign(alice, [transfer(alice, to, 2n * SOL), tip]);
    const send = (...signed: (typeof good)[]) =>
      callRaw('sendBundle', [signed.map((one) => getBase64EncodedWireTransaction(one)), { encoding: 'base64' }]);

    const noTip = await send(good);
    expect(noTip.error?.message).toContain('tip account');
    const { result: failedId } = await send(good, bad);
    expect((await callRaw('getInflightBundleStatuses', [[failedId]])).result.value[0].status).toBe('Failed');
    expect((await callRaw('getBundleStatuses', [[failedId]])).result.value).toEqual([null]);
    expect((await rpc.getBalance(to, { commitment: 'processed' }).send()).value).toBe(0n);
    expect((await rpc.getSignatureStatuses([getSignatureFromTransaction(good)]).send()).value).toEqual([null]);

    const { result: id } = await send(good, fine);
    const { value } = (await callRaw('getBundleStatuses', [[id]])).result;
    expect(value[0]).toMatchObject({
      bundle_id: id,
      err: { Ok: null },
      transactions: [good, fine].map(getSignatureFromTransaction),
    });
    expect((await rpc.getBalance(to, { commitment: 'processed' }).send()).value).toBe(3n * SOL);
    const { value: statuses } = await rpc.getSignatureStatuses([good, fine].map(getSignatureFromTransaction)).send();
    expect(statuses[0]?.slot).toBe(statuses[1]?.slot);
    expect((await callRaw('getInflightBundleStatuses', [[id]])).result.value[0]).toMatchObject({
      status: 'Landed',
      landed_slot: value[0].slot,
    });
  });

  it('simulates a bundle in order and names the transaction that fails', async () => {
    const alice = await fund();
    const bob = await generateKeyPairSigner();
    const encode = async (payer: KeyPairSigner, to: Address, amount: bigint) =>
      getBase64EncodedWireTransaction(await sign(payer, [transfer(payer, to, amount)]));
    const one = await encode(alice, bob.address, 3n * SOL);
    const two = await encode(bob, alice.address, 2n * SOL);
    const three = await encode(bob, alice.address, 2n * SOL);
    const watch = { addresses: [bob.address], encoding: 'base64' };
    const options = (count: number) => ({
      preExecutionAccountsConfigs: Array.from({ length: count }, () => watch),
      postExecutionAccountsConfigs: Array.from({ length: count }, () => watch),
      skipSigVerify: true,
      replaceRecentBlockhash: true,
    });
    const { result } = await callRaw('simulateBundle', [{ encodedTransactions: [one, two] }, options(2)]);
    expect(result.value.summary).toBe('succeeded');
    const post = result.value.transactionResults.map(
      (each: RawReply['result']) => each.postExecutionAccounts[0].lamports,
    );
    expect(post).toEqual([Number(3n * SOL), Number(SOL - 5000n)]);
    expect(result.value.transactionResults[0].preExecutionAccounts).toEqual([null]);
    expect(result.value.transactionResults[1].preExecutionAccounts[0].lamports).toBe(Number(3n * SOL));
    const { result: failed } = await callRaw('simulateBundle', [
      { encodedTransactions: [one, two, three] },
      options(3),
    ]);
    expect(failed.value.summary.failed.error.TransactionFailure[1]).toContain('custom program error: 0x1');
    expect(failed.value.transactionResults).toHaveLength(3);
    expect((await callRaw('simulateBundle', [{ encodedTransactions: [one] }, options(2)])).error?.code).toBe(-32602);
  });

  it('fails on purpose: unavailable, dropped subscriptions', async () => {
    const slots = await subscriptions.slotNotifications().subscribe({ abortSignal: stop.signal });
    const drained = rejection(
      (async () => {
        for await (const _ of slots) node.setFault({ kind: 'unavailable' });
      })(),
    );
    expect(await drained).toBeInstanceOf(Error);
    expect(isSolanaError(await rejection(rpc.getSlot().send()), SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)).toBe(true);
    node.setFault(null);
    expect(await rpc.getHealth().send()).toBe('ok');
  });

  it('fails on purpose: slow, a named error, sockets cut once or silent', async () => {
    node.setFault({ kind: 'slow', delayMs: 80 });
    const startMs = performance.now();
    await rpc.getSlot().send();
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(75);
    node.setFault({ kind: 'error', code: -32005, message: 'Node is behind by 42 slots', methods: ['getSlot'] });
    expect((await callRaw('getSlot', [])).error).toEqual({ code: -32005, message: 'Node is behind by 42 slots' });
    expect(await rpc.getHealth().send()).toBe('ok');
    const open = async () => {
      const socket = new WebSocket(node.wsUrl);
      const messages: string[] = [];
      socket.addEventListener('message', ({ data }) => messages.push(String(data)));
      await new Promise((resolve) => socket.addEventListener('open', resolve));
      socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
      return { socket, messages };
    };
    const cut = await open();
    await expect.poll(() => cut.messages.length).toBeGreaterThan(2);
    node.setFault({ kind: 'drop_subscriptions' });
    await expect.poll(() => cut.socket.readyState).toBe(WebSocket.CLOSED);
    const silent = await open();
    await expect.poll(() => silent.messages.length).toBeGreaterThan(2);
    node.setFault({ kind: 'mute_subscriptions' });
    const count = silent.messages.length;
    const slot = node.ledger.slot('processed');
    await expect.poll(() => node.ledger.slot('processed')).toBeGreaterThan(slot + 5n);
    expect(silent.messages.length).toBeLessThanOrEqual(count + 1);
    expect(silent.socket.readyState).toBe(WebSocket.OPEN);
    silent.socket.close();
  });

  it('answers a socket that speaks nonsense and keeps it', async () => {
    const socket = new WebSocket(node.wsUrl);
    const messages: { id: unknown; result?: unknown; error?: { code: number } }[] = [];
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const say = (text: string) => socket.send(text);
    say('{"jsonrpc"');
    say('{"jsonrpc":"2.0","method":"ping"}');
    say('{"jsonrpc":"2.0","id":1,"method":"blockSubscribe","params":["all"]}');
    say('{"jsonrpc":"2.0","id":2,"method":"logsSubscribe","params":[{"mentions":[]}]}');
    say('{"jsonrpc":"2.0","id":3,"method":"slotUnsubscribe","params":[77]}');
    say(`{"jsonrpc":"2.0","id":4,"method":"accountSubscribe","params":["${NOBODY}"]}`);
    await expect.poll(() => messages.length).toBe(5);
    expect(messages.map(({ error }) => error?.code)).toEqual([-32700, -32601, -32602, -32602, undefined]);
    say(`{"jsonrpc":"2.0","id":5,"method":"accountUnsubscribe","params":[${messages[4]?.result}]}`);
    await expect.poll(() => messages.at(-1)).toEqual({ jsonrpc: '2.0', result: true, id: 5 });
    socket.close();
  });
});
