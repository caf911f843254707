import { createHash } from 'node:crypto';
import { readAddress } from '@lending/programs';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  createNoopSigner,
  getU64Encoder,
  type Instruction,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { associatedAccountOf } from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { routeLayout } from '#programs/swap/swap-instruction.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import { type OfferLedger, readToken, type SwapOffer, type TradedToken } from './make-offer.ts';
import type { OfferInstructions } from './offer-instructions.ts';

/** Who profits of hostile instructions. Nobody has its key: it is a hash. */
const THIEF: Address = hashedAddress('thief');
const UNKNOWN_PROGRAM = hashedAddress('unknown program');
const MISSING_TABLE = hashedAddress('missing lookup table');

const SOURCE = routeLayout.accounts.findIndex(({ name }) => name === 'source');
const DESTINATION = routeLayout.accounts.findIndex(({ name }) => name === 'destination');
/** Enough for an account to be. */
const STOLEN_LAMPORTS = 1_000_000n;
const TOKEN_TRANSFER = 3;
const TOKEN_APPROVE = 4;

const BPS = 10_000n;
const PPM_IN_A_BPS = 100n;
const HALF_BPS = 5_000;

/** The offer as a fault has it; as it is where the fault is none of quotes. */
export function bendOffer(ledger: OfferLedger, offer: SwapOffer, fault: AggregatorFault | null): SwapOffer {
  switch (fault?.kind) {
    case 'other_pair': {
      const { USDC, USDT, USDS } = DEMO_TOKENS;
      const other = [USDC, USDT, USDS].find(({ mint }) => mint !== offer.from.mint && mint !== offer.to.mint) ?? USDC;
      return { ...offer, to: readToken(ledger, other.mint) ?? offer.to };
    }
    case 'other_amount':
      return { ...offer, inBase: offer.inBase * 2n };
    case 'other_slippage':
      return { ...offer, slippageBps: HALF_BPS, minOutBase: offer.outBase / 2n };
    case 'low_threshold':
      return { ...offer, minOutBase: 1n };
    case 'high_impact':
      return { ...offer, priceImpactPpm: BigInt(fault.bps) * PPM_IN_A_BPS };
    case 'price_shift': {
      const shift = (base: bigint) => (base * (BPS + BigInt(fault.bps))) / BPS;
      return { ...offer, outBase: shift(offer.outBase), minOutBase: shift(offer.minOutBase) };
    }
    case 'old_slot':
      return { ...offer, contextSlot: offer.contextSlot - BigInt(fault.slots) };
    default:
      return offer;
  }
}

/** The instructions as a fault has them; as they are where the fault is none of instructions. */
export function bendInstructions(
  instructions: OfferInstructions,
  offer: SwapOffer,
  wallet: Address,
  fault: AggregatorFault | null,
): OfferInstructions {
  const { setup, swap, other, lookupTables } = instructions;
  const [from, to] = [holdingOf(wallet, offer.from), holdingOf(wallet, offer.to)];
  const withSwap = (bent: Partial<Instruction>) => ({ ...instructions, swap: { ...swap, ...bent } });
  const withExtra = (extra: readonly AccountMeta[]) => withSwap({ accounts: [...(swap.accounts ?? []), ...extra] });
  switch (fault?.kind) {
    case 'unknown_program':
      return withSwap({ programAddress: UNKNOWN_PROGRAM });
    case 'foreign_signer':
      return withExtra([{ address: THIEF, role: AccountRole.READONLY_SIGNER }]);
    case 'extra_writable':
      return withExtra([{ address: fault.account, role: AccountRole.WRITABLE }]);
    case 'many_accounts':
      return withExtra(manyAccounts(fault.count - (swap.accounts?.length ?? 0)));
    case 'other_source':
      return withSwap({ accounts: replaceAt(swap, SOURCE, fault.account) });
    case 'drained_output':
      return withSwap({ accounts: replaceAt(swap, DESTINATION, holdingOf(THIEF, offer.to).account) });
    case 'drained_after':
      return {
        ...instructions,
        other: [...other, spend(TOKEN_TRANSFER, to, wallet, holdingOf(THIEF, offer.to).account)],
      };
    case 'drained_before':
      return {
        ...instructions,
        setup: [
          ...setup,
          getTransferSolInstruction({ source: createNoopSigner(wallet), destination: THIEF, amount: STOLEN_LAMPORTS }),
        ],
      };
    case 'approved_thief':
      return { ...instructions, setup: [...setup, spend(TOKEN_APPROVE, from, wallet, THIEF)] };
    case 'lying_table': {
      const reversed = Object.entries(lookupTables).map(([table, addresses]) => [table, addresses.toReversed()]);
      return { ...instructions, lookupTables: Object.fromEntries(reversed) };
    }
    case 'missing_table':
      return { ...instructions, lookupTables: { ...lookupTables, [MISSING_TABLE]: [THIEF] } };
    case 'takes_more':
      return withSwap({ data: routeData({ ...offer, inBase: (offer.inBase * BigInt(fault.percent)) / 100n }) });
    case 'gives_less':
      return withSwap({ data: routeData({ ...offer, minOutBase: 0n }, fault.bps) });
    default:
      return instructions;
  }
}

interface Holding {
  readonly account: Address;
  readonly tokenProgram: Address;
}

function holdingOf(owner: Address, { mint, tokenProgram }: TradedToken): Holding {
  return { account: associatedAccountOf({ owner, mint, tokenProgram }), tokenProgram };
}

/** A transfer of one unit, or leave to make it: either has the account, whom it goes to, and who signs. */
function spend(tag: number, { account, tokenProgram }: Holding, wallet: Address, to: Address): Instruction {
  return {
    programAddress: tokenProgram,
    accounts: [
      { address: account, role: AccountRole.WRITABLE },
      { address: to, role: tag === TOKEN_TRANSFER ? AccountRole.WRITABLE : AccountRole.READONLY },
      { address: wallet, role: AccountRole.READONLY_SIGNER },
    ],
    data: Uint8Array.of(tag, ...getU64Encoder().encode(1n)),
  };
}

function replaceAt({ accounts = [] }: Instruction, position: number, address: Address): readonly AccountMeta[] {
  return accounts.map((meta, index) =>
    index === position ? { address, role: AccountRole.WRITABLE } : (meta as AccountMeta),
  );
}

function routeData({ inBase, minOutBase, route }: SwapOffer, dearerBps = 0): Uint8Array {
  const args = { amountIn: inBase, minimumOut: minOutBase, feeBps: route.feeBps + dearerBps };
  return Uint8Array.of(...routeLayout.discriminator, ...routeLayout.args.encode(args));
}

function manyAccounts(count: number): readonly AccountMeta[] {
  const numbers = Array.from({ length: Math.max(0, count) }, (_, index) => index + 1);
  return numbers.map((number) => ({ address: hashedAddress(`account ${number}`), role: AccountRole.READONLY }));
}

function hashedAddress(name: string): Address {
  return readAddress(new Uint8Array(createHash('sha256').update(`lending local chain: hostile ${name}`).digest()));
}
