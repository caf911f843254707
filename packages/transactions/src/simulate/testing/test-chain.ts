import { type Chain, createChain } from '@lending/chain';
import { type AccountState, createLiteSvmEngine, createLocalnet, type Localnet } from '@lending/localnet';
import { SYSTEM_PROGRAM } from '@lending/programs';
import { type Address, getAddressDecoder, type Instruction } from '@solana/kit';
import { compileTransaction } from '#compile/compile-transaction.ts';
import type { CompiledTransaction, TransactionVersion } from '#compile/compiled-transaction.ts';
import type { LookupTables } from '#live/action-state.ts';

export const SOL = 1_000_000_000n;
const decoder = getAddressDecoder();

/** Addresses that are no program's, nor anything else the chain knows. */
export function addressOf(number: number): Address {
  return decoder.decode(new Uint8Array(32).fill(number, 0, 31));
}

export const PAYER = addressOf(101);
export const FRIEND = addressOf(102);
export const STRANGER = addressOf(103);

export function wallet(lamports: bigint): AccountState {
  return { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
}

/** A chain on the real programs that stands still, so that two answers are of the same slot. */
export interface TestChain {
  readonly node: Localnet;
  readonly chain: Chain;
  /** How often a method was asked for. */
  countOf(method: string): number;
  /** Makes it a node without bundle simulation, as most are. */
  switchBundlesOff(): void;
  stop(): Promise<void>;
}

const CONFIRMING_SLOTS = 4;
const START_SLOT = 450_000_000n;

export async function openTestChain(accounts: Readonly<Record<Address, AccountState>>): Promise<TestChain> {
  const node = createLocalnet({
    engine: await createLiteSvmEngine(),
    genesis: () => Object.entries(accounts) as [Address, AccountState][],
    slotMs: null,
    startSlot: START_SLOT,
  });
  await node.start();
  for (let slot = 0; slot < CONFIRMING_SLOTS; slot += 1) node.ledger.advanceSlot();
  const asked = new Map<string, number>();
  const chain = createChain(
    { rpcUrls: [node.rpcUrl], source: 'localnet', maxRounds: 1 },
    { onAttempt: ({ method }) => asked.set(method, (asked.get(method) ?? 0) + 1) },
  );
  return {
    node,
    chain,
    countOf: (method) => asked.get(method) ?? 0,
    switchBundlesOff: () =>
      node.setFault({ kind: 'error', code: -32_601, message: 'Method not found', methods: ['simulateBundle'] }),
    stop: () => node.stop(),
  };
}

export interface TestTransaction {
  readonly payer?: Address;
  readonly version?: TransactionVersion;
  readonly lookupTables?: LookupTables;
  readonly computeUnitLimit?: number;
}

export function transactionOf(
  instructions: readonly Instruction[],
  options: TestTransaction = {},
): CompiledTransaction {
  return compileTransaction(
    { type: 'DEPOSIT', label: 'Deposit 1 SOL', instructions },
    {
      payer: PAYER,
      version: 0,
      microLamportsPerUnit: 1_000n,
      computeUnitLimit: 100_000,
      lookupTables: {},
      // No chain ever had it: simulations put one of their own in its place.
      blockhash: { value: addressOf(200), lastValidBlockHeight: 0n },
      ...options,
    },
  );
}
