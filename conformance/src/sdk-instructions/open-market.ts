import { MARGINFI_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import { type AccountBytes, decodeBank } from '@lending/venues';
import { noiseAddress } from '../sdk/made-accounts.ts';
import { accountOf, bankOf, type MadeMarket } from './made-state.ts';

const GROUP = noiseAddress('group of all');
/** Of a bank. */
const MINT_DECIMALS = 40;

/** A market of one group, with accounts in it. */
export interface OpenMarket extends MadeMarket {
  readonly accounts: readonly AccountBytes[];
}

/** Puts banks and accounts into one group, with mints of all kinds. */
export function openMarket(banks: readonly AccountBytes[], accounts: readonly AccountBytes[]): OpenMarket {
  // The first bank of nine decimals is of wrapped SOL, every fourth of Token-2022.
  const ofSol = banks.findIndex(({ data }) => data[MINT_DECIMALS] === 9);
  const grouped = banks.map((bank, index) => bankOf(bank, GROUP, index === ofSol ? WRAPPED_SOL_MINT : undefined));
  const decoded = grouped.map((bank) => decodeBank(bank, MARGINFI_PROGRAM));
  const extended = new Set(
    decoded.filter((_, index) => index % 4 === 1 && index !== ofSol).map(({ address }) => address),
  );
  const owned = accounts.map((account) => accountOf(account, GROUP));
  return {
    banks: new Map(decoded.map((bank) => [bank.address, bank])),
    bytes: new Map([...grouped, ...owned].map((each) => [each.address as string, each])),
    tokenProgramOf: ({ address }) => (extended.has(address) ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM),
    accounts: owned,
  };
}
