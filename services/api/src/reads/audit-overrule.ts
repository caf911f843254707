/** A bank, `@`, and an ISO-8601 time with its zone. A day that its month does not have counts into the next one. */
export const AUDIT_OVERRULE =
  /^[1-9A-HJ-NP-Za-km-z]{32,44}@\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Until when an operator has a bank built for although it is unverified: ms since 1970; null where no overrule is in force. */
export type OverruledUntil = (bank: string) => number | null;

/** Reads what `AUDIT_OVERRULE` says. Of two entries for one bank the later one in the list counts; one whose time is over says nothing. */
export function readOverrules(items: readonly string[] = [], now: () => number): OverruledUntil {
  const until = new Map(
    items.map((item) => {
      const [bank = '', time = ''] = item.split('@');
      return [bank, Date.parse(time)];
    }),
  );
  return (bank) => {
    const untilMs = until.get(bank);
    return untilMs !== undefined && untilMs > now() ? untilMs : null;
  };
}
