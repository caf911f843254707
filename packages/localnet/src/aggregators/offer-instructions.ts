import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import {
  AccountRole,
  type Address,
  createNoopSigner,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { COMPUTE_BUDGET_PROGRAM } from '#engine/runtime-addresses.ts';
import { associatedAccountOf } from '#market/lending-instructions.ts';
import { SWAP_LOOKUP_TABLE, SWAP_TABLE_ADDRESSES } from '#market/swap-table.ts';
import { routeInstruction, type SwapToken } from '#programs/swap/swap-instruction.ts';
import type { SwapOffer } from './make-offer.ts';
import type { TradedToken } from './swap-market.ts';

/** For whom the instructions are, and what goes with the swap. */
export interface OfferTaker {
  readonly wallet: Address;
  /** Who pays rent; default: the wallet. */
  readonly payer?: Address | undefined;
  /** Where the output goes; default: the wallet's associated account. */
  readonly destination?: Address | undefined;
  /** Takes SOL out of the wallet before and back into it after, and leaves no account of wrapped SOL behind. */
  readonly wrapsSol: boolean;
}

/** The instructions of an offer, by what they are for. */
export interface OfferInstructions {
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly cleanup: readonly Instruction[];
  readonly other: readonly Instruction[];
  /** The tables that make it small, and what the aggregator says is in them. */
  readonly lookupTables: Readonly<Record<Address, readonly Address[]>>;
}

export const SWAP_UNIT_LIMIT = 120_000;
export const SWAP_UNIT_PRICE = 2_500n;
const TOKEN_CLOSE_ACCOUNT = 9;
const TOKEN_SYNC_NATIVE = 17;
const CREATE_IDEMPOTENT = 1;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

/** What the taker would sign for an offer. */
export function instructionsOf(offer: SwapOffer, taker: OfferTaker): OfferInstructions {
  const [from, to] = [accountOf(taker.wallet, offer.from), accountOf(taker.wallet, offer.to)];
  const destination = { ...to, account: taker.destination ?? to.account };
  return {
    setup: [createAccount(taker, from), createAccount(taker, to), ...wrap(offer, taker, from)],
    swap: routeInstruction(taker.wallet, from, destination, {
      amountIn: offer.inBase,
      minimumOut: offer.minOutBase,
      feeBps: offer.route.feeBps,
      extraAccounts: offer.route.extraAccounts,
    }),
    cleanup: unwrap(taker, [from, to]),
    other: [],
    lookupTables: { [SWAP_LOOKUP_TABLE]: SWAP_TABLE_ADDRESSES },
  };
}

export function unitPrice(microLamports: bigint): Instruction {
  return budget(SET_UNIT_PRICE, getU64Encoder().encode(microLamports));
}

export function unitLimit(units: number): Instruction {
  return budget(SET_UNIT_LIMIT, getU32Encoder().encode(units));
}

/** The taker's associated account of a token. */
function accountOf(wallet: Address, { mint, tokenProgram, oracle }: TradedToken): SwapToken {
  return { mint, tokenProgram, oracle, account: associatedAccountOf({ owner: wallet, mint, tokenProgram }) };
}

function createAccount(
  { wallet, payer = wallet }: OfferTaker,
  { account, mint, tokenProgram }: SwapToken,
): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: account, role: AccountRole.WRITABLE },
      { address: wallet, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: tokenProgram, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}

function wrap({ inBase }: SwapOffer, { wallet, wrapsSol }: OfferTaker, from: SwapToken): readonly Instruction[] {
  if (!wrapsSol || from.mint !== WRAPPED_SOL_MINT) return [];
  const accounts = [{ address: from.account, role: AccountRole.WRITABLE }];
  return [
    getTransferSolInstruction({ source: createNoopSigner(wallet), destination: from.account, amount: inBase }),
    { programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(TOKEN_SYNC_NATIVE) },
  ];
}

function unwrap({ wallet, wrapsSol }: OfferTaker, sides: readonly SwapToken[]): readonly Instruction[] {
  const wrapped = sides.find(({ mint }) => mint === WRAPPED_SOL_MINT);
  if (!wrapsSol || wrapped === undefined) return [];
  const accounts = [
    { address: wrapped.account, role: AccountRole.WRITABLE },
    { address: wallet, role: AccountRole.WRITABLE },
    { address: wallet, role: AccountRole.READONLY_SIGNER },
  ];
  return [{ programAddress: TOKEN_PROGRAM, accounts, data: Uint8Array.of(TOKEN_CLOSE_ACCOUNT) }];
}

function budget(tag: number, value: Iterable<number>): Instruction {
  return { programAddress: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(tag, ...value) };
}
