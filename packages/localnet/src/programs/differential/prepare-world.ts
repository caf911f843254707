import { existsSync, readFileSync } from 'node:fs';
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ACCOUNT, MINT, MULTISIG } from '../token/token-state.ts';
import { createAccount, instruction, key, option, u16, u64 } from './instruction-bytes.ts';
import type { TwinChains } from './twin-chains.ts';
import {
  type AnyInstruction,
  EVERYTHING,
  LOOKUP_TABLE,
  PAYER,
  SIDES,
  TOKEN_2022,
  type TokenSide,
  WALLETS,
} from './world.ts';

const SOL = 1_000_000_000n;
const FEE_MINT_SIZE = 278;
const FEE_ACCOUNT_SIZE = 178;

/** Gives both chains wallets, mints and token accounts, by transactions that both must accept. */
export function prepareWorld(chains: TwinChains, fixturesDir: string): void {
  for (const wallet of [PAYER, ...WALLETS]) fund(chains, wallet, 1_000n * SOL);
  for (const side of SIDES) {
    placeNativeMint(chains, side);
    for (const instructions of setupOf(side, chains)) {
      const comparison = chains.run(PAYER, instructions, 'legacy');
      if (comparison?.model.error === null && comparison.litesvm.error === null) continue;
      throw new Error(`Setup failed: ${JSON.stringify([comparison?.model, comparison?.litesvm])}`);
    }
  }
  placeDumpedMint(chains, fixturesDir);
  chains.setLookupTable(LOOKUP_TABLE, EVERYTHING);
}

function fund(chains: TwinChains, address: Address, lamports: bigint): void {
  chains.setAccount(address, { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false });
}

function setupOf(side: TokenSide, chains: TwinChains): AnyInstruction[][] {
  const [first, second, third] = side.mints as [Address, Address, Address];
  const [walletA, walletB] = WALLETS;
  const rent = (size: number) => chains.context.minimumBalance(size);
  const create = (address: Address, size: number, extra = 0n) =>
    createAccount(PAYER, address, rent(size) + extra, BigInt(size), side.program);
  const mint = (address: Address, decimals: number, authority: Address, freeze: Address | null) =>
    instruction(side.program, [['w', address]], 20, decimals, key(authority), option(freeze));
  const account = (index: number, of: Address, owner: Address, size: number = ACCOUNT.size, extra = 0n) => {
    const address = side.accounts[index] as Address;
    return [
      create(address, size, extra),
      instruction(
        side.program,
        [
          ['w', address],
          ['r', of],
        ],
        18,
        key(owner),
      ),
    ];
  };
  const mintTo = (of: Address, index: number, authority: Address, amount: bigint) =>
    instruction(
      side.program,
      [
        ['w', of],
        ['w', side.accounts[index] as Address],
        ['s', authority],
      ],
      7,
      u64(amount),
    );
  const signers = WALLETS.map((wallet) => ['r', wallet] as const);

  const common = [
    [create(first, MINT.size), mint(first, 6, walletA, walletA)],
    [create(second, MINT.size), mint(second, 0, walletB, null)],
    [create(side.multisig, MULTISIG.size), instruction(side.program, [['w', side.multisig], ...signers], 19, 2)],
    [...account(0, first, walletA), ...account(1, first, walletB), ...account(2, second, walletA)],
    account(3, side.nativeMint, walletA, ACCOUNT.size, SOL),
    [create(side.accounts[6] as Address, ACCOUNT.size)],
    [mintTo(first, 0, walletA, 1_000_000n), mintTo(first, 1, walletA, 500n), mintTo(second, 2, walletB, 77n)],
  ];
  if (side !== TOKEN_2022) {
    const shared = account(4, first, side.multisig);
    return [...common, [...shared, mintTo(first, 4, walletA, 9_000n)], account(5, second, walletB)];
  }
  const fees = instruction(
    side.program,
    [['w', third]],
    26,
    0,
    option(walletA),
    option(walletB),
    u16(250),
    u64(5_000n),
  );
  return [
    ...common,
    [create(third, FEE_MINT_SIZE), fees, mint(third, 6, walletA, walletA)],
    [...account(4, third, walletA, FEE_ACCOUNT_SIZE), ...account(5, third, walletB, FEE_ACCOUNT_SIZE)],
    [mintTo(third, 4, walletA, 10_000_000n)],
  ];
}

function placeNativeMint(chains: TwinChains, side: TokenSide): void {
  const data = new Uint8Array(MINT.size);
  data[MINT.decimals] = 9;
  data[MINT.isInitialized] = 1;
  const lamports = chains.context.minimumBalance(data.length);
  chains.setAccount(side.nativeMint, { lamports, owner: side.program, data, executable: false });
}

/** A mint dumped from mainnet, with eight extensions, in the place of the last mint. Left out without the fixtures. */
function placeDumpedMint(chains: TwinChains, fixturesDir: string): void {
  const path = `${fixturesDir}/accounts/spl-token/mint-pyusd-token2022-2025.json`;
  if (!existsSync(path)) return;
  const dump = JSON.parse(readFileSync(path, 'utf8')) as { lamports: number; owner: Address; data: [string, string] };
  const data = new Uint8Array(Buffer.from(dump.data[0], 'base64'));
  data.set(key(WALLETS[0]), MINT.authority + 4);
  data.set(key(WALLETS[0]), MINT.freezeAuthority + 4);
  const address = TOKEN_2022.mints[3] as Address;
  chains.setAccount(address, { lamports: BigInt(dump.lamports), owner: dump.owner, data, executable: false });
}
