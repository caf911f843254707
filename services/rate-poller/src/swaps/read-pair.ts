import type { AccountUpdate, Chain } from '@lending/chain';
import { parseFraction } from '@lending/domain';
import { toTime } from '@lending/events';
import { accountsOfBank, decodeBank, oracleAccountsOf, readPrice } from '@lending/venues';
import type { Address } from '@solana/kit';
import { oracleMomentOf } from '#oracle-moment.ts';
import { freshPriceOf } from '#publish/sample-fields.ts';
import type { ChainMoment } from './seen-banks.ts';
import type { BankedPair, PricedMint, PricedPair } from './swap-pairs.ts';

/** A pair with the prices of one moment. */
export interface MomentaryPair extends PricedPair {
  readonly moment: ChainMoment;
}

/** Null where a bank would not take its price itself just now. */
export type ReadPair = (pair: BankedPair, signal: AbortSignal) => Promise<MomentaryPair | null>;

/**
 * Reads what both banks' oracles say now, in one call: what a round read is ten seconds old and more, in which a price moves by more than
 * a swap costs.
 * Prices: USD for one token of the mint, also where the bank is on another venue.
 * @throws CHAIN and DECODE codes when the chain does not answer, or a bank or the clock cannot be read.
 */
export function createPairReader({
  chain,
  program,
}: {
  readonly chain: Pick<Chain, 'fetchAccountGroups'>;
  readonly program: Address;
}): ReadPair {
  return async ({ key, in: from, out: to }, signal) => {
    const asked = [...new Set([from, to].flatMap(accountsOfBank))];
    const [answer] = await chain.fetchAccountGroups([asked], { signal, minContextSlot: 'highest-seen' });
    if (answer === undefined) return null;
    const { slot, unixTimestamp, epoch, accounts } = answer;
    const moment = { slot, unixTimestamp };
    // A clock that no calendar has dates nothing.
    toTime(unixTimestamp);
    const byAddress = new Map(accounts.flatMap((account) => (account === null ? [] : [[account.address, account]])));
    const find = (address: Address | null): AccountUpdate | null =>
      address === null ? null : (byAddress.get(address) ?? null);

    function price({ address, mint, decimals }: BankedPair['in']): PricedMint | null {
      const account = find(address);
      if (account === null) return null;
      const bank = decodeBank(account, program);
      const oracleAccounts = oracleAccountsOf(bank).map(find);
      const priceUsd = freshPriceOf(readPrice(bank, oracleAccounts, oracleMomentOf(bank, find, { ...moment, epoch })));
      const priceE18 = priceUsd === null ? 0n : parseFraction(priceUsd);
      return priceUsd === null || priceE18 <= 0n ? null : { mint, decimals, priceUsd, priceE18 };
    }

    const [inPrice, outPrice] = [price(from), price(to)];
    return inPrice === null || outPrice === null ? null : { key, in: inPrice, out: outPrice, moment };
  };
}
