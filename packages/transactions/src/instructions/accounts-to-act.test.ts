import { ASSET_TAG } from '@lending/domain';
import {
  findAssociatedTokenAccount,
  findBankVaultAuthority,
  findJuplendUserClaim,
  SOLEND_PROGRAM,
  solendReserveLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import type { ReadAccount } from '#live/live-accounts.ts';
import { bankAddress, createMadeMarket, madeAddress } from '#testing/made-market.ts';
import { accountsToAct } from './bank-instructions.ts';

const PROGRAM = madeAddress(80);
const RESERVE = madeAddress(81);
const ORACLE_SETUP = { solend: 11, juplend: 15 } as const;

/** A bank of another deployment of the lending program. */
function openBank(venue: 'solend' | 'juplend', reserve?: Uint8Array) {
  const made = createMadeMarket();
  made.setBank(1, {
    integrationAcc1: RESERVE,
    integrationAcc2: madeAddress(82),
    integrationAcc3: madeAddress(83),
    config: { assetTag: ASSET_TAG[venue], oracleSetup: ORACLE_SETUP[venue] },
  });
  const account = made.accounts.get(bankAddress(1)) ?? expect.fail('No bank');
  const own = { ...account, address: bankAddress(1), slot: 1n, owner: PROGRAM };
  const read: ReadAccount = (asked) => {
    if (asked === bankAddress(1)) return own;
    return asked === RESERVE && reserve !== undefined
      ? { ...own, address: RESERVE, owner: SOLEND_PROGRAM, data: reserve }
      : undefined;
  };
  return { bank: decodeBank(own, PROGRAM), read };
}

describe('accountsToAct', () => {
  it('names the claim account that a JupLend bank of the program it belongs to has', async () => {
    const { bank, read } = openBank('juplend');
    const [user] = await findBankVaultAuthority('liquidity', bank.address, PROGRAM);
    const [claim] = await findJuplendUserClaim(user, bank.mint);
    expect(await accountsToAct(bank, read)).toContain(claim);
  });

  it('names the receipts of a Save bank of the program it belongs to', async () => {
    const reserve = new Uint8Array(solendReserveLayout.fixedSize).with(0, 1);
    const { bank, read } = openBank('solend', reserve);
    const [owner] = await findBankVaultAuthority('liquidity', bank.address, PROGRAM);
    const { collateral } = solendReserveLayout.decode(reserve);
    const [receipts] = await findAssociatedTokenAccount(owner, collateral.mintPubkey, TOKEN_PROGRAM);
    expect(await accountsToAct(bank, read)).toContain(receipts);
  });
});
