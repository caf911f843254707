import type { InstructionLayout } from '@lending/programs';
import * as programs from '@lending/programs';
import type { IdlField } from './idl.ts';

/** An instruction that claims to be one of an IDL. */
export interface InstructionClaim {
  readonly layout: InstructionLayout;
  readonly idl: string;
  /** Arguments that a version newer than the published IDL appended. */
  readonly appended?: readonly IdlField[];
  /** Arguments that a version newer than the published IDL has instead of the IDL's. */
  readonly args?: readonly IdlField[];
}

/** How 0.1.9 differs from the published IDL, as `programs/marginfi/src/lib.rs` of its tag declares it. */
const NEWER: Readonly<Record<string, Pick<InstructionClaim, 'appended' | 'args'>>> = {
  kamino_deposit: { appended: [{ name: 'refresh_reserve', type: { option: 'bool' } }] },
  kamino_withdraw: {
    args: [
      { name: 'amount', type: 'u64' },
      { name: 'flags', type: { option: 'u8' } },
    ],
  },
};

/** Every instruction that `@lending/programs` exports, found by its shape: a new one is compared without being listed. */
export const INSTRUCTION_CLAIMS: readonly InstructionClaim[] = Object.values<unknown>(programs)
  .filter(isInstruction)
  .map((layout) => ({ layout, idl: 'marginfi@0.1.8.json', ...NEWER[layout.name] }));

function isInstruction(value: unknown): value is InstructionLayout {
  return typeof value === 'object' && value !== null && 'args' in value && 'discriminator' in value;
}
