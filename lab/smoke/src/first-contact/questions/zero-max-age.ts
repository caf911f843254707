import { encodeInstruction, lendingPoolPulseBankPriceCache, MARGINFI_ERRORS } from '@lending/programs';
import { loadOracle, oracleAccountsOf, type P0Bank } from '@lending/venues';
import { AccountRole } from '@solana/kit';
import { errorOf } from '#first-contact/pulse.ts';
import { type Answer, type Contact, firstAnswer, open, type Question } from './question.ts';

/** What 0 meant before. */
const FORMER_SECONDS = 60n;

export const zeroMaxAge: Question = {
  id: 'zero_max_age_is_zero',
  question: 'Does an oracle_max_age of 0 mean 0 seconds?',
  strictRule: 'it means 0 seconds, from 0.1.10 on: refused, or cranked',
  ask(contact) {
    const banks = [...contact.market.banks.values()].filter(
      ({ oracle }) => oracle.setup === 'PythPushOracle' && oracle.maxAgeSeconds === 0,
    );
    return firstAnswer(banks, 'no bank with an oracle_max_age of 0 on a feed of Pyth’s', (bank) =>
      pulse(contact, bank),
    );
  },
};

async function pulse({ market, simulate }: Contact, bank: P0Bank): Promise<Answer> {
  const { program, version, group } = market;
  const oracles = oracleAccountsOf(bank, { version });
  const remaining = oracles.map((address) => ({ address, role: AccountRole.READONLY }));
  const accounts = { group: group.address, bank: bank.address };
  const instruction = encodeInstruction(lendingPoolPulseBankPriceCache, program, accounts, {}, remaining, version);
  const outcome = await simulate([instruction]);
  const error = errorOf(outcome);
  const { read, moment } = market;
  const loaded = loadOracle(
    bank,
    oracles.map((address) => read(address) ?? null),
    moment,
    { version: '0.1.11' },
  );
  const published = loaded.kind === 'loaded' ? loaded.feed.publishTime : null;
  const age = published === null ? null : moment.unixTimestamp - published;
  const evidence = `simulated pulse of ${bank.address} at slot ${outcome.slot}, its feed ${age} s old: ${error?.words ?? 'passed'}`;
  if (age === null || age <= 0n || age > FORMER_SECONDS)
    return open('its feed is of this second, or older than a minute', evidence);
  if (error === null)
    return { answer: 'no: a price of the last 60 seconds is taken', evidence, relaxes: true, assumptionFallen: null };
  if (error.number === MARGINFI_ERRORS.PythPushStalePrice)
    return { answer: 'yes', evidence, relaxes: false, assumptionFallen: null };
  return open(`the pulse fails with ${error.words}`, evidence);
}
