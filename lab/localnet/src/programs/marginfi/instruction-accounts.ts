import {
  type AccountSlot,
  type AccountsOf,
  ASSOCIATED_TOKEN_PROGRAM,
  type InstructionLayout,
  SYSTEM_PROGRAM,
  slotsOf,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { type AccountKind, AccountReader, type Loader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { LIQUIDATION_RECORD, MARGINFI_ACCOUNT } from './state/account-state.ts';
import { BANK } from './state/bank-state.ts';
import { FEE_STATE, GROUP } from './state/group-state.ts';
import { REBALANCE_ORDER, REBALANCE_RECORD } from './state/rebalance-state.ts';
import { versionOf } from './version.ts';

/** An account that is loaded, or what Anchor's type of it asks; `created` is looked at later, when the instruction creates it. */
// biome-ignore lint/suspicious/noExplicitAny: each kind has a state of its own
type Kind = AccountKind<any> | 'created' | 'mint' | 'system' | 'token' | 'unchecked';

/** What the accounts of these names are; of the others the layout says whether they sign and whether they may be left out. */
const USUAL = {
  group: GROUP,
  marginfiGroup: GROUP,
  marginfiAccount: MARGINFI_ACCOUNT,
  oldMarginfiAccount: MARGINFI_ACCOUNT,
  newMarginfiAccount: 'created',
  liquidatorMarginfiAccount: MARGINFI_ACCOUNT,
  liquidateeMarginfiAccount: MARGINFI_ACCOUNT,
  bank: BANK,
  assetBank: BANK,
  liabBank: BANK,
  feeState: FEE_STATE,
  liquidationRecord: LIQUIDATION_RECORD,
  rebalanceOrder: REBALANCE_ORDER,
  rebalanceRecord: REBALANCE_RECORD,
  rebalanceFeePool: 'system',
  mint: 'mint',
  fTokenMint: 'mint',
  signerTokenAccount: 'token',
  destinationTokenAccount: 'token',
  liquidityVault: 'token',
  bankLiquidityVault: 'token',
  insuranceVault: 'token',
} as const satisfies Readonly<Record<string, Kind>>;

const PROGRAMS: Readonly<Record<string, (reader: AccountReader, name: string) => NamedAccount>> = {
  systemProgram: (reader, name) => reader.program(name, SYSTEM_PROGRAM),
  associatedTokenProgram: (reader, name) => reader.program(name, ASSOCIATED_TOKEN_PROGRAM),
  collateralTokenProgram: (reader, name) => reader.program(name, TOKEN_PROGRAM),
  liquidityTokenProgram: (reader, name) => reader.tokenProgram(name),
  tokenProgram: (reader, name) => reader.tokenProgram(name),
};

type Kinds<TList extends string> = { readonly [Name in keyof AccountsOf<TList>]?: Kind };
type KindOf<Name, TKinds> = Name extends keyof TKinds
  ? TKinds[Name]
  : Name extends keyof typeof USUAL
    ? (typeof USUAL)[Name]
    : null;

/** The accounts of an instruction by their names in its layout, and those that come after them. */
export type Accounts<TLayout extends { readonly list: string }, TKinds = unknown> = {
  readonly [Name in keyof AccountsOf<TLayout['list'], NamedAccount>]: KindOf<Name, TKinds> extends {
    readonly view: (data: Uint8Array) => infer TState;
  }
    ? Loader<TState>
    : AccountsOf<TLayout['list'], NamedAccount>[Name];
} & { readonly remaining: readonly InstructionAccount[] };

/**
 * Reads an instruction's accounts in their order and checks of each what its type says, before any constraint is looked at; then that the
 * writable mints and token accounts are not one and the same. Those that the running version does not have are missing.
 * @param kinds what is not as usual here.
 */
export function readAccounts<TList extends string, TArgs, const TKinds extends Kinds<TList> = Kinds<''>>(
  context: InvokeContext,
  layout: InstructionLayout<TList, TArgs>,
  kinds?: TKinds,
): Accounts<{ readonly list: TList }, TKinds> {
  const reader = new AccountReader(context);
  const known: Readonly<Record<string, Kind | undefined>> = { ...USUAL, ...kinds };
  const slots = slotsOf(layout, versionOf(context));
  const given = new Map(slots.map((slot) => [slot, read(reader, slot, known[slot.name])]));
  const isKept = ({ name, isWritable }: AccountSlot) => isWritable && ['mint', 'token'].includes(String(known[name]));
  requireDistinct(...slots.filter(isKept).flatMap((slot) => given.get(slot) ?? []));
  const named = slots.map((slot) => [slot.name, given.get(slot)]);
  return { ...Object.fromEntries(named), remaining: reader.remaining() };
}

/** The name of an account in the program's source. */
const sourceNameOf = (name: string) => name.replaceAll(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`);

function read(reader: AccountReader, slot: AccountSlot, kind: Kind | undefined): NamedAccount | null {
  const name = sourceNameOf(slot.name);
  switch (kind) {
    case 'created':
      return reader.created(name);
    case 'mint':
      return reader.mint(name);
    case 'system':
      return reader.systemAccount(name);
    case 'token':
      return reader.tokenAccount(name);
    case 'unchecked':
      return reader.unchecked(name);
    case undefined:
      break;
    default:
      return reader.loader(name, kind);
  }
  const program = PROGRAMS[slot.name];
  if (program !== undefined) return program(reader, name);
  if (slot.isSigner) return slot.isOptional ? reader.optionalSigner(name) : reader.signer(name);
  return slot.isOptional ? reader.optional(name) : reader.unchecked(name);
}

/**
 * Looks at the constraints on each account, in their order: first whether it must be writable, then what `checks` has for it. Accounts that
 * the instruction has created were looked at then.
 */
export function checkAccounts<TList extends string, TArgs>(
  context: InvokeContext,
  layout: InstructionLayout<TList, TArgs>,
  accounts: AccountsOf<TList, NamedAccount>,
  checks: { readonly [Name in keyof AccountsOf<TList>]?: 'created' | (() => void) },
): void {
  const given: Readonly<Record<string, NamedAccount | null>> = accounts;
  const asked: Readonly<Record<string, 'created' | (() => void) | undefined>> = checks;
  for (const { name, isWritable } of slotsOf(layout, versionOf(context))) {
    const [account, check] = [given[name], asked[name]];
    if (check === 'created') continue;
    if (isWritable && account != null) requireWritable(account);
    check?.();
  }
}
