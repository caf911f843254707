import type { BankSnapshot } from './bank-snapshot.ts';

/** Addresses of programs and sysvars that people paste by mistake. */
const PROGRAMS: Readonly<Record<string, string>> = {
  '11111111111111111111111111111111': 'the System program',
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'the Token program',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'the Token-2022 program',
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: 'the Associated Token program',
  ComputeBudget111111111111111111111111111111: 'the Compute Budget program',
  MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA: 'the lending program',
  SysvarC1ock11111111111111111111111111111111: 'the clock',
  SysvarRent111111111111111111111111111111111: 'the rent sysvar',
};

/** What the tables know an address to be that owns nothing and does nothing; null where it may be a wallet or an account. */
export function knownAddress(address: string, { entries }: Pick<BankSnapshot, 'entries'>): string | null {
  const program = Object.hasOwn(PROGRAMS, address) ? PROGRAMS[address] : undefined;
  if (program !== undefined) return program;
  if (entries.has(address)) return 'a bank';
  for (const { record, row } of entries.values()) {
    if (record.mint === address) return 'a token mint';
    if (row.group_address === address) return 'the group of all banks';
    if (row.venue_account === address) return 'a reserve';
    if (row.oracle_key === address) return 'a price feed';
  }
  return null;
}
