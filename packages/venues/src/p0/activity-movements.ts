import {
  type AccountSlot,
  driftDeposit,
  driftWithdraw,
  INSTRUCTIONS_SYSVAR,
  type InstructionLayout,
  isInstructionOf,
  juplendDeposit,
  juplendWithdraw,
  kaminoDeposit,
  kaminoWithdraw,
  lendingAccountBorrow,
  lendingAccountDeposit,
  lendingAccountRepay,
  lendingAccountWithdraw,
  PROGRAM_VERSIONS,
  SYSTEM_PROGRAM,
  slotsOf,
  solendDeposit,
  solendWithdraw,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address, Decoder } from '@solana/kit';
import type { TransactionTrace } from './activity.ts';
import type { ProgramCall } from './activity-calls.ts';
import { loneChange, mintOfTokenAccount, transfersOf } from './activity-tokens.ts';

export type MovementAction = 'deposit' | 'withdraw' | 'borrow' | 'repay';

/** An instruction that moves tokens between a wallet and a balance, as its bytes alone tell it. */
export interface Movement {
  readonly action: MovementAction;
  readonly group: Address;
  readonly account: Address;
  readonly signer: Address;
  readonly bank: Address;
  /** The amount it was called with, base units; null where it says "all" or "up to". */
  readonly amount: bigint | null;
  /** It is called with receipts of the venue (cTokens) and its event tells those, not the tokens. */
  readonly isInReceipts: boolean;
  readonly closesSide: boolean;
  /** The wallet's token account. */
  readonly walletTokens: Address;
  /** The bank's vault; null where the tokens come past it. */
  readonly vault: Address | null;
  readonly mint: Address | null;
  readonly tokenProgram: Address | null;
}

/** An instruction whose arguments are read, not written. */
type ReadLayout = Pick<InstructionLayout, 'accounts' | 'discriminator'> & { readonly args: Decoder<unknown> };

interface MovementLayout {
  readonly layout: ReadLayout;
  readonly action: MovementAction;
  readonly isInReceipts?: true;
}

const MOVEMENTS: readonly MovementLayout[] = [
  { layout: lendingAccountDeposit, action: 'deposit' },
  { layout: lendingAccountWithdraw, action: 'withdraw' },
  { layout: lendingAccountBorrow, action: 'borrow' },
  { layout: lendingAccountRepay, action: 'repay' },
  { layout: kaminoDeposit, action: 'deposit' },
  { layout: kaminoWithdraw, action: 'withdraw', isInReceipts: true },
  { layout: solendDeposit, action: 'deposit' },
  { layout: solendWithdraw, action: 'withdraw', isInReceipts: true },
  { layout: driftDeposit, action: 'deposit' },
  { layout: driftWithdraw, action: 'withdraw' },
  { layout: juplendDeposit, action: 'deposit' },
  { layout: juplendWithdraw, action: 'withdraw' },
];

/** Bit of Kamino's flags; `withdraw_all` before 0.1.9 has the same one. */
const ALL_FLAG = 1;

/** The movement an instruction of the program makes; null where it makes none, `malformed` where it ends too early. */
export function readMovement(data: Uint8Array, accounts: readonly Address[]): Movement | 'malformed' | null {
  const known = MOVEMENTS.find(({ layout }) => isInstructionOf(layout, data));
  if (known === undefined) return null;
  const named = nameAccounts(known.layout, accounts);
  const args = readArguments(known.layout, data);
  const { group, marginfiAccount, authority, bank } = named;
  const walletTokens = named.signerTokenAccount ?? named.destinationTokenAccount;
  const isShort = accounts.length < known.layout.accounts.length;
  if (isShort || args === null || !group || !marginfiAccount || !authority || !bank || !walletTokens)
    return 'malformed';
  const closesSide = args.withdrawAll === true || args.repayAll === true || ((args.flags ?? 0) & ALL_FLAG) !== 0;
  const isOpenEnded = closesSide || args.depositUpToLimit === true;
  return {
    action: known.action,
    group,
    account: marginfiAccount,
    signer: authority,
    bank,
    amount: isOpenEnded ? null : args.amount,
    isInReceipts: known.isInReceipts === true,
    closesSide,
    walletTokens,
    vault: named.liquidityVault ?? null,
    mint: named.mint ?? null,
    tokenProgram: named.tokenProgram ?? named.liquidityTokenProgram ?? null,
  };
}

interface MovementArguments {
  readonly amount: bigint;
  readonly withdrawAll?: boolean | null;
  readonly repayAll?: boolean | null;
  readonly depositUpToLimit?: boolean | null;
  readonly flags?: number | null;
}

/** Discriminator and amount, which every version wrote. */
const SHORTEST_DATA = 16;

/** The option at the end may be missing: the first versions of deposit had none. */
function readArguments(layout: ReadLayout, data: Uint8Array): MovementArguments | null {
  if (data.length < SHORTEST_DATA) return null;
  try {
    return layout.args.decode(Uint8Array.from([...data, 0]), layout.discriminator.length) as MovementArguments;
  } catch {
    return null;
  }
}

/** Accounts whose address is the same in every instruction: where they stand, the list says which version wrote it. */
const FIXED: Readonly<Record<string, Address>> = {
  instructionSysvar: INSTRUCTIONS_SYSVAR,
  instructionsSysvar: INSTRUCTIONS_SYSVAR,
  systemProgram: SYSTEM_PROGRAM,
};

/** An instruction's accounts by the names of its layout, in the list of the version that it was written for. */
export function nameAccounts(
  layout: { readonly accounts: readonly AccountSlot[] },
  accounts: readonly Address[],
): Readonly<Record<string, Address | undefined>> {
  const lists = [...PROGRAM_VERSIONS].reverse().map((version) => slotsOf(layout, version));
  const fits = (slots: readonly AccountSlot[]) =>
    slots.every(({ name }, index) => FIXED[name] === undefined || FIXED[name] === accounts[index]);
  const slots = lists.find(fits) ?? layout.accounts;
  return Object.fromEntries(slots.map(({ name }, index) => [name, accounts[index]]));
}

/**
 * Tokens that crossed the bank's side, base units of the mint: what was credited to it, after a fee of Token-2022, and what left
 * it, before one. A borrow without the origination fee, which no token moves for. Null where the transaction does not tell.
 * @param told what the event says, if there is one.
 */
export function amountOf(
  trace: TransactionTrace,
  call: ProgramCall,
  movement: Movement,
  told: bigint | null,
): bigint | null {
  switch (movement.action) {
    case 'deposit':
    case 'repay':
      return told ?? movement.amount ?? creditedOf(trace, call, movement);
    case 'withdraw':
      return (movement.isInReceipts ? null : told) ?? paidOut(trace, call, movement);
    case 'borrow':
      return paidOut(trace, call, movement);
  }
}

function creditedOf(trace: TransactionTrace, call: ProgramCall, { vault }: Movement): bigint | null {
  if (vault === null || call.instruction === null) return null;
  const transfers = transfersOf(call.inner).filter(({ destination }) => destination === vault);
  const credited = transfers.map(({ amount, fee }) => (fee === null ? null : amount - fee));
  const isTold = credited.length > 0 && credited.every((amount) => amount !== null);
  if (isTold) return credited.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n);
  const change = loneChange(trace, vault, call.instruction, call.inner);
  return change === null || change < 0n ? null : change;
}

function paidOut(trace: TransactionTrace, call: ProgramCall, movement: Movement): bigint | null {
  const { walletTokens, vault, amount, isInReceipts, tokenProgram } = movement;
  if (call.instruction === null) return null;
  const transfers = transfersOf(call.inner).filter(({ destination }) => destination === walletTokens);
  if (transfers.length > 0) return transfers.reduce((sum, transfer) => sum + transfer.amount, 0n);
  const isPlain = tokenProgram === TOKEN_PROGRAM && !isInReceipts;
  if (isPlain && amount !== null) return amount;
  const isNative = movement.mint === null;
  const change = isNative && vault !== null ? loneChange(trace, vault, call.instruction, call.inner) : null;
  if (change !== null) return change > 0n ? null : -change;
  const received =
    tokenProgram === TOKEN_PROGRAM ? loneChange(trace, walletTokens, call.instruction, call.inner) : null;
  return received === null || received < 0n ? null : received;
}

/** The mint a movement is of, as far as the transaction tells. */
export function mintOf(trace: TransactionTrace, call: ProgramCall, movement: Movement): Address | null {
  const { mint, vault, walletTokens } = movement;
  return (
    mint ??
    (vault === null ? null : mintOfTokenAccount(trace, vault)) ??
    mintOfTokenAccount(trace, walletTokens) ??
    transfersOf(call.inner).find((transfer) => transfer.source === vault || transfer.destination === vault)?.mint ??
    null
  );
}
