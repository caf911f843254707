import { z } from 'zod';

const units = z.string();

/** How our figures of banks compare with the program's own, for `/v1/status`. */
export const auditStatusSchema = z.strictObject({
  compared: z.int().describe('Comparisons since the first ever, of all banks'),
  differed: z.int().describe('How many of them differed beyond their bound'),
  unverified: z.int().describe('Banks of which a figure is not trusted at present'),
  banks: z
    .array(
      z.strictObject({
        bank: z.string(),
        symbol: z.string().nullable(),
        verified: z
          .boolean()
          .describe('False: borrow, loop, and withdrawals that leave debt are refused with BANK_UNVERIFIED'),
        overruled_until: z
          .string()
          .nullable()
          .describe('ISO-8601 UTC: until then an operator has it built for all the same; null where none does'),
        figures: z.array(
          z.strictObject({
            figure: z.string().describe('rates, interest, price, health or premium; later versions may have others'),
            compared: z.int(),
            differed: z.int().describe('Comparisons that differed beyond their bound'),
            largest_units: units.describe(
              'The largest difference, in raw units of the field, as the program stores it',
            ),
            last_units: units.describe('The newest difference: ours less the program’s'),
            slot: z.int().describe('Of the newest comparison'),
            unverified_since: z
              .int()
              .nullable()
              .describe('Slot of the difference since which the figure is not trusted; null: it is'),
            last_difference: z
              .strictObject({
                field: z.string(),
                ours: units,
                theirs: units,
                bound: units.describe('What the two may differ by'),
                account: z.string().nullable().describe('Whose figure it was; null: the bank’s own'),
                slot: z.int(),
              })
              .nullable()
              .describe('The newest difference beyond its bound'),
          }),
        ),
      }),
    )
    .describe('Every bank that was ever compared; those that are not trusted first'),
});
export type AuditStatus = z.output<typeof auditStatusSchema>;
