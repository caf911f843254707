import { type Address, address } from '@solana/kit';

/**
 * The lookup tables that the main group's operators keep, oldest first; between them they hold its banks, vaults, oracles and venues.
 * @see p0-ts-sdk src/constants/luts.consts.ts ADDRESS_LOOKUP_TABLE_FOR_GROUP
 */
export const MARGINFI_MAIN_LOOKUP_TABLES: readonly Address[] = [
  address('BrWF8J3CEuHaXsWk3kqGZ6VHvRp4SJuG9AzvB6ei2kbV'),
  address('8GLUprtyzv6HGrgox7F43EQM5GqE2uKrAHLs69r8DgRj'),
  address('Eg4WY6fmrbhDGfdgSrrTUe6peoUeVhkdXAWT6uvcGKjs'),
];
