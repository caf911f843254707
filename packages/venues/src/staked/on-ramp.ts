import { createHash } from 'node:crypto';
import { NO_KEY, SINGLE_POOL_PROGRAM } from '@lending/programs';
import { type Address, getAddressDecoder, getAddressEncoder, isOffCurveAddress } from '@solana/kit';
import type { P0Bank } from '../p0/bank.ts';

/** Where an on-ramp's address stands in the bank, once the program has written it there. */
const ON_RAMP_KEY = 3;
const PDA_MARKER = Buffer.from('ProgramDerivedAddress');
const known = new Map<Address, Address>();

/**
 * The account that takes a single-validator pool's free lamports on their way into stake: written in the bank, or derived from the
 * validator's vote account. Null where the bank names neither.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `expected_staked_onramp`
 */
export function onRampOf(bank: Pick<P0Bank, 'oracle' | 'integrationAccounts'>): Address | null {
  const written = bank.oracle.keys[ON_RAMP_KEY] ?? NO_KEY;
  if (written !== NO_KEY) return written;
  const [vote = NO_KEY] = bank.integrationAccounts;
  return vote === NO_KEY ? null : onRampOfVote(vote);
}

function onRampOfVote(vote: Address): Address {
  const found = known.get(vote) ?? derive('onramp', derive('pool', vote));
  known.set(vote, found);
  return found;
}

/** The library derives addresses asynchronously; a price is read in one go, so this does the same hash at once. */
function derive(seed: string, key: Address): Address {
  const [keyBytes, programBytes] = [key, SINGLE_POOL_PROGRAM].map((each) => getAddressEncoder().encode(each)) as [
    Uint8Array,
    Uint8Array,
  ];
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256').update(seed).update(keyBytes).update(Uint8Array.of(bump));
    const candidate = getAddressDecoder().decode(hash.update(programBytes).update(PDA_MARKER).digest());
    if (isOffCurveAddress(candidate)) return candidate;
  }
  throw new RangeError(`No address of the single pool program belongs to ${key}`);
}
