import { createChain } from '@lending/chain';
import { NONE_RELAXED } from '@lending/domain';
import type {
  AccountSource,
  AccountState,
  Engine,
  ExecutionResult,
  OpenedLocalnet,
  SlotContext,
} from '@lending/localnet';
import {
  findAssociatedTokenAccount,
  findBankVaultAuthority,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  NO_KEY,
  TOKEN_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { askFor, createBankCache, type LendingAction, planAction, readActionState } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  isWritableRole,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  upgradeRoleToSigner,
} from '@solana/kit';
import { labelled, SYSTEM_PROGRAM } from '../real-program/addresses.ts';
import { rentExempt } from '../real-program/chain.ts';

const WALLET = labelled('venue builder');
const LIFETIME = { blockhash: SYSTEM_PROGRAM as string as Blockhash, lastValidBlockHeight: 0n };
const TOKENS = 1_000_000_000_000n;
/** SetComputeUnitLimit of 1,400,000. */
const UNIT_LIMIT: Instruction = {
  programAddress: 'ComputeBudget111111111111111111111111111111' as Address,
  data: Uint8Array.of(2, 0xc0, 0x5c, 0x15, 0),
};
const OF_MARGINFI = 2;

/** What a build came to on the local chain, and what of it other programs than the lending one were asked. */
export interface VenueBuild {
  readonly result: ExecutionResult;
  /** What brings the venue's accounts to this slot: sent to the venue by the transaction itself. */
  readonly refresh: readonly Instruction[];
  /** The whole transaction, with the lending program's own calls in the places of its instructions. */
  readonly direct: readonly Instruction[];
}

/** A wallet of the demo market with every token, which builds and executes without signing. */
export class VenueBuilder {
  readonly #localnet: OpenedLocalnet;
  readonly #engine: Engine;
  readonly #cache = createBankCache();

  constructor(localnet: OpenedLocalnet, engine: Engine) {
    this.#localnet = localnet;
    this.#engine = engine;
  }

  get accounts(): AccountSource {
    return this.#localnet.ledger.accountsAt('confirmed');
  }

  get context(): SlotContext {
    const { ledger } = this.#localnet;
    const slot = ledger.slot('confirmed');
    return {
      slot,
      unixTimestamp: ledger.unixTimestamp,
      epoch: slot / 432_000n,
      lamportsPerSignature: 5_000n,
      minimumBalance: rentExempt,
    };
  }

  /** SOL, and tokens of a mint. */
  async endow(mint: Address): Promise<void> {
    const [tokens] = await findAssociatedTokenAccount(WALLET, mint, TOKEN_PROGRAM);
    const data = new Uint8Array(
      tokenAccountLayout.encode({
        mint,
        owner: WALLET,
        amount: TOKENS,
        delegate: NONE,
        state: 1,
        isNative: NONE_AMOUNT,
        delegatedAmount: 0n,
        closeAuthority: NONE,
      }),
    );
    const wallet = { lamports: 10n ** 13n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
    this.keep(
      new Map([
        [WALLET, wallet],
        [tokens, { lamports: rentExempt(data.length), owner: TOKEN_PROGRAM, data, executable: false }],
      ]),
    );
  }

  keep(writes: ReadonlyMap<Address, AccountState | undefined>): void {
    const { ledger } = this.#localnet;
    ledger.writeAccounts(writes);
    for (let slot = 0; slot < 3; slot += 1) ledger.advanceSlot();
  }

  async build(bank: P0Bank, kind: LendingAction['kind'], amount: LendingAction['amount']): Promise<VenueBuild> {
    const action = { kind, bank: bank.address, amount };
    const state = await readActionState(
      createChain({ rpcUrls: [this.#localnet.rpcUrl], source: 'localnet' }),
      this.#cache,
      {
        ...{ program: MARGINFI_PROGRAM, group: MARGINFI_MAIN_GROUP, authority: WALLET, account: null },
        ...{
          version: NEWEST_VERSION,
          relaxed: NONE_RELAXED,
          knownAccounts: [],
          heldBanks: [],
          ...askFor(action),
          lookupTables: [],
          accountIndex: null,
        },
      },
    );
    const plan = await planAction(state, action, { symbol: 'TOKEN', venue: bank.venue });
    const planned = [...plan.setup, ...plan.refresh, ...plan.action, ...plan.cleanup];
    const result = this.run(this.#engine, planned);
    const [authority] = await findBankVaultAuthority('liquidity', bank.address);
    const signers = new Set<Address>([WALLET, authority, state.account.address]);
    const direct = planned.flatMap((instruction, index) => {
      if (instruction.programAddress !== MARGINFI_PROGRAM) return [instruction];
      // The unit limit stands before.
      return callsOf(result, index + 1, instruction, signers);
    });
    return { result, refresh: plan.refresh, direct };
  }

  /** On the model. */
  runModel(instructions: readonly Instruction[]): ExecutionResult {
    return this.run(this.#engine, instructions);
  }

  /** Runs instructions in one transaction on the accounts as they are, and keeps nothing. */
  run(engine: Engine, instructions: readonly Instruction[]): ExecutionResult {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(WALLET, empty),
      (payed) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, payed),
      (dated) => appendTransactionMessageInstructions([UNIT_LIMIT, ...instructions], dated),
    );
    const wire = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
    return engine.execute(wire, this.accounts, this.context, { verifySignatures: false });
  }
}

const NONE = { isSome: false, value: NO_KEY } as const;
const NONE_AMOUNT = { isSome: false, value: 0n } as const;

/** What the lending program called itself in one of its instructions, as if the wallet had: each account writable where it was. */
function callsOf(
  result: ExecutionResult,
  index: number,
  { accounts: given = [] }: Instruction,
  signers: ReadonlySet<Address>,
): readonly Instruction[] {
  const calls = result.innerInstructions.find((inner) => inner.index === index)?.instructions ?? [];
  const keyAt = (position: number) => result.accountKeys[position] as Address;
  const writable = new Set(given.filter(({ role }) => isWritableRole(role)).map(({ address }) => address));
  const roleOf = (address: Address) => {
    const role = writable.has(address) ? AccountRole.WRITABLE : AccountRole.READONLY;
    return signers.has(address) ? upgradeRoleToSigner(role) : role;
  };
  return calls
    .filter(({ stackHeight }) => stackHeight === OF_MARGINFI)
    .map(({ programIdIndex, accounts, data }) => ({
      programAddress: keyAt(programIdIndex),
      accounts: accounts.map((position) => ({ address: keyAt(position), role: roleOf(keyAt(position)) })),
      data,
    }));
}
