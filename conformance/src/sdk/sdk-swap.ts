import { AddressLookupTableAccount, PublicKey, TransactionInstruction } from '@solana/web3.js';

/** What the SDK's loops and closes take of a swap. */
export interface SdkSwap {
  readonly instructions: TransactionInstruction[];
  readonly lookupTables: AddressLookupTableAccount[];
  /** Base units that the swap gives at the least. */
  readonly minOutBase: bigint;
}

export interface SdkSwapRequest {
  readonly inputMint: string;
  readonly outputMint: string;
  readonly inBase: bigint;
  readonly taker: string;
}

interface WireInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: string;
}

interface WireBuild {
  readonly otherAmountThreshold: string;
  readonly swapInstruction: WireInstruction;
  readonly addressesByLookupTableAddress?: Readonly<Record<string, readonly string[]>> | null;
}

const SLIPPAGE_BPS = '50';

/**
 * A swap as whoever uses the SDK gets it for it: one quote of Jupiter with its instructions, tables believed as they are told. The SDK has
 * no aggregator of its own.
 */
export async function fetchSdkSwap(url: string, { inBase, ...request }: SdkSwapRequest): Promise<SdkSwap> {
  const query = new URLSearchParams({
    ...request,
    amount: `${inBase}`,
    slippageBps: SLIPPAGE_BPS,
    wrapAndUnwrapSol: 'false',
  });
  const response = await fetch(`${url}/swap/v2/build?${query}`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The swap was not quoted: HTTP ${response.status} ${text}`);
  const { otherAmountThreshold, swapInstruction, addressesByLookupTableAddress } = JSON.parse(text) as WireBuild;
  return {
    instructions: [toInstruction(swapInstruction)],
    lookupTables: Object.entries(addressesByLookupTableAddress ?? {}).map(toTable),
    minOutBase: BigInt(otherAmountThreshold),
  };
}

function toInstruction({ programId, accounts, data }: WireInstruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: accounts.map(({ pubkey, ...flags }) => ({ pubkey: new PublicKey(pubkey), ...flags })),
    data: Buffer.from(data, 'base64'),
  });
}

function toTable([key, addresses]: readonly [string, readonly string[]]): AddressLookupTableAccount {
  return new AddressLookupTableAccount({
    key: new PublicKey(key),
    state: {
      deactivationSlot: 0xffff_ffff_ffff_ffffn,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: addresses.map((address) => new PublicKey(address)),
    },
  });
}
