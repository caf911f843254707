import { COMPUTE_BUDGET_PROGRAM, STAKE_PROGRAM, SYSTEM_PROGRAM } from '@lending/programs';
import type { ReadonlyUint8Array } from '@solana/kit';
import { LAMPORTS_PER_SIGNATURE } from './chain-parameters.ts';
import type { WireMessage } from './wire-transaction.ts';

/** Programs whose instructions get the small default budget. @see agave builtins-default-costs */
const BUILTINS: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  'AddressLookupTab1e1111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  STAKE_PROGRAM,
  'Vote111111111111111111111111111111111111111',
]);
const UNITS_PER_BUILTIN = 3_000n;
const UNITS_PER_INSTRUCTION = 200_000n;
const MAX_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

interface Budget {
  readonly units: bigint;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
  /** Lamports. */
  readonly priorityFee: bigint;
}

/** What a message bids: its compute unit limit, its price per unit, and the fee they amount to, rounded up. */
export function computeBudget(message: WireMessage): Budget {
  if (message.version === 1) {
    const units = BigInt(message.config?.computeUnitLimit ?? 0);
    const priorityFee = message.config?.priorityFeeLamports ?? 0n;
    return { units, priorityFee, price: units === 0n ? 0n : (priorityFee * MICRO_LAMPORTS) / units };
  }
  let limit: bigint | undefined;
  let price = 0n;
  let defaultUnits = 0n;
  for (const { programIdIndex, data } of message.instructions) {
    const program = message.staticAccounts[programIdIndex];
    defaultUnits += program !== undefined && BUILTINS.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
    if (program !== COMPUTE_BUDGET_PROGRAM) continue;
    if (data[0] === 2 && data.length >= 5) limit = BigInt(view(data).getUint32(1, true));
    if (data[0] === 3 && data.length >= 9) price = view(data).getBigUint64(1, true);
  }
  const asked = limit ?? defaultUnits;
  const units = asked < MAX_UNITS ? asked : MAX_UNITS;
  return { units, price, priorityFee: (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS };
}

/** Lamports the message costs its fee payer. */
export function computeMessageFee(message: WireMessage): bigint {
  return BigInt(message.header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE + computeBudget(message).priorityFee;
}

function view(bytes: ReadonlyUint8Array): DataView {
  return new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
