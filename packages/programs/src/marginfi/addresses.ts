import {
  type Address,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  type ProgramDerivedAddress,
} from '@solana/kit';

export const MARGINFI_PROGRAM: Address = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
/** The production group on mainnet. */
export const MARGINFI_MAIN_GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');

/** The three token accounts of a bank. */
export type BankVault = 'liquidity' | 'insurance' | 'fee';

/** The token account that holds a bank's tokens; the bank stores the same address. */
export function findBankVault(
  vault: BankVault,
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey(`${vault}_vault`, bank, programAddress);
}

/** The PDA that owns a bank's vault and signs for it. */
export function findBankVaultAuthority(
  vault: BankVault,
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey(`${vault}_vault_auth`, bank, programAddress);
}

export function findBankMetadata(
  bank: Address,
  programAddress: Address = MARGINFI_PROGRAM,
): Promise<ProgramDerivedAddress> {
  return findFromKey('metadata', bank, programAddress);
}

/** The one fee state of a program. */
export function findFeeState(programAddress: Address = MARGINFI_PROGRAM): Promise<ProgramDerivedAddress> {
  return getProgramDerivedAddress({ programAddress, seeds: ['feestate'] });
}

function findFromKey(seed: string, key: Address, programAddress: Address): Promise<ProgramDerivedAddress> {
  return getProgramDerivedAddress({ programAddress, seeds: [seed, getAddressEncoder().encode(key)] });
}
