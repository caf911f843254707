import { isU64 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';

/** The amount in whole tokens, without zeros at the end: 1500000 at six decimals is `1.5`. */
export function formatUiAmount(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, -decimals);
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** @throws InstructionError `InvalidArgument` when the text is no amount this mint can express. */
export function parseUiAmount(text: string, decimals: number): bigint {
  const [whole = '', fraction = '', ...more] = text.split('.');
  const significant = fraction.replace(/0+$/, '');
  const isEmpty = whole === '' && significant === '';
  if (isEmpty || more.length > 0 || significant.length > decimals) throw new InstructionError('InvalidArgument');
  const digits = whole + significant.padEnd(decimals, '0');
  if (!/^\+?\d+$/.test(digits)) throw new InstructionError('InvalidArgument');
  const amount = BigInt(digits.replace('+', ''));
  if (!isU64(amount)) throw new InstructionError('InvalidArgument');
  return amount;
}
