import type { AccountSource, AccountState, Engine, ExecutionResult, SlotContext } from '@lending/localnet';
import {
  decodeArguments,
  type InstructionLayout,
  isInstructionOf,
  lendingAccountBorrow,
  lendingAccountDeposit,
  lendingAccountEndFlashloan,
  lendingAccountRepay,
  lendingAccountWithdraw,
  MARGINFI_ERRORS,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountInitializePda,
  marginfiAccountLayout,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** A health list has of each balance the bank and its one feed. */
const PER_BALANCE = 2;
const BALANCES = 16;

/**
 * Marginfi 0.1.1 behind its bridges: it takes transactions of today, signed as they are, and leaves accounts as today's program does. What
 * the bridges change is changed after the signatures were checked. Version 0 without lookup tables.
 */
export function bridgeOldProgram(engine: Engine): Engine {
  return {
    execute(wire, source, context, options) {
      const asSigned = engine.execute(wire, source, context, options);
      if (asSigned.error !== null && !asSigned.isRecorded) return asSigned;
      const payer = asSigned.accountKeys[0] as Address;
      const opened = accountsOpenedBy(wire, context.minimumBalance);
      const prepared = withOpened(source, opened, payer);
      const result = engine.execute(bridgeTransaction(wire, prepared), prepared, context, { verifySignatures: false });
      if (result.error === null) return { ...result, writes: withSortedBalances([...opened, ...result.writes]) };
      const failed = withErrorOfToday(result);
      const before = source.get(payer);
      const isCharged = result.isRecorded && before !== undefined;
      const charged = isCharged ? [[payer, { ...before, lamports: before.lamports - result.fee }] as const] : [];
      return { ...failed, writes: new Map(charged) };
    },
  };
}

/** A transaction of today as the old program takes it. Its instructions keep their places, so that positions in errors stay what they are. */
export function bridgeTransaction(wire: Uint8Array, accounts: AccountSource): Uint8Array {
  const { message, instructions, lifetime } = readTransaction(wire);
  const slots = new BalanceSlots(accounts);
  const bridged = instructions.map((instruction) => {
    slots.follow(instruction);
    return shortenList(orderHealthAccounts(writeVaultAuthority(withoutOpening(instruction)), slots));
  });
  const changed = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(message.feePayer.address, empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetime, payed),
    (dated) => appendTransactionMessageInstructions(bridged, dated),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(changed)));
}

function readTransaction(wire: Uint8Array) {
  const { messageBytes } = getTransactionDecoder().decode(wire);
  const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes);
  if (compiled.version !== 0) throw new TypeError(`Transactions of version ${compiled.version} are not bridged`);
  const message = decompileTransactionMessage(compiled);
  const lifetime = { blockhash: compiled.lifetimeToken as Blockhash, lastValidBlockHeight: 0n };
  return { message, lifetime, instructions: message.instructions as readonly Instruction[] };
}

/** What the old program calls an error that has another name today. */
const NAMES: Readonly<Record<string, string>> = { StaleOracle: 'PythPushStalePrice' };
const ANCHOR_ERROR = /Error Code: (\w+)\. Error Number: \d+\./;

/** Errors are known by their names: numbers changed between the versions. */
function withErrorOfToday({ error, logs, ...rest }: ExecutionResult): ExecutionResult {
  const line = logs.findLast((each) => ANCHOR_ERROR.test(each)) ?? '';
  const name = ANCHOR_ERROR.exec(line)?.[1] ?? '';
  const today = NAMES[name] ?? name;
  const number = (MARGINFI_ERRORS as Readonly<Record<string, number>>)[today];
  const failure = typeof error === 'object' ? error?.InstructionError : undefined;
  if (number === undefined || !Array.isArray(failure)) return { ...rest, error, logs };
  const words = `Error Code: ${today}. Error Number: ${number}.`;
  return {
    ...rest,
    error: { InstructionError: [failure[0], { Custom: number }] },
    logs: logs.map((each) => each.replace(ANCHOR_ERROR, words)),
  };
}

/** The vault authority is read-only today; the old program wants it writable in what takes tokens out of a vault. */
function writeVaultAuthority(instruction: Instruction): Instruction {
  const layout = layoutOf(instruction, [lendingAccountBorrow, lendingAccountWithdraw]);
  if (layout === undefined) return instruction;
  const place = layout.accounts.findIndex(({ name }) => name === 'bankLiquidityVaultAuthority');
  const accounts = (instruction.accounts ?? []).map((meta, index) =>
    index === place ? { ...meta, role: AccountRole.WRITABLE } : meta,
  );
  return { ...instruction, accounts };
}

/**
 * The old program does not know the accounts that later versions put into a list: the group at the end of a flash loan. A
 * list whose group is another one stays as it is, and fails.
 */
function shortenList(instruction: Instruction): Instruction {
  const layout = layoutOf(instruction, [lendingAccountEndFlashloan]);
  const accounts = instruction.accounts ?? [];
  const slotAt = (index: number) => layout?.accounts[index];
  if (accounts.some(({ address }, index) => slotAt(index)?.name === 'group' && address !== MARGINFI_MAIN_GROUP))
    return instruction;
  return { ...instruction, accounts: accounts.filter((_, index) => (slotAt(index)?.since ?? null) === null) };
}

/**
 * Health accounts are sorted by bank today; the old program wants them in the account's slot order. A list is checked against today's
 * order first and permuted only then, so that a wrong one stays wrong.
 */
function orderHealthAccounts(instruction: Instruction, slots: BalanceSlots): Instruction {
  const layout = layoutOf(instruction, [lendingAccountBorrow, lendingAccountWithdraw, lendingAccountEndFlashloan]);
  if (layout === undefined) return instruction;
  const metas = instruction.accounts ?? [];
  const account = metas[layout.accounts.findIndex(({ name }) => name === 'marginfiAccount')]?.address as Address;
  const [named, listed] = [metas.slice(0, layout.accounts.length), metas.slice(layout.accounts.length)];
  return { ...instruction, accounts: [...named, ...permute(listed, slots.banksOf(account))] };
}

function permute(metas: readonly AccountMeta[], banks: readonly Address[]): readonly AccountMeta[] {
  const today = banks.toSorted((one, other) => Buffer.compare(bytesOf(other), bytesOf(one)));
  const isToday =
    metas.length === banks.length * PER_BALANCE &&
    today.every((bank, index) => metas[index * PER_BALANCE]?.address === bank);
  if (!isToday) return metas;
  return banks.flatMap((bank) => {
    const place = today.indexOf(bank) * PER_BALANCE;
    return metas.slice(place, place + PER_BALANCE);
  });
}

/** Which bank stands in which slot of the accounts that a transaction touches, as the old program fills and empties them. */
class BalanceSlots {
  readonly #accounts: AccountSource;
  readonly #slots = new Map<Address, (Address | null)[]>();

  constructor(accounts: AccountSource) {
    this.#accounts = accounts;
  }

  /** Banks in slot order; a slot without a balance is left out. */
  banksOf(account: Address): readonly Address[] {
    return this.#slotsOf(account).filter((bank) => bank !== null);
  }

  /** Follows one instruction: new balances take the first free slot, closed ones free theirs. */
  follow(instruction: Instruction): void {
    const data = new Uint8Array(instruction.data ?? []);
    const [account, bank] = [1, 3].map((place) => instruction.accounts?.[place]?.address);
    const opens = isInstructionOf(lendingAccountDeposit, data) || isInstructionOf(lendingAccountBorrow, data);
    if (account === undefined || bank === undefined || (!opens && !closesBalance(data))) return;
    const slots = this.#slotsOf(account);
    const place = slots.indexOf(opens && !slots.includes(bank) ? null : bank);
    if (place >= 0) slots[place] = opens ? bank : null;
  }

  #slotsOf(account: Address): (Address | null)[] {
    const known = this.#slots.get(account) ?? this.#read(account);
    this.#slots.set(account, known);
    return known;
  }

  #read(account: Address): (Address | null)[] {
    const state = this.#accounts.get(account);
    if (state?.owner !== MARGINFI_PROGRAM) return new Array<null>(BALANCES).fill(null);
    const { balances } = marginfiAccountLayout.decode(state.data).lendingAccount;
    return balances.map(({ active, bankPk }) => (active === 1 ? bankPk : null));
  }
}

function closesBalance(data: Uint8Array): boolean {
  if (isInstructionOf(lendingAccountRepay, data)) return decodeArguments(lendingAccountRepay, data).repayAll === true;
  return (
    isInstructionOf(lendingAccountWithdraw, data) && decodeArguments(lendingAccountWithdraw, data).withdrawAll === true
  );
}

/** The old program cannot open an account at a derived address: those of a transaction are there before it runs, as 0.1.8 leaves them. */
function accountsOpenedBy(wire: Uint8Array, minimumBalance: SlotContext['minimumBalance']): Opened {
  const { accounts: layout } = marginfiAccountInitializePda;
  const states = readTransaction(wire).instructions.flatMap(({ data = [], accounts = [] }) => {
    if (!isInstructionOf(marginfiAccountInitializePda, data)) return [];
    const at = (wanted: string) => accounts[layout.findIndex(({ name }) => name === wanted)]?.address as Address;
    const { accountIndex } = decodeArguments(marginfiAccountInitializePda, new Uint8Array(data));
    const empty = new Uint8Array(marginfiAccountLayout.fixedSize);
    empty.set(marginfiAccountLayout.discriminator);
    const fields = { group: at('marginfiGroup'), authority: at('authority'), accountIndex, thirdPartyIndex: 0 };
    const opened = new Uint8Array(marginfiAccountLayout.encode({ ...marginfiAccountLayout.decode(empty), ...fields }));
    const lamports = minimumBalance(opened.length);
    return [[at('marginfiAccount'), { lamports, owner: MARGINFI_PROGRAM, data: opened, executable: false }] as const];
  });
  return new Map(states);
}

type Opened = ReadonlyMap<Address, AccountState>;

/** In place of the opening stands a transfer of nothing from the wallet to itself. */
function withoutOpening(instruction: Instruction): Instruction {
  if (!isInstructionOf(marginfiAccountInitializePda, instruction.data ?? [])) return instruction;
  const place = marginfiAccountInitializePda.accounts.findIndex(({ name }) => name === 'feePayer');
  const address = instruction.accounts?.[place]?.address as Address;
  const roles = [AccountRole.WRITABLE_SIGNER, AccountRole.WRITABLE];
  const data = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  return { programAddress: SYSTEM_PROGRAM, accounts: roles.map((role) => ({ address, role })), data };
}

/** The accounts with those that were opened at the payer's expense. */
function withOpened(source: AccountSource, opened: Opened, payer: Address): AccountSource {
  const rent = [...opened.values()].reduce((sum, { lamports }) => sum + lamports, 0n);
  const before = source.get(payer);
  if (rent === 0n || before === undefined) return source;
  const poorer = { ...before, lamports: before.lamports - rent };
  return { get: (address) => (address === payer ? poorer : (opened.get(address) ?? source.get(address))) };
}

/** The program keeps balances sorted by bank, descending, without gaps; the old one leaves them in their slots. */
function withSortedBalances(
  writes: readonly (readonly [Address, AccountState | undefined])[],
): ExecutionResult['writes'] {
  return new Map(writes.map(([address, state]) => [address, state === undefined ? state : sortBalances(state)]));
}

function sortBalances(state: AccountState): AccountState {
  if (state.owner !== MARGINFI_PROGRAM || state.data.length !== marginfiAccountLayout.fixedSize) return state;
  const account = marginfiAccountLayout.decode(state.data);
  const held = account.lendingAccount.balances.filter(({ active }) => active === 1);
  const balances = [
    ...held.toSorted((one, other) => Buffer.compare(bytesOf(other.bankPk), bytesOf(one.bankPk))),
    ...account.lendingAccount.balances.filter(({ active }) => active !== 1),
  ];
  const lendingAccount = { ...account.lendingAccount, balances };
  return { ...state, data: new Uint8Array(marginfiAccountLayout.encode({ ...account, lendingAccount })) };
}

function layoutOf(
  { data = new Uint8Array() }: Instruction,
  layouts: readonly Pick<InstructionLayout, 'accounts' | 'discriminator'>[],
) {
  return layouts.find((layout) => isInstructionOf(layout, data));
}

function bytesOf(address: Address): Buffer {
  return Buffer.from(getAddressEncoder().encode(address));
}
