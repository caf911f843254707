import { liquidationRecordLayout, placeOf } from '@lending/programs';
import { defineView } from '#programs/anchor/field.ts';

const recordFields = defineView(
  liquidationRecordLayout,
  `
    key, marginfiAccount, recordPayer, liquidationReceiver, cache.assetValueMaint, cache.liabilityValueMaint,
    cache.assetValueEquity, cache.liabilityValueEquity
  `,
);
const ENTRIES = placeOf(liquidationRecordLayout, 'entries');
const LAST = placeOf(liquidationRecordLayout, 'entries.3');
const placeInLast = (field: string): number => placeOf(liquidationRecordLayout, `entries.3.${field}`).offset;

/** What the program keeps of an account's liquidations in receivership. */
export type LiquidationRecordState = ReturnType<typeof recordFields> & { readonly data: Uint8Array };

export const LIQUIDATION_RECORD = {
  discriminator: liquidationRecordLayout.discriminator,
  view: (data: Uint8Array): LiquidationRecordState => Object.assign(recordFields(data), { data }),
} as const;

/** Moves the entries up by one, so that the oldest comes last, and writes the new one over the amounts and time of it. */
export function recordLiquidation(
  record: LiquidationRecordState,
  entry: { readonly seizedUsd: number; readonly repaidUsd: number; readonly unixTimestamp: bigint },
): void {
  const { offset, type } = ENTRIES;
  const size = LAST.type.fixedSize;
  const oldest = record.data.slice(offset, offset + size);
  record.data.copyWithin(offset, offset + size, offset + type.fixedSize);
  record.data.set(oldest, LAST.offset);
  const view = new DataView(record.data.buffer, record.data.byteOffset);
  view.setFloat64(placeInLast('assetAmountSeized'), entry.seizedUsd, true);
  view.setFloat64(placeInLast('liabAmountRepaid'), entry.repaidUsd, true);
  view.setBigInt64(placeInLast('timestamp'), entry.unixTimestamp, true);
}
