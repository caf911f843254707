import type { ProgramTarget } from '@lending/chain';
import type { BlockContent, HappenedBlock, SourceHarness } from '@lending/chain/program-source.contract.ts';
import { createLocalnet, type GeyserNode, type GeyserNodeOptions, type Localnet } from '@lending/localnet';
import { type Address, address, getAddressDecoder, type Slot } from '@solana/kit';
import { createScriptedEngine, type Script, scriptedTransaction, signatureOf } from './scripted-engine.ts';

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
