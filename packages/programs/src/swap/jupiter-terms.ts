import { type Address, getStructDecoder, getU16Decoder, getU64Decoder, type Instruction } from '@solana/kit';
import type { SwapTerms } from './swap-terms.ts';

/** What every V2 route starts with, before its plan. */
const limitsDecoder = getStructDecoder([
  ['inAmount', getU64Decoder()],
  ['quotedOutAmount', getU64Decoder()],
  ['slippageBps', getU16Decoder()],
  ['platformFeeBps', getU16Decoder()],
]);
const LIMITS_SIZE = 20;

interface RouteLayout {
  readonly discriminator: readonly number[];
  /** Where the limits begin. */
  readonly limitsAt: number;
  /** Positions of user, source, destination and both mints among the accounts. */
  readonly named: readonly [user: number, source: number, destination: number, inMint: number, outMint: number];
  /** Where another account for the output stands, or the program itself for none. */
  readonly otherDestination: number | null;
}

/** `sha256("global:<name>")` begins with each. */
const ROUTES: readonly RouteLayout[] = [
  // route_v2
  {
    discriminator: [187, 100, 250, 204, 49, 196, 175, 20],
    limitsAt: 8,
    named: [0, 1, 2, 3, 4],
    otherDestination: 7,
  },
  // shared_accounts_route_v2, whose arguments begin with the number of the program's authority
  {
    discriminator: [209, 152, 83, 147, 124, 254, 216, 233],
    limitsAt: 9,
    named: [1, 2, 5, 6, 7],
    otherDestination: null,
  },
];

/**
 * What an instruction of Jupiter's aggregator binds itself to; null where it is none that gives a fixed amount by the second version's
 * encoding, which is all that its router sends.
 */
export function readJupiterTerms({ programAddress, accounts = [], data }: Instruction): SwapTerms | null {
  const layout = ROUTES.find(({ discriminator }) => discriminator.every((byte, index) => data?.[index] === byte));
  if (data === undefined || layout === undefined || data.length < layout.limitsAt + LIMITS_SIZE) return null;
  const [user, source, destination, inMint, outMint] = layout.named.map((index) => accounts[index]?.address as Address);
  if (!user || !source || !destination || !inMint || !outMint) return null;
  const other = layout.otherDestination === null ? undefined : (accounts[layout.otherDestination]?.address as Address);
  return {
    user,
    source,
    destination: other === undefined || other === programAddress ? destination : other,
    inMint,
    outMint,
    limits: limitsDecoder.decode(data, layout.limitsAt),
  };
}
