import { LIQUIDATION_RECORD_DISCRIMINATOR } from '@lending/programs';
import { defineView, f64, i64, i80f48, key, type View } from '#programs/anchor/field.ts';

const ENTRIES = { start: 136, size: 48, count: 4 } as const;

const FIELDS = {
  key: key(8),
  marginfiAccount: key(40),
  recordPayer: key(72),
  liquidationReceiver: key(104),
  assetValueMaint: i80f48(328),
  liabilityValueMaint: i80f48(344),
  assetValueEquity: i80f48(360),
  liabilityValueEquity: i80f48(376),
} as const;

const entryFields = defineView({ assetAmountSeized: f64(0), liabAmountRepaid: f64(8), timestamp: i64(24) });
const recordFields = defineView(FIELDS);

/** What the program keeps of an account's liquidations in receivership. */
export type LiquidationRecordState = View<typeof FIELDS> & { readonly data: Uint8Array };

export const LIQUIDATION_RECORD = {
  discriminator: LIQUIDATION_RECORD_DISCRIMINATOR,
  view: (data: Uint8Array): LiquidationRecordState => Object.assign(recordFields(data), { data }),
} as const;

/** Moves the entries up by one, so that the oldest comes last, and writes the new one over the amounts and time of it. */
export function recordLiquidation(
  record: LiquidationRecordState,
  entry: { readonly seizedUsd: number; readonly repaidUsd: number; readonly unixTimestamp: bigint },
): void {
  const { start, size, count } = ENTRIES;
  const oldest = record.data.slice(start, start + size);
  record.data.copyWithin(start, start + size, start + size * count);
  const last = start + size * (count - 1);
  record.data.set(oldest, last);
  const fields = entryFields(record.data, last);
  fields.assetAmountSeized = entry.seizedUsd;
  fields.liabAmountRepaid = entry.repaidUsd;
  fields.timestamp = entry.unixTimestamp;
}
