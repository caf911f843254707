import { SYSTEM_PROGRAM } from '@lending/programs';
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  decodeTransactionFromRpcResponse,
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
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  setTransactionMessageConfig,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { fetchSysvarClock } from '@solana/sysvars';
import { getTransferSolInstruction } from '@solana-program/system';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
const FEE = 5_000n;
const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const TIP = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
const STRANGER = address('Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkX');
const TABLE = address('8EaKc8aZq6rYSVbtFFcxgLnP8hL9GcYyhgvCEyVgS2vZ');
const V1_LIMITS = { computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 100_000, priorityFeeLamports: 1_234n };
const BANK = address('So11111111111111111111111111111111111111112');
const OTHER_BANK = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');

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
  let rpc: ReturnType<typeof createSolanaRpc>;
  beforeEach(async () => {
    const genesis = [
      [BANK, bank(1)],
      [OTHER_BANK, bank(2, 200)],
      [TABLE, lookupTable(BANK)],
    ] as const;
    const start = { slotMs: null, startSlot: 5000n, relaxesFeePayer: true };
    node = createLocalnet({ engine: createModelEngine(), genesis: () => genesis, ...start });
    await node.start();
    rpc = createSolanaRpc(node.rpcUrl);
    advance(40);
  });
  afterEach(() => node.stop());

  function advance(slots: number): void {
    for (let slot = 0; slot < slots; slot += 1) node.ledger.advanceSlot();
  }

  const fund = async () => {
    const signer = await generateKeyPairSigner();
    await createSolanaRpc(node.rpcUrl)
      .requestAirdrop(signer.address, lamports(10n * SOL))
      .send();
    advance(40);
    return signer;
  };
  const transfer = (source: KeyPairSigner, destination: Address, amount: bigint) =>
    getTransferSolInstruction({ source, destination, amount });

  /** A signed transaction with its signature and its bytes as they are sent. */
  const sign = async (payer: KeyPairSigner, instructions: readonly Instruction[], blockhash?: Blockhash) => {
    const { value: latest } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(payer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash({ ...latest, blockhash: blockhash ?? latest.blockhash }, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
      (m) => compressTransactionMessageUsingAddressLookupTables(m, { [TABLE]: [BANK] }),
    );
    const signed = await signTransactionMessageWithSigners(message);
    return { signature: getSignatureFromTransaction(signed), wire: getBase64EncodedWireTransaction(signed) };
  };
  type Signed = Awaited<ReturnType<typeof sign>>;

  const send = ({ wire }: Pick<Signed, 'wire'>, skipPreflight = false) =>
    rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight, preflightCommitment: 'processed' }).send();
  const statusOf = async ({ signature }: Signed) => (await rpc.getSignatureStatuses([signature]).send()).value[0];
  const balanceOf = async (of: Address) => (await rpc.getBalance(of, { commitment: 'processed' }).send()).value;
  const rejection = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const post = async (body: string) => (await fetch(node.rpcUrl, { method: 'POST', body })).json();
  const callRaw = async (method: string, params: unknown) =>
    (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) as RawReply;

  /** What a refused transaction is answered with. */
  const messageOf = async ({ wire }: Signed) =>
    (await callRaw('sendTransaction', [wire, { encoding: 'base64' }])).error?.message;

  it('lands a transfer, and answers its status, the history and the balances', async () => {
    const alice = await fund();
    const sent = await sign(alice, [transfer(alice, STRANGER, 3n * SOL)]);
    await send(sent);
    expect([await balanceOf(STRANGER), await balanceOf(alice.address)]).toEqual([3n * SOL, 7n * SOL - FEE]);
    expect(await statusOf(sent)).toMatchObject({ err: null, confirmationStatus: 'processed' });
    advance(1);
    expect(await statusOf(sent)).toMatchObject({ confirmationStatus: 'confirmed', confirmations: 0n });
    advance(31);
    expect(await statusOf(sent)).toMatchObject({ confirmationStatus: 'finalized', confirmations: null });
    const history = await rpc.getSignaturesForAddress(alice.address).send();
    expect(history.map(({ signature }) => signature === sent.signature)).toEqual([true, false]);
  });

  it('gives a landed transaction back through kit’s own decoders, to who can read its version', async () => {
    const alice = await fund();
    const sent = await sign(alice, [transfer(alice, BANK, 5n)]);
    await send(sent);
    advance(32);
    for (const encoding of ['base64', 'json'] as const) {
      const config = { encoding: encoding as 'json', maxSupportedTransactionVersion: 0 } as const;
      const found = await rpc.getTransaction(sent.signature, config).send();
      expect(found?.meta).toMatchObject({ err: null, fee: FEE, computeUnitsConsumed: 150n });
      expect(found?.meta?.loadedAddresses).toEqual({ writable: [BANK], readonly: [] });
      expect(found?.blockTime).toBe(await rpc.getBlockTime(found?.slot as bigint).send());
      const decoded = decodeTransactionFromRpcResponse(found as never);
      expect(JSON.stringify(decoded, (_k, v) => (typeof v === 'bigint' ? `${v}` : v))).toContain(alice.address);
    }
    expect(await rpc.getSignaturesForAddress(BANK).send()).toHaveLength(1);
    const refused = await rejection(rpc.getTransaction(sent.signature, { encoding: 'base64' } as never).send());
    expect(isSolanaError(refused, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION)).toBe(true);
  });

  it('lands a version 1 transaction, charges what its header says and answers its budget', async () => {
    const alice = await fund();
    const { value: latest } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (m) => setTransactionMessageFeePayerSigner(alice, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(latest, m),
      (m) => appendTransactionMessageInstructions([transfer(alice, BANK, 1n)], m),
      // One that sets no limits may do nothing.
      (m) => setTransactionMessageConfig(V1_LIMITS, m),
    );
    const signed = await signTransactionMessageWithSigners(message);
    await send({ wire: getBase64EncodedWireTransaction(signed) });
    expect(await balanceOf(alice.address)).toBe(10n * SOL - 1n - FEE - V1_LIMITS.priorityFeeLamports);
    advance(1);
    const config = { encoding: 'json', maxSupportedTransactionVersion: 1, commitment: 'confirmed' };
    const { result } = await callRaw('getTransaction', [getSignatureFromTransaction(signed), config]);
    expect(result.version).toBe(1);
    const { priorityFeeLamports, ...limits } = V1_LIMITS;
    expect(result.transaction.message.transactionConfig).toEqual({
      ...limits,
      heapSize: null,
      priorityFee: Number(priorityFeeLamports),
    });
  });

  it('refuses a transfer beyond the balance with its cause; without preflight it fails and is charged', async () => {
    const alice = await fund();
    const sent = await sign(alice, [transfer(alice, BANK, 100n * SOL)]);
    const error = await rejection(send(sent));
    expect(isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(true);
    const failure = error as { cause: unknown; context: { logs: string[]; unitsConsumed: unknown } };
    expect(isSolanaError(failure.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true);
    expect(failure.context.logs.at(-1)).toContain('custom program error: 0x1');
    expect(await statusOf(sent)).toBeNull();
    await send(sent, true);
    expect((await statusOf(sent))?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] });
    expect(await balanceOf(alice.address)).toBe(10n * SOL - FEE);
  });

  it('has a transaction whose fee payer cannot pay in a block, without effect, once', async () => {
    const poor = await generateKeyPairSigner();
    const sent = await sign(poor, [transfer(poor, BANK, 1n)]);
    const preflight = await rejection(send(sent));
    expect(isSolanaError(preflight, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)).toBe(
      true,
    );
    await send(sent, true);
    advance(32);
    const found = await rpc
      .getTransaction(sent.signature, { encoding: 'base64', maxSupportedTransactionVersion: 1 })
      .send();
    expect(found?.meta).toMatchObject({
      ...{ err: 'AccountNotFound', fee: 0n, logMessages: null, innerInstructions: null },
      computeUnitsConsumed: 3_000n,
    });
    expect(await rpc.getSignaturesForAddress(poor.address).send()).toMatchObject([{ err: 'AccountNotFound' }]);
    node.ledger.writeAccount(poor.address, { ...bank(0, 0), owner: SYSTEM_PROGRAM });
    expect(await messageOf(sent)).toBe('Transaction simulation failed: This transaction has already been processed');
  });

  it('refuses an unknown blockhash, a second landing and an unsigned transaction', async () => {
    const alice = await fund();
    const sent = await sign(alice, [transfer(alice, BANK, 1n)]);
    await send(sent);
    expect(await messageOf(sent)).toBe('Transaction simulation failed: This transaction has already been processed');
    const stale = await sign(alice, [transfer(alice, BANK, 1n)], OTHER_BANK as string as Blockhash);
    const error = (await rejection(send(stale))) as { cause: unknown };
    expect(isSolanaError(error.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true);
    const unsigned = Buffer.from(sent.wire, 'base64').fill(0, 1, 65).toString('base64');
    expect((await callRaw('sendTransaction', [unsigned, { encoding: 'base64' }])).error?.code).toBe(-32003);
  });

  it('simulates an unsigned transaction with a replaced blockhash and shows accounts afterwards', async () => {
    const alice = await fund();
    const { wire } = await sign(alice, [transfer(alice, BANK, SOL)]);
    const unsigned = Buffer.from(wire, 'base64').fill(0, 1, 65).toString('base64');
    const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true } as const;
    const { value, context } = await rpc
      .simulateTransaction(unsigned as typeof wire, {
        ...config,
        innerInstructions: true,
        accounts: { encoding: 'base64', addresses: [BANK] },
      })
      .send();
    expect(value).toMatchObject({ err: null, unitsConsumed: 150n, accounts: [{ lamports: 2n * SOL }] });
    // Alice, the bank of 100 bytes and one table; this genesis has no account for the System program.
    expect(value).toMatchObject({ loadedAccountsDataSize: 2 * 64 + 100 + 8_248 });
    expect(context.slot).toBeGreaterThan(5000n);
    expect(await balanceOf(BANK)).toBe(SOL);
    const both = await callRaw('simulateTransaction', [unsigned, { ...config, sigVerify: true }]);
    expect(both.error).toEqual({ code: -32602, message: 'sigVerify may not be used with replaceRecentBlockhash' });
  });

  it('lists program accounts by filters and slices them', async () => {
    const bytes = Buffer.from([1, 1, 1]).toString('base64') as never;
    const list = async (filters: object[], more: object = {}) => {
      const found = await rpc.getProgramAccounts(PROGRAM, { encoding: 'base64', filters, ...more } as never).send();
      return found as unknown as readonly { readonly pubkey: Address; readonly account: object }[];
    };
    expect((await list([])).map(({ pubkey }) => pubkey).toSorted()).toEqual([BANK, OTHER_BANK].toSorted());
    expect((await list([{ dataSize: 200n }])).map(({ pubkey }) => pubkey)).toEqual([OTHER_BANK]);
    const memcmp = { offset: 7n, bytes, encoding: 'base64' };
    expect(await list([{ memcmp }], { dataSlice: { offset: 1, length: 2 } })).toMatchObject([
      { pubkey: BANK, account: { data: ['AQE=', 'base64'], space: 100n } },
    ]);
  });

  it('reads the clock and other accounts in one call at one slot', async () => {
    const clock = 'SysvarC1ock11111111111111111111111111111111' as Address;
    const { value, context } = await rpc
      .getMultipleAccounts([clock, BANK, STRANGER], { encoding: 'base64', commitment: 'confirmed' })
      .send();
    const bytes = Buffer.from(value[0]?.data[0] ?? '', 'base64');
    expect(bytes.readBigUInt64LE(0)).toBe(context.slot);
    expect(value.slice(1)).toMatchObject([{ owner: PROGRAM }, null]);
    expect((await fetchSysvarClock(rpc)).epoch).toBe(0n);
  });

  it('answers what clients ask about the cluster', async () => {
    const [slot, height, epoch, version, samples, fees] = await Promise.all([
      rpc.getSlot({ commitment: 'processed' }).send(),
      rpc.getBlockHeight({ commitment: 'processed' }).send(),
      rpc.getEpochInfo().send(),
      rpc.getVersion().send(),
      rpc.getRecentPerformanceSamples(5).send(),
      rpc.getRecentPrioritizationFees([]).send(),
    ]);
    expect([slot, height < slot, epoch.slotsInEpoch]).toEqual([5041n, true, 432_000n]);
    expect(version['solana-core']).toMatch(/^\d+\./);
    expect(samples.length).toBeLessThanOrEqual(1);
    expect(fees.at(-1)).toMatchObject({ prioritizationFee: 0n });
    expect(await rpc.getHealth().send()).toBe('ok');
    const { value } = await rpc.getLatestBlockhash().send();
    expect((await rpc.isBlockhashValid(value.blockhash).send()).value).toBe(true);
    const call = { jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [BANK, { encoding: 'base64' }] };
    const text = await (await fetch(node.rpcUrl, { method: 'POST', body: JSON.stringify(call) })).text();
    expect(text).toContain('"rentEpoch":18446744073709551615,"space":100');
  });

  it('refuses with the codes of a validator', async () => {
    const refusals = [
      [rpc.getSlot({ minContextSlot: 1_000_000n }), SOLANA_ERROR__JSON_RPC__SERVER_ERROR_MIN_CONTEXT_SLOT_NOT_REACHED],
      [rpc.getVoteAccounts(), SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND],
      [rpc.getMultipleAccounts(new Array(101).fill(BANK)), SOLANA_ERROR__JSON_RPC__INVALID_PARAMS],
      [
        rpc.getBlock(1_000_000n, { transactionDetails: 'none' }),
        SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
      ],
    ] as const;
    for (const [request, code] of refusals)
      expect(isSolanaError(await rejection(request.send()), code), `${code}`).toBe(true);
    expect((await callRaw('getNothing', [])).error).toEqual({ code: -32601, message: 'Method not found' });
    expect((await callRaw('getAccountInfo', ['not an address'])).error?.code).toBe(-32602);
    expect(await post('{"jsonrpc"')).toEqual({
      jsonrpc: '2.0',
      error: { code: -32700, message: 'Parse error' },
      id: null,
    });
    expect(await post('7')).toMatchObject({ error: { code: -32600 }, id: null });
    const large = await fetch(node.rpcUrl, { method: 'POST', body: 'x'.repeat(2_000_000) }).catch(() => ({
      status: 413,
    }));
    expect(large.status).toBe(413);
  });

  it('notifies of slots, an account, a program’s accounts and logs', async () => {
    const alice = await fund();
    const stop = new AbortController();
    const subscriptions = createSolanaRpcSubscriptions(node.wsUrl);
    const heard: Record<string, unknown[]> = { slot: [], account: [], program: [], logs: [] };
    const listen = async (
      name: string,
      pending: { subscribe(options: { abortSignal: AbortSignal }): Promise<AsyncIterable<unknown>> },
    ) => {
      const notifications = await pending.subscribe({ abortSignal: stop.signal });
      void (async () => {
        for await (const one of notifications) heard[name]?.push(one);
      })();
    };
    const config = { encoding: 'base64', commitment: 'confirmed' } as const;
    await listen('slot', subscriptions.slotNotifications());
    await listen('account', subscriptions.accountNotifications(BANK, config));
    await listen(
      'program',
      subscriptions.programNotifications(PROGRAM, {
        ...config,
        filters: [{ dataSize: 200n }],
        commitment: 'processed',
      }),
    );
    await listen('logs', subscriptions.logsNotifications({ mentions: [alice.address] }, { commitment: 'confirmed' }));
    const slot = node.ledger.slot('processed');
    node.ledger.writeAccount(BANK, bank(9));
    node.ledger.writeAccount(OTHER_BANK, bank(8, 200));
    node.ledger.writeAccount(OTHER_BANK, undefined);
    const sent = await sign(alice, [transfer(alice, STRANGER, SOL)]);
    await send(sent);
    advance(1);
    await expect.poll(() => Object.values(heard).map(({ length }) => length)).toEqual([1, 1, 2, 1]);
    expect(heard).toMatchObject({
      slot: [{ slot: slot + 1n, parent: slot }],
      account: [{ context: { slot }, value: { data: [Buffer.from(bank(9).data).toString('base64'), 'base64'] } }],
      program: [
        { value: { pubkey: OTHER_BANK } },
        { value: { pubkey: OTHER_BANK, account: { lamports: 0n, space: 0n } } },
      ],
      logs: [{ value: { signature: sent.signature, err: null } }],
    });
    stop.abort();
  });

  it('lands a bundle whole or not at all', async () => {
    const alice = await fund();
    const tip = transfer(alice, TIP, 1000n);
    const good = await sign(alice, [transfer(alice, STRANGER, SOL)]);
    const bad = await sign(alice, [transfer(alice, STRANGER, 100n * SOL), tip]);
    const fine = await sign(alice, [transfer(alice, STRANGER, 2n * SOL), tip]);
    const sendBundle = (...signed: Signed[]) =>
      callRaw('sendBundle', [signed.map(({ wire }) => wire), { encoding: 'base64' }]);
    const inflight = async ({ result: id }: RawReply) =>
      (await callRaw('getInflightBundleStatuses', [[id]])).result.value[0];

    expect((await sendBundle(good)).error?.message).toContain('tip account');
    expect(await inflight(await sendBundle(good, bad))).toMatchObject({ status: 'Failed' });
    expect([await balanceOf(STRANGER), await statusOf(good)]).toEqual([0n, null]);

    const landed = await inflight(await sendBundle(good, fine));
    expect(await balanceOf(STRANGER)).toBe(3n * SOL);
    const slots = [(await statusOf(good))?.slot, (await statusOf(fine))?.slot];
    expect(slots).toEqual([BigInt(landed.landed_slot), BigInt(landed.landed_slot)]);
    expect(landed.status).toBe('Landed');
  });

  it('simulates a bundle in order and names the transaction that fails', async () => {
    const alice = await fund();
    const bob = await generateKeyPairSigner();
    const encode = async (payer: KeyPairSigner, to: Address, amount: bigint) =>
      (await sign(payer, [transfer(payer, to, amount)])).wire;
    const one = await encode(alice, bob.address, 3n * SOL);
    const two = await encode(bob, alice.address, 2n * SOL);
    const simulate = (wires: readonly string[], watched = wires.length) => {
      const watch = Array.from({ length: watched }, () => ({ addresses: [bob.address], encoding: 'base64' }));
      const accounts = { preExecutionAccountsConfigs: watch, postExecutionAccountsConfigs: watch };
      const config = { ...accounts, skipSigVerify: true, replaceRecentBlockhash: true };
      return callRaw('simulateBundle', [{ encodedTransactions: wires }, config]);
    };
    const { result } = await simulate([one, two]);
    expect(result.value).toMatchObject({
      summary: 'succeeded',
      transactionResults: [
        { preExecutionAccounts: [null], postExecutionAccounts: [{ lamports: Number(3n * SOL) }] },
        {
          preExecutionAccounts: [{ lamports: Number(3n * SOL) }],
          postExecutionAccounts: [{ lamports: Number(SOL - FEE) }],
        },
      ],
    });
    const { result: failed } = await simulate([one, two, await encode(bob, alice.address, 2n * SOL)]);
    expect(failed.value.summary.failed.error.TransactionFailure[1]).toContain('custom program error: 0x1');
    expect(failed.value.transactionResults).toHaveLength(3);
    expect((await simulate([one], 2)).error?.code).toBe(-32602);
  });

  it('answers a socket that speaks nonsense and keeps it', async () => {
    const socket = new WebSocket(node.wsUrl);
    const messages: { id: unknown; result?: unknown; error?: { code: number } }[] = [];
    socket.addEventListener('message', ({ data }) => messages.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    for (const text of [
      '{"jsonrpc"',
      '{"jsonrpc":"2.0","method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"blockSubscribe","params":["all"]}',
      '{"jsonrpc":"2.0","id":2,"method":"logsSubscribe","params":[{"mentions":[]}]}',
      '{"jsonrpc":"2.0","id":3,"method":"slotUnsubscribe","params":[77]}',
      `{"jsonrpc":"2.0","id":4,"method":"accountSubscribe","params":["${STRANGER}",{"encoding":"base64"}]}`,
    ])
      socket.send(text);
    await expect.poll(() => messages.length).toBe(5);
    expect(messages.map(({ error }) => error?.code)).toEqual([-32700, -32601, -32602, -32602, undefined]);
    socket.send(`{"jsonrpc":"2.0","id":5,"method":"accountUnsubscribe","params":[${messages[4]?.result}]}`);
    await expect.poll(() => messages.at(-1)).toEqual({ jsonrpc: '2.0', result: true, id: 5 });
    socket.close();
  });
});
