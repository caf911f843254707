import type { ProgramTarget } from '@lending/chain';
import type { BlockContent, HappenedBlock, SourceHarness } from '@lending/chain/program-source.contract.ts';
import {
  type AccountState,
  createLocalnet,
  type Engine,
  type GeyserNode,
  type GeyserNodeOptions,
  type Localnet,
} from '@lending/localnet';
import {
  type Address,
  address,
  type Blockhash,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type Slot,
  type TransactionMessageBytes,
} from '@solana/kit';

export const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
export const PAYER = address('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5');
export const SYSTEM = address('11111111111111111111111111111111');
const SIZE = 64;

/** The local chain with a gRPC endpoint, whose program's accounts and transactions are what a test says. */
export interface ProgramChain extends Omit<SourceHarness, 'source'> {
  readonly localnet: Localnet;
  geyser: GeyserNode;
  /** Closes the endpoint and opens it anew at the same place, with nothing kept of what was before. */
  restart(options?: GeyserNodeOptions): Promise<void>;
  /** Runs a transaction that names the program and an account in the open slot. */
  run(account: Address, script: Script): string;
}

export async function openProgramChain(options: GeyserNodeOptions = {}): Promise<ProgramChain> {
  const localnet = createLocalnet({
    engine: createScriptedEngine(),
    genesis: () => [[PAYER, { lamports: 10n ** 15n, owner: SYSTEM, data: new Uint8Array(), executable: false }]],
    slotMs: null,
    startSlot: 1000n,
    report: (line) => {
      throw new Error(line);
    },
  });
  await localnet.start();
  const { ledger } = localnet;
  const happened: HappenedBlock[] = [];
  const target: ProgramTarget = { program: PROGRAM, accounts: [[{ kind: 'size', bytes: SIZE }]], transactions: true };

  function run(account: Address, script: Script): string {
    const wire = scriptedTransaction(PAYER, account, PROGRAM, ledger.latestBlockhash('confirmed').blockhash, script);
    const outcome = ledger.submit(wire);
    if (outcome.kind !== 'executed') throw new Error(`It did not run: ${JSON.stringify(outcome)}`);
    return signatureOf(wire);
  }

  async function produce({ writes = [], transactions = 0 }: BlockContent = {}): Promise<Slot> {
    const slot = ledger.slot('processed');
    const signatures: string[] = [];
    for (const [account, data] of writes) {
      // As on a chain, nothing but a transaction takes a program's account away.
      if (data !== null) ledger.writeAccount(account, { lamports: 1n, owner: PROGRAM, data, executable: false });
      else if (ledger.account(account) !== undefined) signatures.push(run(account, { kind: 'close' }));
    }
    for (let index = 0; index < transactions; index += 1)
      signatures.push(run(SYSTEM, { kind: index % 2 === 1 ? 'fail' : 'nothing' }));
    ledger.advanceSlot();
    happened.push({ slot, writes, signatures });
    await new Promise((resolve) => setTimeout(resolve, 2));
    return slot;
  }

  const chain: ProgramChain = {
    localnet,
    geyser: await localnet.openGeyser(options),
    target,
    addresses: [1, 2, 3, 4].map((index) => getAddressDecoder().decode(new Uint8Array(32).fill(index))),
    happened,
    run,
    produce,
    async restart(again = options) {
      const port = Number(new URL(chain.geyser.grpcUrl).port);
      await chain.geyser.close();
      chain.geyser = await localnet.openGeyser({ ...again, port });
    },
    cut: async () => chain.geyser.setFault({ kind: 'drop_subscriptions' }),
    async mute() {
      chain.geyser.setFault({ kind: 'mute_subscriptions' });
      return async () => chain.geyser.setFault(null);
    },
    readAccounts: async () => ({
      slot: ledger.slot('confirmed'),
      accounts: new Map([...ledger.accountsOwnedBy(PROGRAM, 'confirmed')].map(([key, { data }]) => [key, data])),
    }),
    readSignatures: async (fromSlot, toSlot) =>
      happened.flatMap(({ slot, signatures }) => (slot > fromSlot && slot <= toSlot ? signatures : [])),
    close: () => localnet.stop(),
  };
  return chain;
}

/** What a transaction of the scripted engine does to the one account its instruction names. */
type Script = { readonly kind: 'nothing' | 'fail' | 'close' } | { readonly kind: 'write'; readonly data: Uint8Array };

const KINDS = ['nothing', 'fail', 'close', 'write'] as const;
const FEE = 5_000n;

/** An engine without programs: a transaction does what its only instruction says. */
function createScriptedEngine(): Engine {
  return {
    execute(wire, accounts) {
      const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
      if (message.version === 1) throw new Error('Not scripted');
      const accountKeys = message.staticAccounts;
      const [payer, account] = accountKeys;
      if (payer === undefined || account === undefined) throw new Error('It names too few accounts');
      const [kind = 0, ...bytes] = message.instructions[0]?.data ?? [];
      const isFailed = KINDS[kind] === 'fail';
      const before = accountKeys.map((key) => accounts.get(key));
      const payerState = before[0] as AccountState;
      const writes = new Map<Address, AccountState | undefined>([
        [payer, { ...payerState, lamports: payerState.lamports - FEE }],
      ]);
      if (KINDS[kind] === 'close') writes.set(account, undefined);
      if (KINDS[kind] === 'write') writes.set(account, { ...(before[1] as AccountState), data: new Uint8Array(bytes) });
      const lamportsOf = (state: AccountState | undefined) => state?.lamports ?? 0n;
      return {
        error: isFailed ? { InstructionError: [0, { Custom: 6000 }] } : null,
        isRecorded: true,
        logs: ['Program log: scripted'],
        unitsConsumed: 1n,
        fee: FEE,
        accountKeys,
        loadedAddresses: { writable: [], readonly: [] },
        innerInstructions: [],
        returnData: null,
        preBalances: before.map(lamportsOf),
        postBalances: accountKeys.map((key, index) => lamportsOf(writes.has(key) ? writes.get(key) : before[index])),
        writes,
      };
    },
  };
}

let sent = 0;

/** The bytes of a transaction for that engine; every one is another. */
function scriptedTransaction(
  payer: Address,
  account: Address,
  program: Address,
  blockhash: Blockhash,
  script: Script,
): Uint8Array {
  sent += 1;
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, sent);
  const bytes = script.kind === 'write' ? script.data : count;
  const messageBytes = getCompiledTransactionMessageEncoder().encode({
    version: 0,
    header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 1 },
    staticAccounts: [payer, account, program],
    lifetimeToken: blockhash,
    instructions: [
      { programAddressIndex: 2, accountIndices: [1], data: Uint8Array.of(KINDS.indexOf(script.kind), ...bytes) },
    ],
    addressTableLookups: [],
  }) as TransactionMessageBytes;
  const signature = new Uint8Array(64);
  signature.set(count, 60);
  signature[0] = 1;
  return new Uint8Array(
    getTransactionEncoder().encode({ messageBytes, signatures: { [payer]: signature as SignatureBytes } }),
  );
}

/** The signature as it is written. */
function signatureOf(wire: Uint8Array): string {
  const [signature] = Object.values(getTransactionDecoder().decode(wire).signatures);
  return getBase58Decoder().decode(signature ?? new Uint8Array(64));
}
