import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { Message } from '@lending/events';
import type { Address } from '@solana/kit';
import type { BankList } from './bank-list.ts';
import type { NativeRates } from './native-rates.ts';
import type { PriceAudit } from './price-audit.ts';
import { type MessageOptions, toBankMessages } from './publish/bank-messages.ts';
import { readBanks } from './read-banks.ts';
import type { SlotTime } from './slot-time.ts';
import type { SeenBanks } from './swaps/seen-banks.ts';

export interface RoundOptions extends MessageOptions {
  readonly chain: Chain;
  readonly program: Address;
  readonly group: Address;
  readonly banks: BankList;
  readonly nativeRates: NativeRates;
  readonly slotTime: SlotTime;
  readonly prices: PriceAudit;
  /** Told what was read and measured. */
  readonly seen?: Pick<SeenBanks, 'see'>;
}

/** What one beat does: reads all of one venue and says what it saw. */
export type Round = (signal: AbortSignal) => Promise<readonly Message[]>;

/** A round over P0's own banks. @throws CHAIN__BANKS_NOT_FOUND when the group has none. */
export function createP0Round(options: RoundOptions): Round {
  const { banks, nativeRates, slotTime, prices, seen } = options;
  return async (signal) => {
    const listed = await banks.get('p0', signal);
    if (listed.length === 0) {
      banks.expire();
      throw noBanks(options);
    }
    nativeRates.refresh(signal);
    const slotMicros = await slotTime.get();
    const readings = await readBanks(listed, { ...options, slotMicros, signal });
    for (const { bank } of readings) banks.update(bank);
    const messages = [...toBankMessages(readings, options), ...(await prices.audit(readings))];
    seen?.see(
      readings.map((reading) => ({ ...reading, reserve: null })),
      messages,
    );
    return messages;
  };
}

function noBanks({ chain, program, group }: RoundOptions): LendingError {
  return new LendingError('CHAIN__BANKS_NOT_FOUND', {
    message: `${chain.host} has no P0 bank of group ${group} under program ${program}; check P0_GROUP, P0_PROGRAM and the cluster`,
    context: { host: chain.host, program, group },
  });
}
