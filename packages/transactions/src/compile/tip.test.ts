import { JITO_TIP_ACCOUNTS } from '@lending/programs';
import { AccountRole } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { PAYER } from './testing-instructions.ts';
import { tipInstruction } from './tip.ts';

describe('tipInstruction', () => {
  it('pays one of the tip accounts, each of them at some time', () => {
    const paid = JITO_TIP_ACCOUNTS.map((_, index) => tipInstruction(PAYER, 1_000n, () => (index + 0.5) / 8));
    expect(paid.map(({ accounts }) => accounts?.[1]?.address)).toEqual(JITO_TIP_ACCOUNTS);
    expect(paid[0]?.accounts).toMatchObject([
      { address: PAYER, role: AccountRole.WRITABLE_SIGNER },
      { role: AccountRole.WRITABLE },
    ]);
  });
});
