import { computeHealth, type RiskBalance, sideOf } from '@lending/domain';
import type { P0Account } from '@lending/venues';
import { pulseAccount } from '#first-contact/pulse.ts';
import type { Seen } from '../scan.ts';
import { type Answer, accountsFor, type Contact, firstAnswer, open, type Question } from './question.ts';

const ID = 'paused_collateral_zero_weight';

export const pausedCollateral: Question = {
  id: ID,
  question: 'Does collateral of a Paused bank count nothing for new debt?',
  strictRule: 'it counts nothing, from 0.1.10 on',
  looksFor: ({ balances }: Seen) => balances.some(isPausedCollateral),
  async ask(contact) {
    const accounts = await accountsFor(contact, ID);
    return firstAnswer(accounts, 'no account with collateral of a Paused bank that has a price', (account) =>
      pulse(contact, account),
    );
  },
};

function isPausedCollateral({ bank, price, ...shares }: RiskBalance): boolean {
  return (
    bank.operationalState === 'Paused' &&
    sideOf(shares) === 'asset' &&
    price.kind === 'loaded' &&
    bank.weights.assetInit > 0n
  );
}

async function pulse({ market, simulate }: Contact, account: P0Account): Promise<Answer> {
  const pulsed = await pulseAccount(market, simulate, account);
  if (pulsed.kind === 'failed') return open(pulsed.reason, account.address);
  const theirs = pulsed.theirs.initial?.assets;
  const counted = computeHealth(asThoughOpen(pulsed.balances)).initial?.assets;
  const nothing = pulsed.ours.initial?.assets;
  const evidence = `pulse of ${account.address} at slot ${pulsed.slot}: initial assets ${theirs}; without Paused banks ${nothing}, with them ${counted} (raw I80F48)`;
  if (theirs === undefined || counted === nothing) return open('its collateral is worth nothing in any case', evidence);
  if (theirs === nothing) return { answer: 'yes', evidence, relaxes: false, assumptionFallen: null };
  if (theirs === counted)
    return { answer: 'no: it counts as that of any bank', evidence, relaxes: true, assumptionFallen: null };
  return open('the program comes to another sum', evidence);
}

/** Balances as a program takes them to which a pause of a bank says nothing of its collateral. */
export function asThoughOpen(balances: readonly RiskBalance[]): readonly RiskBalance[] {
  return balances.map((balance) =>
    balance.bank.operationalState === 'Paused'
      ? { ...balance, bank: { ...balance.bank, operationalState: 'Operational' as const } }
      : balance,
  );
}
