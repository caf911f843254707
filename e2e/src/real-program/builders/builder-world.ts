import { createHash } from 'node:crypto';
import { createChain, type Chain as LendingChain } from '@lending/chain';
import { type AccountState, createLocalnet, type Localnet } from '@lending/localnet';
import {
  findAssociatedTokenAccount,
  findMarginfiAccount,
  MARGINFI_PROGRAM,
  priceUpdateV2Layout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type BankCache, type CompiledTransaction, createBankCache, replaceBlockhash } from '@lending/transactions';
import {
  type Address,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  signTransaction,
} from '@solana/kit';
import { GROUP, labelled, SYSTEM_PROGRAM } from '../addresses.ts';
import { rentExempt } from '../chain.ts';
import type { RealProgram } from '../elf.ts';
import { type BankName, bankNamed, MARKET, START_TIME } from '../market.ts';
import { feedState } from '../world.ts';
import { bridgedEngine } from './bridged-engine.ts';
import { builderMarket, mintOf, NATIVE_BANK, pullFeed, SWITCHBOARD_BANK, tokens } from './builder-market.ts';
import { poolAccounts } from './swap-pool.ts';

/** Who builds: each is there for something the others do not do. */
export type BuilderName = 'lender' | 'borrower' | 'newcomer';
const BUILDERS: readonly BuilderName[] = ['lender', 'borrower', 'newcomer'];

const SOL = 1_000_000_000n;
const WALLET_LAMPORTS = 10_000n * SOL;
/** Whole tokens of every mint but SOL that everybody starts with. */
const TOKENS_EACH = 10_000_000n;
/** Indexes from which accounts are derived at most. */
const INDEXES = [0, 1, 2, 3];

/** A node that runs the real program, with the test market on it and wallets that sign for themselves. */
export interface BuilderWorld {
  readonly chain: LendingChain;
  readonly cache: BankCache;
  readonly localnet: Localnet;
  signerOf(name: BuilderName): KeyPairSigner;
  tokenAccountOf(name: BuilderName, bank: BankName): Promise<Address>;
  account(address: Address): AccountState | undefined;
  setTokens(name: BuilderName, bank: BankName, amount: bigint): Promise<void>;
  /** Lets time pass and publishes every feed anew, but for those that are to grow stale. */
  passTime(seconds: bigint, stale?: readonly BankName[]): void;
  /** Signs as the wallet and sends; what is confirmed can be read when this returns. @throws SolanaError when a node refuses it. */
  send(name: BuilderName, transaction: CompiledTransaction): Promise<string>;
  stop(): Promise<void>;
}

/** @param market as it stands after the program's own admin instructions. */
export async function openBuilderWorld(
  { engine, elf, isOld }: RealProgram,
  market: ReadonlyMap<Address, AccountState>,
): Promise<BuilderWorld> {
  const signers = new Map(await Promise.all(BUILDERS.map(async (name) => [name, await signerNamed(name)] as const)));
  const signerOf = (name: BuilderName) => signers.get(name) as KeyPairSigner;
  const bumps = await derivedBumps([...signers.values()]);
  const accounts = new Map([...builderMarket(market, START_TIME), ...deployed(elf)]);
  const tokenAccountOf = async (name: BuilderName, bank: BankName) =>
    (await findAssociatedTokenAccount(signerOf(name).address, mintOf(bank), TOKEN_PROGRAM))[0];
  for (const name of BUILDERS) {
    const { address } = signerOf(name);
    accounts.set(address, {
      lamports: WALLET_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
    });
    for (const [pool, state] of poolAccounts(name, address)) accounts.set(pool, state);
    for (const { name: bank, decimals } of MARKET.values()) {
      if (bank === NATIVE_BANK) continue;
      accounts.set(await tokenAccountOf(name, bank), tokens(bank, address, TOKENS_EACH * 10n ** BigInt(decimals)));
    }
  }

  let unixTimestamp = START_TIME;
  const localnet = createLocalnet({
    engine: isOld ? bridgedEngine(engine, (account) => bumps.get(account) ?? 0) : engine,
    genesis: () => accounts,
    nowMs: () => Number(unixTimestamp) * 1_000,
    // Time stands still but for `passTime`, so that what lands is what was simulated.
    slotMs: null,
    startSlot: 1_000n,
  });
  await localnet.start();
  const { ledger } = localnet;
  const rpc = createSolanaRpc(localnet.rpcUrl);
  /** As many slots as confirm what came before. */
  const confirm = () => {
    for (let slot = 0; slot < 3; slot += 1) ledger.advanceSlot();
  };
  confirm();

  return {
    chain: createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' }),
    cache: createBankCache(),
    localnet,
    signerOf,
    tokenAccountOf,
    account: (address) => ledger.account(address),
    async setTokens(name, bank, amount) {
      ledger.writeAccount(await tokenAccountOf(name, bank), tokens(bank, signerOf(name).address, amount));
      confirm();
    },
    passTime(seconds, stale = []) {
      unixTimestamp += seconds;
      confirm();
      for (const { name, oracle, price } of MARKET.values()) {
        if (stale.includes(name)) continue;
        const at = { slot: ledger.slot('processed'), unixTimestamp };
        const state =
          name === SWITCHBOARD_BANK ? pullFeed(price, at) : republished(ledger.account(oracle), name, unixTimestamp);
        ledger.writeAccount(oracle, state);
      }
      confirm();
    },
    async send(name, transaction) {
      const { value } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
      const { wire } = replaceBlockhash(transaction, {
        value: value.blockhash,
      });
      const signed = await signTransaction([signerOf(name).keyPair], getTransactionDecoder().decode(wire));
      const signature = await rpc
        .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64', skipPreflight: true })
        .send();
      confirm();
      return signature;
    },
    stop: () => localnet.stop(),
  };
}

function signerNamed(name: BuilderName): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(`real program builder ${name}`).digest());
}

async function derivedBumps(signers: readonly KeyPairSigner[]): Promise<ReadonlyMap<Address, number>> {
  const pairs = signers.flatMap(({ address }) => INDEXES.map((index) => [address, index] as const));
  return new Map(
    await Promise.all(pairs.map(([authority, index]) => findMarginfiAccount({ group: GROUP, authority, index }))),
  );
}

/** What a feed says, said now. */
function republished(state: AccountState | undefined, name: BankName, publishTime: bigint): AccountState {
  if (state === undefined) throw new TypeError(`The bank ${name} has no feed`);
  const { priceMessage } = priceUpdateV2Layout.decode(state.data);
  return feedState(bankNamed(name), {
    price: priceMessage.price,
    confidence: priceMessage.conf,
    emaPrice: priceMessage.emaPrice,
    emaConfidence: priceMessage.emaConf,
    publishTime,
  });
}

const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;
const PROGRAM_DATA = labelled('program data');

/** The program as a node has it, for whoever runs it himself: its account, and the account with the code. */
function deployed(elf: Uint8Array): readonly (readonly [Address, AccountState])[] {
  const program = Buffer.alloc(36);
  program.writeUInt32LE(2);
  program.set(getAddressEncoder().encode(PROGRAM_DATA), 4);
  const code = Buffer.alloc(45 + elf.length);
  code.writeUInt32LE(3);
  code.set(elf, 45);
  const state = (data: Uint8Array, executable: boolean) => ({
    lamports: rentExempt(data.length),
    owner: UPGRADEABLE_LOADER,
    data: new Uint8Array(data),
    executable,
  });
  return [
    [MARGINFI_PROGRAM, state(program, true)],
    [PROGRAM_DATA, state(code, false)],
  ];
}
