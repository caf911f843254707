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
import { routeLayout } from '#programs/swap/swap-instruction.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import type { SwapOffer } from './make-offer.ts';
import type { OfferInstructions } from './offer-instructions.ts';
import type { TradedToken } from './swap-market.ts';

/** Who profits of hostile instructions. Nobody has its key: it is a hash. */
export const THIEF: Address = hashedAddress('thief');
const UNKNOWN_PROGRAM = hashedAddress('unknown program');
const MISSING_TABLE = hashedAddress('missing lookup table');

const SOURCE = routeLayout.accounts.findIndex(({ name }) => name === 'source');
const DESTINATION = routeLayout.accounts.findIndex(({ name }) => name === 'destination');
/** Enough for an account to be. */
const STOLEN_LAMPORTS = 1_000_000n;
const TOKEN_TRANSFER = 3;
const TOKEN_APPROVE = 4;

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
