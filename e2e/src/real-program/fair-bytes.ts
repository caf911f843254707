import type { AccountState } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';

/** Bytes of an account that the ELF does not write and today's program does: `[from, to)`, with the reason. */
interface Mask {
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

const BANK_MASKS: readonly Mask[] = [
  { from: 1376, to: 1536, why: 'cached rates, interest and oracle price' },
  { from: 1536, to: 1544, why: 'lending and borrowing position counts' },
];

const BALANCES = Array.from({ length: 16 }, (_, index) => 72 + 104 * index);
const ACCOUNT_MASKS: readonly Mask[] = [
  ...BALANCES.map((from) => ({ from: from + 34, to: from + 36, why: 'tag of a balance' })),
  ...BALANCES.map((from) => ({
    from: from + 88,
    to: from + 96,
    why: 'last update of a balance: the old program sets it with every operation, for emissions that ended in 0.1.6',
  })),
  { from: 1736, to: 1738, why: 'last tag used' },
  { from: 1840, to: 2144, why: 'health cache' },
  { from: 2208, to: 2216, why: 'last update' },
  { from: 2256, to: 2280, why: 'indexer flags of 0.1.9' },
];

/** One line for an account, equal on two chains that agree on all that can be compared fairly. */
export function fairView(state: AccountState | undefined, masks: readonly Mask[] = masksOf(state)): string {
  if (state === undefined) return 'none';
  const data = Buffer.from(state.data);
  for (const { from, to } of masks) data.fill(0, from, to);
  return `${state.lamports} ${state.owner} ${state.executable} ${data.toString('hex')}`;
}

/** Ranges in which two accounts differ, after the masks: for reading a failure. */
export function fairDifferences(left: AccountState | undefined, right: AccountState | undefined): readonly string[] {
  if (left === undefined || right === undefined) return left === right ? [] : ['one is missing'];
  const masks = masksOf(left);
  const isMasked = (offset: number) => masks.some(({ from, to }) => offset >= from && offset < to);
  const found: string[] = left.lamports === right.lamports ? [] : [`lamports ${left.lamports} ${right.lamports}`];
  for (let offset = 0; offset < Math.max(left.data.length, right.data.length); offset++) {
    if (isMasked(offset) || left.data[offset] === right.data[offset]) continue;
    const end = Math.min(offset + 16, left.data.length);
    const hex = (state: AccountState) => Buffer.from(state.data.subarray(offset, end)).toString('hex');
    found.push(`@${offset} ${hex(left)} ${hex(right)}`);
    offset = end - 1;
  }
  return found;
}

function masksOf(state: AccountState | undefined): readonly Mask[] {
  if (state?.owner !== MARGINFI_PROGRAM) return [];
  if (startsWith(state.data, bankLayout.discriminator)) return BANK_MASKS;
  if (startsWith(state.data, marginfiAccountLayout.discriminator)) return ACCOUNT_MASKS;
  return [];
}

function startsWith(data: Uint8Array, discriminator: Uint8Array): boolean {
  return discriminator.every((byte, index) => data[index] === byte);
}
