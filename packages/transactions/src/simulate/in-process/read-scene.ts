import type { AccountBatch, AccountUpdate, Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { CLOCK_SYSVAR, INSTRUCTIONS_SYSVAR } from '@lending/programs';
import { type Address, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { CompiledTransaction } from '#compile/compiled-transaction.ts';
import type { SimulateOptions } from '../simulator.ts';
import { assertReadable } from './assert-readable.ts';
import { isProgram } from './program-account.ts';
import type { ProgramCodes } from './program-codes.ts';
import { SYSVARS } from './runtime-addresses.ts';
import type { Scene } from './worker-messages.ts';

/** Accounts come in batches of a hundred. Further apart than this, about two seconds, they are not of one moment. */
const MAX_SPREAD_SLOTS = 8n;
const ATTEMPTS = 2;

/**
 * Reads what transactions run on: every account they name, lookup tables, sysvars, and code that is not known yet, which takes a second
 * wave.
 * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT, CHAIN__RPC_INVALID; DATA__UNAVAILABLE where nodes answer too far apart;
 * ACTION__TRANSACTION_EXCEEDED for more than may be loaded.
 */
export async function readScene(
  chain: Pick<Chain, 'fetchAccounts' | 'rpc'>,
  codes: ProgramCodes,
  transactions: readonly CompiledTransaction[],
  options: SimulateOptions,
): Promise<Scene> {
  const named = transactions.flatMap(({ accounts, wire }) => [...accounts, ...lookupTablesOf(wire)]);
  const addresses = [...new Set([...SYSVARS, ...named])].filter((address) => address !== INSTRUCTIONS_SYSVAR);
  if (options.isForeign) await assertReadable(chain, addresses, options);
  const [batches, deploySlots] = await Promise.all([
    fetchOfOneMoment(chain, addresses, options),
    codes.fetchDeploySlots(addresses, options),
  ]);
  const accounts = batches.flatMap((batch) =>
    batch.addresses.map((address, index) => ({ address, state: batch.accounts[index] ?? null })),
  );
  const programs = accounts.flatMap(({ state }) => (state !== null && isProgram(state) ? [state] : []));
  const written = await codes.fetchCodes(programs, deploySlots, options);
  const isListed = (list: readonly { readonly address: Address }[], { address }: { readonly address: Address }) =>
    list.some((each) => each.address === address);
  return {
    slot: BigInt(batches[0]?.slot ?? 0n),
    accounts: accounts.filter((account) => !isListed(programs, account)).map(toPlaced),
    programs: written,
    withoutCode: programs.filter((program) => !isListed(written, program)).map(({ address }) => address),
  };
}

/** The clock is in the first batch: what it says is what the programs see. */
async function fetchOfOneMoment(
  chain: Pick<Chain, 'fetchAccounts'>,
  addresses: readonly Address[],
  { signal, minContextSlot }: SimulateOptions,
): Promise<readonly AccountBatch[]> {
  let spread = 0n;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const batches = await chain.fetchAccounts(addresses, {
      ...(signal !== undefined && { signal }),
      ...(minContextSlot !== undefined && { minContextSlot }),
    });
    spread = spreadOf(batches.map(({ slot }) => slot));
    if (spread > MAX_SPREAD_SLOTS) continue;
    assertClock(batches);
    return batches;
  }
  throw new LendingError('DATA__UNAVAILABLE', {
    message: `The RPC nodes answer ${spread} slots apart, and a simulation takes accounts of one moment, at most ${MAX_SPREAD_SLOTS} slots`,
  });
}

function spreadOf(slots: readonly bigint[]): bigint {
  const [oldest = 0n, ...others] = slots.toSorted((a, b) => Number(a - b));
  return (others.at(-1) ?? oldest) - oldest;
}

/** Without the chain's time every price would look stale, and nobody would know why. */
function assertClock([first]: readonly AccountBatch[]): void {
  if (first?.accounts[first.addresses.indexOf(CLOCK_SYSVAR)]) return;
  throw new LendingError('DATA__UNAVAILABLE', { message: 'The RPC node does not give the clock of the chain' });
}

function lookupTablesOf(wire: Uint8Array): readonly Address[] {
  const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
  if (message.version !== 0) return [];
  return (message.addressTableLookups ?? []).map(({ lookupTableAddress }) => lookupTableAddress);
}

function toPlaced({ address, state }: { readonly address: Address; readonly state: AccountUpdate | null }) {
  if (state === null) return { address, state };
  const { owner, lamports, data } = state;
  return { address, state: { owner, lamports, data } };
}
