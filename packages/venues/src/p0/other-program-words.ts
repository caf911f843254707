import { formatVenue, INTEGRATIONS } from '@lending/domain';
import {
  DFLOW_PROGRAM,
  JUPITER_PROGRAM,
  SOLEND_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SYSTEM_PROGRAM,
  TITAN_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { INTEGRATION_RATES } from '../integration-rates.ts';
import { type ErrorWords, stalePrice, words, wronglyBuilt } from './program-error-words.ts';

/** Aggregators of production: Jupiter v6, DFlow and Titan. */
export const SWAP_PROGRAMS: readonly string[] = [JUPITER_PROGRAM, DFLOW_PROGRAM, TITAN_PROGRAM];

/** `SlippageToleranceExceeded` of Jupiter, which the others follow, and `SlippageLimitExceeded` of DFlow. */
const OVER_SLIPPAGE = 6_001;
const OVER_SLIPPAGE_OF_DFLOW = 15_001;

const SYSTEM: Readonly<Record<number, ErrorWords>> = {
  0: words(
    'ACTION__SIMULATION_STALE',
    'An account that was to be created exists already',
    'Make the same call again: `svc_create_account` takes the next free address',
  ),
  1: words(
    'ACTION__BALANCE_EXCEEDED',
    'The wallet has too few lamports for rent, fees or the SOL it moves',
    'Fund the wallet with SOL, or lower `amount`; `svc_get_wallet` shows what it holds',
  ),
};

/** Both token programs; from 20 on Token-2022 only. */
const TOKEN: Readonly<Record<number, ErrorWords>> = {
  0: wronglyBuilt('A token account would keep too few lamports for its rent'),
  1: words(
    'ACTION__BALANCE_EXCEEDED',
    'A token account holds less than is moved: the wallet’s when paying in, the bank’s vault when paying out',
    'Lower `amount`; `svc_get_wallet` shows what the wallet holds, `svc_get_banks` what the bank can pay',
    { withdraw: 'ACTION__WITHDRAW_EXCEEDED', borrow: 'ACTION__BORROW_EXCEEDED' },
  ),
  3: wronglyBuilt('A token account is of another mint'),
  4: wronglyBuilt('A token account belongs to another owner'),
  17: words(
    'ACTION__SIMULATION_INVALID',
    'A token account is frozen by the mint’s authority',
    'Choose another `bank`, or have the issuer of the token lift the freeze',
  ),
  37: words('ACTION__BANK_UNAVAILABLE', 'The token cannot be transferred', 'Choose another `bank`'),
  67: words('ACTION__BANK_UNAVAILABLE', 'The issuer paused the token', 'Wait for the issuer, or choose another `bank`'),
};

const SLIPPAGE = words(
  'ACTION__SWAP_UNAVAILABLE',
  'The swap would give less than the slippage allows: the price moved',
  'Make the same call again for a new quote, lower `amount`, or allow more slippage',
);

const SWAP = words(
  'ACTION__SWAP_UNAVAILABLE',
  'The swap cannot be done along the route that was quoted',
  'Make the same call again for another route, lower `amount`, or choose a more liquid pair',
);

const venue = (name: string) =>
  words(
    'ACTION__SIMULATION_INVALID',
    `${name} refused what the program asked of it`,
    'Lower `amount`, or choose another `bank`; `details.cause` has the venue’s own error',
  );

const VENUES: Readonly<Record<string, ErrorWords>> = {
  ...Object.fromEntries(
    INTEGRATIONS.map(({ venue: name }) => [INTEGRATION_RATES[name].owner, venue(formatVenue(name))]),
  ),
  [SWITCHBOARD_ON_DEMAND_PROGRAM]: stalePrice('Switchboard did not take the new price'),
};

/** Save's `InvalidOracleConfig`: none of a reserve's oracles has a price that it takes, most often because they are old. */
const SAVE_WITHOUT_PRICE = 42;
const NO_PRICE_OF_SAVE = stalePrice('Save finds no price that is new enough for one of its reserves');

const UNKNOWN = words(
  'ACTION__SIMULATION_INVALID',
  'A program that the transaction calls refused it',
  'Read `details.cause` for the program’s own error, and lower `amount` or choose another `bank`',
);

/** Words for an error of a program other than P0's. `code` is null where the runtime ended it. */
export function otherProgramWords(programId: string, code: number | null, swapPrograms: readonly string[]): ErrorWords {
  if (swapPrograms.includes(programId)) {
    return code === (programId === DFLOW_PROGRAM ? OVER_SLIPPAGE_OF_DFLOW : OVER_SLIPPAGE) ? SLIPPAGE : SWAP;
  }
  if (programId === SYSTEM_PROGRAM) return (code === null ? undefined : SYSTEM[code]) ?? UNKNOWN;
  if (programId === TOKEN_PROGRAM || programId === TOKEN_2022_PROGRAM) {
    return (code === null ? undefined : TOKEN[code]) ?? UNKNOWN;
  }
  if (programId === SOLEND_PROGRAM && code === SAVE_WITHOUT_PRICE) return NO_PRICE_OF_SAVE;
  return VENUES[programId] ?? UNKNOWN;
}
