import { loadSdk } from './load-sdk.ts';

/** The SDK's exact decimals; only their text is of interest. */
interface Decimal {
  toFixed(): string;
}
interface Parsed {
  readonly pubkey: { toBase58(): string };
  readonly info: object;
}
interface Shown {
  readonly totalSupply: Decimal;
  readonly totalBorrow: Decimal;
  readonly availableAmount: Decimal;
  readonly cTokenExchangeRate: Decimal;
  readonly reserveUtilization: Decimal;
  readonly supplyInterest: Decimal;
  readonly borrowInterest: Decimal;
  readonly reserveSupplyLimit: Decimal;
  readonly reserveBorrowLimit: Decimal;
  readonly rateLimiter: { readonly remainingOutflow: Decimal | null };
}
interface Reserves {
  parseReserve(key: object, info: { readonly data: Buffer }): Parsed;
}
interface Pools {
  formatReserve(
    reserve: Parsed,
    price: undefined,
    slot: number,
    metadata: undefined,
    config: { readonly showApy: boolean; readonly avgSlotTime: number },
  ): Shown;
}

const { parseReserve, formatReserve } = loadSdk((require) => ({
  ...(require('@solendprotocol/solend-sdk/state/reserve') as Reserves),
  ...(require('@solendprotocol/solend-sdk/core/utils/pools') as Pools),
}));

/** What `@solendprotocol/solend-sdk` makes of a reserve's bytes: as its pages show them, in whole tokens. */
export function officialSave(data: Uint8Array, { slot, slotMs }: { readonly slot: bigint; readonly slotMs: number }) {
  const key = { toBase58: () => '' };
  const parsed = parseReserve(key, { data: Buffer.from(data) });
  const show = (showApy: boolean, avgSlotTime: number) =>
    formatReserve(parsed, undefined, Number(slot), undefined, { showApy, avgSlotTime });
  const aprs = show(false, slotMs / 1000);
  // Half a second a slot is where the SDK leaves rates as they are.
  const nominal = show(true, 0.5);
  return {
    borrowApr: number(aprs.borrowInterest),
    depositApr: number(aprs.supplyInterest),
    nominalBorrowApy: number(nominal.borrowInterest),
    nominalDepositApy: number(nominal.supplyInterest),
    shownDepositApy: number(show(true, slotMs / 1000).supplyInterest),
    deposits: number(aprs.totalSupply),
    borrows: number(aprs.totalBorrow),
    available: number(aprs.availableAmount),
    shownUtilization: number(aprs.reserveUtilization),
    exchangeRate: number(aprs.cTokenExchangeRate),
    depositLimit: number(aprs.reserveSupplyLimit),
    borrowLimit: number(aprs.reserveBorrowLimit),
    remainingOutflow: aprs.rateLimiter.remainingOutflow === null ? null : number(aprs.rateLimiter.remainingOutflow),
  };
}

function number(value: Decimal): number {
  return Number(value.toFixed());
}
