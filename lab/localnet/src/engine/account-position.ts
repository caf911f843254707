import type { Address } from '@solana/kit';
import { InstructionError } from './instruction-error.ts';
import type { CalledInstruction } from './program.ts';

/** An account position of an instruction, by its place in the transaction. */
export interface AccountPosition {
  readonly index: number;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** What a caller has to give. */
export interface Grantor {
  readonly held: readonly AccountPosition[];
  readonly indexOf: (address: Address) => number | undefined;
  /** Derived addresses the calling program signs for. */
  readonly signers: ReadonlySet<Address>;
  readonly log: (line: string) => void;
}

/**
 * The positions of a called instruction. A privilege one position of an account has, every position of it has.
 * @throws InstructionError `MissingAccount` or `PrivilegeEscalation` for what the caller does not have itself
 */
export function grantPositions(metas: CalledInstruction['accounts'], grantor: Grantor): AccountPosition[] {
  const wanted = new Map<number, { isSigner: boolean; isWritable: boolean }>();
  const indices = metas.map((meta) => {
    const index = grantor.indexOf(meta.address);
    if (index === undefined || findHeld(grantor, index) === undefined) {
      grantor.log(`Instruction references an unknown account ${meta.address}`);
      throw new InstructionError('MissingAccount');
    }
    const privileges = wanted.get(index) ?? { isSigner: false, isWritable: false };
    privileges.isSigner ||= meta.isSigner;
    privileges.isWritable ||= meta.isWritable;
    wanted.set(index, privileges);
    return index;
  });
  for (const [at, meta] of metas.entries()) assertGrantable(grantor, meta.address, wanted, indices[at] ?? -1);
  return indices.map((index) => ({ index, isSigner: false, isWritable: false, ...wanted.get(index) }));
}

function assertGrantable(
  grantor: Grantor,
  address: Address,
  wanted: ReadonlyMap<number, { readonly isSigner: boolean; readonly isWritable: boolean }>,
  index: number,
): void {
  const held = findHeld(grantor, index);
  const privileges = wanted.get(index);
  if (privileges?.isWritable && !held?.isWritable) {
    grantor.log(`${address}'s writable privilege escalated`);
    throw new InstructionError('PrivilegeEscalation');
  }
  if (privileges?.isSigner && !held?.isSigner && !grantor.signers.has(address)) {
    grantor.log(`${address}'s signer privilege escalated`);
    throw new InstructionError('PrivilegeEscalation');
  }
}

function findHeld(grantor: Grantor, index: number): AccountPosition | undefined {
  return grantor.held.find((position) => position.index === index);
}
