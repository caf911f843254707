import {
  ASSOCIATED_TOKEN_PROGRAM,
  DRIFT_PROGRAM,
  findBankMetadata,
  findBankVault,
  findBankVaultAuthority,
  findDerivedAddress,
  KLEND_PROGRAM,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  NO_KEY,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, getAddressEncoder, getU16Encoder, getU64Encoder, type ProgramDerivedAddress } from '@solana/kit';
import type { DemoBank } from './demo-bank.ts';
import { DEMO_TOKENS, type DemoToken } from './tokens.ts';

const DRIFT_SUB_ACCOUNT = 0;
const addressEncoder = getAddressEncoder();

/** A vault with the authority that signs for it. */
interface VaultAddresses {
  readonly address: Address;
  readonly bump: number;
  readonly authority: Address;
  readonly authorityBump: number;
}

/** Every address the program derives from a bank. */
export interface BankAddresses {
  readonly liquidity: VaultAddresses;
  readonly insurance: VaultAddresses;
  readonly fee: VaultAddresses;
  readonly metadata: Address;
  readonly metadataBump: number;
  /** `integration_acc_1` to `_3`; the default key where the venue has no such account. */
  readonly integration: readonly [Address, Address, Address];
}

export async function deriveBankAddresses(bank: DemoBank): Promise<BankAddresses> {
  const [liquidity, insurance, fee, [metadata, metadataBump]] = await Promise.all([
    deriveVault('liquidity', bank.address),
    deriveVault('insurance', bank.address),
    deriveVault('fee', bank.address),
    findBankMetadata(bank.address),
  ]);
  const integration = await deriveIntegration(bank, liquidity.authority);
  return { liquidity, insurance, fee, metadata, metadataBump, integration };
}

/** Where the program puts a bank that is created with a seed. */
export async function deriveSeededBank(mint: Address, seed: bigint): Promise<Address> {
  const seeds = [encode(MARGINFI_MAIN_GROUP), encode(mint), getU64Encoder().encode(seed)];
  const [derived] = await findDerivedAddress({ programAddress: MARGINFI_PROGRAM, seeds });
  return derived;
}

export async function deriveTokenAccount(owner: Address, token: DemoToken): Promise<Address> {
  return first(find(ASSOCIATED_TOKEN_PROGRAM, [encode(owner), encode(tokenProgramOf(token)), encode(token.mint)]));
}

export function tokenProgramOf(token: DemoToken): Address {
  return token.tokenProgram === 'spl' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
}

async function deriveVault(vault: 'liquidity' | 'insurance' | 'fee', bank: Address): Promise<VaultAddresses> {
  const [[vaultAddress, bump], [authority, authorityBump]] = await Promise.all([
    findBankVault(vault, bank),
    findBankVaultAuthority(vault, bank),
  ]);
  return { address: vaultAddress, bump, authority, authorityBump };
}

/** On every venue the bank's liquidity vault authority is the owner. */
async function deriveIntegration(bank: DemoBank, owner: Address): Promise<BankAddresses['integration']> {
  const venueAccount = bank.venueAccount ?? NO_KEY;
  switch (bank.assetTag) {
    case 0:
    case 1:
      return [NO_KEY, NO_KEY, NO_KEY];
    case 2:
      return [bank.singlePool?.vote ?? NO_KEY, NO_KEY, NO_KEY];
    case 3:
      return [venueAccount, await first(findKaminoObligation(bank, owner)), NO_KEY];
    case 4: {
      const user = find(DRIFT_PROGRAM, ['user', encode(owner), getU16Encoder().encode(DRIFT_SUB_ACCOUNT)]);
      return [venueAccount, await first(user), await first(find(DRIFT_PROGRAM, ['user_stats', encode(owner)]))];
    }
    case 5:
      return [venueAccount, await first(find(MARGINFI_PROGRAM, ['solend_obligation', encode(bank.address)])), NO_KEY];
    case 6: {
      const intermediary = await deriveTokenAccount(owner, DEMO_TOKENS[bank.token]);
      return [venueAccount, await first(find(MARGINFI_PROGRAM, ['f_token_vault', encode(bank.address)])), intermediary];
    }
    default:
      return bank.assetTag satisfies never;
  }
}

function findKaminoObligation(bank: DemoBank, owner: Address): Promise<ProgramDerivedAddress> {
  if (bank.venueMarket === undefined) throw new TypeError(`Kamino bank ${bank.address} names no market`);
  const zero = new Uint8Array(1);
  const nobody = encode(NO_KEY);
  return find(KLEND_PROGRAM, [zero, zero, encode(owner), encode(bank.venueMarket), nobody, nobody]);
}

type Seed = Parameters<typeof findDerivedAddress>[0]['seeds'][number];

function find(programAddress: Address, seeds: Seed[]): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress, seeds });
}

async function first(derived: Promise<ProgramDerivedAddress>): Promise<Address> {
  return (await derived)[0];
}

function encode(key: Address) {
  return addressEncoder.encode(key);
}
