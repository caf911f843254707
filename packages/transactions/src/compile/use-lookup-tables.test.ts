import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { addressOf, instructionOf, PAYER, PROGRAM, range } from './testing-instructions.ts';
import { useLookupTables } from './use-lookup-tables.ts';

const [A, B, C] = [addressOf(5_001), addressOf(5_002), addressOf(5_003)] as const;

function lookedUp(instructions: readonly Instruction[]): Record<Address, readonly Address[]> {
  const found: Record<Address, readonly Address[]> = {};
  for (const account of instructions.flatMap(({ accounts = [] }) => accounts)) {
    if (!('lookupTableAddress' in account)) continue;
    const table = account.lookupTableAddress;
    found[table] = [...(found[table] ?? []), account.address];
  }
  return found;
}

describe('useLookupTables', () => {
  it('leaves out a table that costs more bytes than it saves', () => {
    const instructions = [instructionOf({ accounts: [1, 2, 3] })];
    expect(useLookupTables(instructions, PAYER, { [A]: [addressOf(1)] })).toBe(instructions);
    expect(lookedUp(useLookupTables(instructions, PAYER, { [A]: [addressOf(2), addressOf(1)] }))).toEqual({
      [A]: [addressOf(1), addressOf(2)],
    });
  });

  it('takes the fullest tables first, and no more of them than save bytes', () => {
    const used = useLookupTables([instructionOf({ accounts: range(1, 8) })], PAYER, {
      [A]: [1, 2, 3].map(addressOf),
      [B]: [1, 2, 3, 4].map(addressOf),
      [C]: [5, 6, 4].map(addressOf),
    });
    expect(lookedUp(used)).toEqual({ [B]: [1, 2, 3, 4].map(addressOf), [C]: [5, 6].map(addressOf) });
  });

  it('never takes payer, signers, programs or tip accounts through a table', () => {
    const signer = addressOf(8);
    const inner = addressOf(9);
    const [tip] = JITO_TIP_ACCOUNTS as [Address];
    const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });
    const instructions: Instruction[] = [
      { programAddress: PROGRAM, accounts: [PAYER, signer, tip, inner, addressOf(1), addressOf(2)].map(writable) },
      { programAddress: inner, accounts: [{ address: signer, role: AccountRole.READONLY_SIGNER }] },
    ];
    const table = [PAYER, signer, tip, PROGRAM, inner, addressOf(1), addressOf(2)];
    expect(lookedUp(useLookupTables(instructions, PAYER, { [A]: table }))).toEqual({
      [A]: [addressOf(1), addressOf(2)],
    });
  });

  it('keeps what each instruction may do with an account', () => {
    const [used] = useLookupTables(
      [
        {
          programAddress: PROGRAM,
          accounts: [
            { address: addressOf(1), role: AccountRole.READONLY },
            { address: addressOf(2), role: AccountRole.WRITABLE },
          ],
        },
      ],
      PAYER,
      { [A]: [addressOf(2), addressOf(1)] },
    );
    expect(used?.accounts).toEqual([
      { address: addressOf(1), role: AccountRole.READONLY, lookupTableAddress: A, addressIndex: 1 },
      { address: addressOf(2), role: AccountRole.WRITABLE, lookupTableAddress: A, addressIndex: 0 },
    ]);
  });
});
