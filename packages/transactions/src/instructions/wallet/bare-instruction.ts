import type { AccountMeta, Address, Instruction } from '@solana/kit';

/** Program libraries put the signer into the account. Ours sign elsewhere: an instruction is addresses, roles and bytes. */
export function bareInstruction({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): Instruction {
  return {
    programAddress,
    accounts: accounts.map(({ address, role }): AccountMeta<Address> => ({ address: address as Address, role })),
    data: Uint8Array.from(data),
  };
}
