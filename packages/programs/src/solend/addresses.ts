import { type Address, address } from '@solana/kit';

/** Save, formerly Solend, on mainnet. */
export const SOLEND_PROGRAM: Address = address('So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo');
