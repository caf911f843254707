import type { Address, GetMultipleAccountsApi, GetTokenAccountsByOwnerApi, Rpc, Slot } from '@solana/kit';
import { type AccountReader, fetchBatch } from './account-reader.ts';
import type { AccountUpdate } from './account-update.ts';
import type { ReadOptions } from './chain-options.ts';
import { toReadConfig, toSendOptions } from './read-config.ts';
import { toAccountUpdate } from './rpc-account.ts';
import { TOKEN_PROGRAMS } from './token-programs.ts';

/** What a wallet holds, undecoded. */
export interface OwnerTokenAccounts {
  /** Oldest slot of the reads this is made of. */
  readonly slot: Slot;
  /** SOL of the wallet itself; 0 where the chain has no such account. */
  readonly lamports: bigint;
  /** Accounts of both token programs, told apart by their owner. */
  readonly accounts: readonly AccountUpdate[];
}

/** Reads a wallet's SOL and its accounts of both token programs: three calls at once, each with its own slot. */
export async function fetchTokenAccountsOfOwner(
  reader: AccountReader & { readonly rpc: Rpc<GetMultipleAccountsApi & GetTokenAccountsByOwnerApi> },
  owner: Address,
  options: ReadOptions = {},
): Promise<OwnerTokenAccounts> {
  const [wallet, ...listings] = await Promise.all([
    fetchBatch(reader, [owner], options),
    ...TOKEN_PROGRAMS.map((programId) =>
      reader.rpc
        .getTokenAccountsByOwner(
          owner,
          { programId },
          { ...toReadConfig(options, reader.highestSlot), encoding: 'base64' },
        )
        .send(toSendOptions(options)),
    ),
  ]);
  const slots = [wallet.slot, ...listings.map(({ context }) => BigInt(context.slot))];
  return {
    slot: slots.reduce(older),
    lamports: wallet.accounts[0]?.lamports ?? 0n,
    accounts: listings.flatMap(({ context, value }) =>
      value.map(({ pubkey, account }) => toAccountUpdate(pubkey, BigInt(context.slot), account)),
    ),
  };
}

function older(one: Slot, other: Slot): Slot {
  return one < other ? one : other;
}
