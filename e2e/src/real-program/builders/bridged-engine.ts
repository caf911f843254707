import type { AccountSource, AccountState, Engine, ExecutionResult } from '@lending/localnet';
import { decodeArguments, isInstructionOf, marginfiAccountInitializePda, SYSTEM_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { derivedAccountState } from '../bridges/derived-account.ts';
import { orderHealthAccounts } from '../bridges/health-account-order.ts';
import { shortenList } from '../bridges/shorter-lists.ts';
import { withSortedBalances } from '../bridges/sorted-balances.ts';
import { makeVaultAuthorityWritable } from '../bridges/writable-vault-authority.ts';

const LENDING_ACCOUNT = marginfiAccountInitializePda.accounts.findIndex(({ name }) => name === 'marginfiAccount');
const AUTHORITY = marginfiAccountInitializePda.accounts.findIndex(({ name }) => name === 'authority');

/**
 * The engine of the old program, behind the bridges: it takes transactions of today, signed as they are. What the bridges change is
 * changed after the signatures were checked. Version 0 without lookup tables.
 * @param bumpOf of derived lending accounts, which the ELF cannot create.
 */
export function bridgedEngine(engine: Engine, bumpOf: (account: Address) => number): Engine {
  return {
    execute(wire, source, context, options) {
      const asSigned = engine.execute(wire, source, context, options);
      if (asSigned.error !== null && !asSigned.isRecorded) return asSigned;
      const { instructions, recompile } = readTransaction(wire);
      const made = new Map<Address, AccountState>();
      const created = instructions.map((instruction) => createInAdvance(instruction, made, bumpOf));
      const payer = asSigned.accountKeys[0] as Address;
      const prepared = withMade(source, made, payer);
      const ordered = orderHealthAccounts(
        { account: (address) => prepared.get(address) },
        created.map(makeVaultAuthorityWritable),
      );
      const result = engine.execute(recompile(ordered.map(shortenList)), prepared, context, {
        verifySignatures: false,
      });
      return { ...result, writes: writesOf(result, source, made, payer) };
    },
  };
}

function readTransaction(wire: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes));
  if (message.version !== 0) throw new TypeError(`Transactions of version ${message.version} are not bridged`);
  const { lifetimeConstraint } = message;
  if (!('blockhash' in lifetimeConstraint)) throw new TypeError('Durable nonces are not bridged');
  return {
    instructions: message.instructions as readonly Instruction[],
    recompile: (instructions: readonly Instruction[]) => {
      const changed = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayer(message.feePayer.address, empty),
        (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetimeConstraint, payed),
        (dated) => appendTransactionMessageInstructions(instructions, dated),
      );
      return new Uint8Array(getTransactionEncoder().encode(compileTransaction(changed)));
    },
  };
}

/** In place of the creation stands an instruction that does nothing, so that positions in errors stay what they are. */
function createInAdvance(
  instruction: Instruction,
  made: Map<Address, AccountState>,
  bumpOf: (account: Address) => number,
): Instruction {
  const data = new Uint8Array(instruction.data ?? []);
  if (!isInstructionOf(marginfiAccountInitializePda, data)) return instruction;
  const at = (position: number) => instruction.accounts?.[position]?.address as Address;
  const { accountIndex } = decodeArguments(marginfiAccountInitializePda, data);
  const [account, authority] = [at(LENDING_ACCOUNT), at(AUTHORITY)];
  made.set(account, derivedAccountState({ group: at(0), authority, accountIndex, bump: bumpOf(account) }));
  return transferOfNothing(authority);
}

function transferOfNothing(wallet: Address): Instruction {
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: wallet, role: AccountRole.WRITABLE_SIGNER },
      { address: wallet, role: AccountRole.WRITABLE },
    ],
    data: Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  };
}

/** The accounts with those that were made at the payer's expense. */
function withMade(source: AccountSource, made: ReadonlyMap<Address, AccountState>, payer: Address): AccountSource {
  const rent = [...made.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  if (rent === 0n) return source;
  const before = source.get(payer);
  const poorer = before === undefined ? undefined : { ...before, lamports: before.lamports - rent };
  return { get: (address) => (address === payer ? poorer : (made.get(address) ?? source.get(address))) };
}

function writesOf(
  { error, isRecorded, fee, writes }: ExecutionResult,
  source: AccountSource,
  made: ReadonlyMap<Address, AccountState>,
  payer: Address,
): ExecutionResult['writes'] {
  const before = source.get(payer);
  if (error !== null && (before === undefined || !isRecorded)) return new Map();
  if (error !== null && before !== undefined) return new Map([[payer, { ...before, lamports: before.lamports - fee }]]);
  return new Map(
    [...made, ...writes].map(([address, state]) => [address, state === undefined ? state : withSortedBalances(state)]),
  );
}
