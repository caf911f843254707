import { AccountRole, type Address, type Instruction } from '@solana/kit';
import type { AggregatorName } from '../aggregator-name.ts';
import type { WireInstruction } from '../wire-instruction.ts';

/** What a test asks for; more goes over the wire as it is. */
export interface TestOrder {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inBase: bigint;
  readonly taker: Address;
  readonly more?: Readonly<Record<string, string>>;
  readonly wrapsSol?: boolean;
}

/** The answer of either aggregator in the same words. */
export interface TestAnswer {
  readonly outBase: bigint;
  readonly minOutBase: bigint;
  readonly priceImpactPct: string;
  readonly venues: number;
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly cleanup: readonly Instruction[];
  readonly other: readonly Instruction[];
  readonly tables: readonly Address[];
}

interface Quoted {
  readonly outAmount: string;
  readonly otherAmountThreshold: string;
  readonly priceImpactPct: string;
  readonly routePlan: readonly unknown[];
}

interface Instructions {
  readonly setupInstructions: readonly WireInstruction[];
  readonly swapInstruction: WireInstruction;
  readonly otherInstructions: readonly WireInstruction[];
}

/** Asks as a client of either aggregator does. @throws Error with the answer where it is not 200 */
export async function askAggregator(name: AggregatorName, url: string, order: TestOrder): Promise<TestAnswer> {
  const { inMint, outMint, inBase, taker, more = {}, wrapsSol = false } = order;
  const pair = { inputMint: inMint, outputMint: outMint, amount: `${inBase}`, ...more };
  if (name === 'jupiter') {
    const query = new URLSearchParams({ ...pair, taker, wrapAndUnwrapSol: `${wrapsSol}` });
    const build = await fetchJson<
      Quoted &
        Instructions & {
          readonly cleanupInstruction: WireInstruction | null;
          readonly addressesByLookupTableAddress: Readonly<Record<string, readonly string[]>>;
        }
    >(`${url}/swap/v2/build?${query}`);
    const cleanup = build.cleanupInstruction === null ? [] : [build.cleanupInstruction];
    return toAnswer(build, build, cleanup, Object.keys(build.addressesByLookupTableAddress));
  }
  const quote = await fetchJson<Quoted>(`${url}/quote?${new URLSearchParams(pair)}`);
  const body = JSON.stringify({ userPublicKey: taker, quoteResponse: quote, wrapAndUnwrapSol: wrapsSol });
  const headers = { 'content-type': 'application/json' };
  const built = await fetchJson<
    Instructions & {
      readonly cleanupInstructions: readonly WireInstruction[];
      readonly addressLookupTableAddresses: readonly string[];
    }
  >(`${url}/swap-instructions`, { method: 'POST', body, headers });
  return toAnswer(quote, built, built.cleanupInstructions, built.addressLookupTableAddresses);
}

function toAnswer(
  quote: Quoted,
  built: Instructions,
  cleanup: readonly WireInstruction[],
  tables: readonly string[],
): TestAnswer {
  return {
    outBase: BigInt(quote.outAmount),
    minOutBase: BigInt(quote.otherAmountThreshold),
    priceImpactPct: quote.priceImpactPct,
    venues: quote.routePlan.length,
    setup: built.setupInstructions.map(fromWire),
    swap: fromWire(built.swapInstruction),
    cleanup: cleanup.map(fromWire),
    other: built.otherInstructions.map(fromWire),
    tables: tables as readonly Address[],
  };
}

function fromWire({ programId, accounts, data }: WireInstruction): Instruction {
  return {
    programAddress: programId as Address,
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({
      address: pubkey as Address,
      role: roleOf(isSigner, isWritable),
    })),
    data: new Uint8Array(Buffer.from(data, 'base64')),
  };
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

async function fetchJson<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
