import type { Check } from './check.ts';

/** Oracles of different makers, read at different moments. */
const MOST_APART = 0.05;

/** Banks of one token have oracles of their own: what each says of it is compared with the others. */
export const prices: Check = {
  name: 'prices of one token, by the oracles of all its banks',
  async run({ findings }) {
    const byMint = Map.groupBy(
      findings.banks.filter(({ price_usd: price, oracle }) => price !== null && !oracle.stale),
      ({ mint }) => mint,
    );
    const compared = [...byMint.values()].filter((its) => its.length > 1);
    const faults = compared.flatMap((its) => {
      const told = its.map(({ price_usd: price }) => price as number);
      const [least, most] = [Math.min(...told), Math.max(...told)];
      return most / least - 1 > MOST_APART ? [`${its[0]?.symbol ?? its[0]?.mint} is worth ${least} and ${most}`] : [];
    });
    return { faults, figures: { tokens: compared.length } };
  },
};
