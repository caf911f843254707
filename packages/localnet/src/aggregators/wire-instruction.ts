import { AccountRole, type Instruction, isSignerRole, isWritableRole } from '@solana/kit';

/** An instruction as both aggregators write it. */
export interface WireInstruction {
  readonly programId: string;
  readonly accounts: readonly { readonly pubkey: string; readonly isSigner: boolean; readonly isWritable: boolean }[];
  /** Base64. */
  readonly data: string;
}

export function toWire({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): WireInstruction {
  return {
    programId: programAddress,
    accounts: accounts.map(({ address, role = AccountRole.READONLY }) => ({
      pubkey: address,
      isSigner: isSignerRole(role),
      isWritable: isWritableRole(role),
    })),
    data: Buffer.from(data).toString('base64'),
  };
}

/** A ratio in millionths as decimal text. */
export function ratioText(ppm: bigint): string {
  const digits = ppm.toString().padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}
