import { MARINADE_PROGRAM, marinadeStateLayout } from '@lending/programs';
import { OracleRefused } from '../p0/oracle-refused.ts';
import { loadRateAccount } from './load-rate-account.ts';
import { solRate } from './sol-rate.ts';
import type { TokenRate } from './token-rate.ts';

const INVALID = 'MarinadeStateValidationFailed';
const U64_MAX = 2n ** 64n - 1n;

/**
 * SOL for one mSOL by what Marinade holds and owes now. The price it keeps itself is of its last instruction, and no age is checked.
 * @see marginfi-v2 programs/marginfi/src/state/lst_stake_price.rs `marinade_price_multiplier`
 */
export const marinadeRate: TokenRate = {
  account: 'marinade_state',
  canBeStale: false,
  load: (source) => {
    const { discriminator } = marinadeStateLayout;
    const data = loadRateAccount(source, { owners: [MARINADE_PROGRAM], discriminator, invalid: INVALID });
    // The program slices past the end and aborts.
    if (data.length < marinadeStateLayout.fixedSize) throw new OracleRefused('rate_account_malformed', null);
    const state = marinadeStateLayout.decode(data);
    if (state.msolSupply === 0n) throw new OracleRefused('rate_out_of_range', INVALID);
    const held =
      state.validatorSystem.totalActiveBalance +
      state.stakeSystem.delayedUnstakeCoolingDown +
      state.emergencyCoolingDown +
      state.availableReserveBalance;
    if (held > U64_MAX) throw new OracleRefused('rate_out_of_range', 'MathError');
    const owed = state.circulatingTicketBalance;
    return solRate(held > owed ? held - owed : 0n, state.msolSupply, INVALID);
  },
};
