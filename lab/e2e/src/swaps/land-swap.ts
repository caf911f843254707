import { DEMO_TOKENS, type DemoTokenName, fundWallet, type OpenedLocalnet } from '@lending/localnet';
import { findAssociatedTokenAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountLayout } from '@lending/programs';
import type { AggregatorName } from '@lending/transactions';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { createSwaps } from '../builders/world.ts';
import { landInstructions } from '../land.ts';

/** A swap of the demo market, as whoever quoted it would do it. */
export interface SwapToLand {
  readonly inMint: Address;
  readonly outMint: Address;
  readonly inBase: bigint;
  /** What it was told to give: here that is fair, since what it gives is seen. */
  readonly outBase: bigint;
  readonly aggregator: AggregatorName;
}

const WALLET_LAMPORTS = 10_000_000_000n;

/** Builds, signs and sends a swap for a new wallet. @returns base units that it got. */
export async function landSwap(localnet: OpenedLocalnet, swap: SwapToLand): Promise<bigint> {
  const { inMint, outMint, inBase, outBase, aggregator } = swap;
  const [signer, nobody] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  const taker = signer.address;
  const [source, destination] = [await holdingOf(taker, inMint), await holdingOf(taker, outMint)];
  await fundWallet(localnet.ledger, taker, {
    lamports: WALLET_LAMPORTS,
    tokens: { [nameOf(inMint)]: inBase, [nameOf(outMint)]: 0n },
  });
  const { route } = await createSwaps(localnet).find({
    inMint,
    outMint,
    taker,
    source,
    destination,
    neededOut: 1n,
    inBase,
    maxInBase: inBase,
    slippageBps: 0,
    // What a size costs is what is to be seen.
    maxPriceImpactE18: 10n ** 18n,
    maxDeviationE18: 10n ** 30n,
    fairOut: (amount) => (amount * outBase) / inBase,
    protectedAccounts: new Set(),
    // None has a part in this.
    lendingAccount: nobody.address,
    slot: localnet.ledger.slot('processed'),
    accountsLeft: 64,
    fit: () => Promise.resolve({ kind: 'fits', submit: 'sequential' }),
    pinned: { aggregator, inBase },
    keys: { jupiter: null, dflow: null },
  });
  const { setup, swap: instructions, lookupTables } = route;
  const failure = await landInstructions(localnet.ledger, signer, [...setup, ...instructions], lookupTables);
  if (failure !== null) throw new Error(`the swap did not land: ${String(failure)}`);
  const account = localnet.ledger.account(destination);
  if (account === undefined) throw new Error(`${destination} is not there`);
  return tokenAccountLayout.decode(account.data).amount;
}

function nameOf(mint: Address): DemoTokenName {
  const found = Object.entries(DEMO_TOKENS).find(([, token]) => token.mint === mint);
  if (found === undefined) throw new Error(`${mint} is no token of the demo market`);
  return found[0] as DemoTokenName;
}

async function holdingOf(owner: Address, mint: Address): Promise<Address> {
  const { tokenProgram } = DEMO_TOKENS[nameOf(mint)];
  const program = tokenProgram === 'token_2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const [holding] = await findAssociatedTokenAccount(owner, mint, program);
  return holding;
}
