import type { AccountUpdate } from '@lending/chain';
import { createModelEngine, DEMO_BANKS, fundWallet, type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  COMPUTE_BUDGET_PROGRAM,
  findAssociatedTokenAccount,
  MARGINFI_MAIN_GROUP,
  MARGINFI_MAIN_LOOKUP_TABLES,
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  tokenAccountLayout,
} from '@lending/programs';
import {
  type ActionPlan,
  type ActionState,
  askFor,
  createBankCache,
  type LendingAction,
  type LookupTables,
  planAction,
  planCreateAccount,
  readActionState,
} from '@lending/transactions';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  getU32Encoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
} from '@solana/kit';

/** As many compute units as a transaction may have: `SetComputeUnitLimit`. */
const UNITS: Instruction = {
  programAddress: COMPUTE_BUDGET_PROGRAM,
  data: Uint8Array.of(2, ...getU32Encoder().encode(1_400_000)),
};

type Funds = Parameters<typeof fundWallet>[2];

/** What became of a plan on the chain. */
export interface Landed {
  readonly error: unknown;
  readonly logs: readonly string[];
}

export interface Planned {
  readonly state: ActionState;
  readonly plan: ActionPlan;
}

export type Acted = Planned & Landed;

/** The local chain, on which plans are carried out as they are: slots pass when told to. */
export class PlanChain {
  readonly localnet: OpenedLocalnet;
  readonly #cache = createBankCache();

  private constructor(localnet: OpenedLocalnet) {
    this.localnet = localnet;
  }

  static async open(): Promise<PlanChain> {
    return new PlanChain(await openLocalnet({ genesis: { kind: 'demo' }, engine: createModelEngine(), slotMs: null }));
  }

  async addWallet(funds: Funds): Promise<KeyPairSigner> {
    const wallet = await generateKeyPairSigner();
    await fundWallet(this.localnet.ledger, wallet.address, { lamports: 100_000_000_000n, ...funds });
    return wallet;
  }

  /** The demo bank of a ticker's symbol on a venue, which its description names. */
  bank(symbol: string, venue = 'P0'): Address {
    const found = DEMO_BANKS.find(
      ({ ticker, description }) => ticker.startsWith(`${symbol} |`) && description.split(' | ')[3] === venue,
    );
    if (found === undefined) throw new TypeError(`No demo bank of ${symbol} on ${venue}`);
    return found.address;
  }

  read(wallet: Address, action: LendingAction | null, account: Address | null = null): Promise<ActionState> {
    const fetchAccounts = async (addresses: readonly Address[]) => [
      { slot: this.#slot(), addresses, accounts: addresses.map((address) => this.#account(address)) },
    ];
    return readActionState({ fetchAccounts } as never, this.#cache, {
      program: MARGINFI_PROGRAM,
      group: MARGINFI_MAIN_GROUP,
      authority: wallet,
      account,
      version: NEWEST_VERSION,
      relaxed: new Set(),
      knownAccounts: [],
      heldBanks: [],
      ...askFor(action),
      lookupTables: MARGINFI_MAIN_LOOKUP_TABLES,
      accountIndex: null,
    });
  }

  async plan(wallet: Address, action: LendingAction | null): Promise<Planned> {
    const state = await this.read(wallet, action);
    const words = { symbol: 'tokens', venue: 'a bank' };
    return { state, plan: action === null ? planCreateAccount(state) : await planAction(state, action, words) };
  }

  /** Reads, plans and carries out. */
  async act(wallet: KeyPairSigner, action: LendingAction | null): Promise<Acted> {
    const planned = await this.plan(wallet.address, action);
    return { ...planned, ...(await this.send(wallet, planned)) };
  }

  async send(wallet: KeyPairSigner, { plan, state }: Planned): Promise<Landed> {
    const { setup, refresh, action, cleanup } = plan;
    return this.#submit(wallet, [...setup, ...refresh, ...action, ...cleanup], state.lookupTables);
  }

  /** Base units in the wallet's associated account; null where it has none. */
  async tokens(wallet: Address, mint: Address): Promise<bigint | null> {
    const tokenProgram = this.localnet.ledger.account(mint)?.owner;
    if (tokenProgram === undefined) throw new TypeError(`There is no mint ${mint}`);
    const [address] = await findAssociatedTokenAccount(wallet, mint, tokenProgram);
    const data = this.localnet.ledger.account(address)?.data;
    return data === undefined ? null : tokenAccountLayout.decode(data).amount;
  }

  lamports(wallet: Address): bigint {
    return this.localnet.ledger.account(wallet)?.lamports ?? 0n;
  }

  marginfiAccount(address: Address): P0Account {
    const account = this.#account(address);
    if (account === null) throw new TypeError(`There is no account ${address}`);
    return decodeMarginfiAccount(account, MARGINFI_PROGRAM);
  }

  advance(slots = 1): void {
    for (let slot = 0; slot < slots; slot += 1) this.localnet.ledger.advanceSlot();
  }

  async #submit(wallet: KeyPairSigner, instructions: readonly Instruction[], tables: LookupTables): Promise<Landed> {
    const { ledger } = this.localnet;
    const { blockhash, lastValidBlockHeight } = ledger.latestBlockhash('confirmed');
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (it) => setTransactionMessageFeePayer(wallet.address, it),
      (it) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash as Blockhash, lastValidBlockHeight }, it),
      (it) => appendTransactionMessageInstructions([UNITS, ...instructions], it),
      (it) => compressTransactionMessageUsingAddressLookupTables(it, tables as never),
    );
    const signed = await signTransaction([wallet.keyPair], compileTransaction(message));
    const outcome = ledger.submit(new Uint8Array(getTransactionEncoder().encode(signed)));
    switch (outcome.kind) {
      case 'executed':
        return { error: outcome.result.error, logs: outcome.result.logs };
      case 'refused':
        return { error: outcome.error, logs: outcome.result?.logs ?? [] };
      default:
        return { error: outcome, logs: [] };
    }
  }

  #slot(): bigint {
    return this.localnet.ledger.slot('processed');
  }

  #account(address: Address): AccountUpdate | null {
    const state = this.localnet.ledger.account(address);
    return state === undefined ? null : { ...state, address, slot: this.#slot() };
  }
}
