import { createMessage, type Message } from '@lending/events';
import { SUBJECTS } from './histories.ts';
import type { HistoryWorld } from './history-world.ts';

/** Below the slots of the local chain. */
const LAST_SLOT = 440_000_000n;
/** Shorter than a sample speaks. */
const STEP_MS = 110_000;
/** Three and a half days: half of a week, of which a mean can be given then. */
const ROUNDS = 2_800;

/**
 * Publishes days of samples of the subjects up to a time, as a poller would have: no test lives that long. Their rates are like nothing that the local
 * chain pays, so that a mean shows how much they weigh.
 */
export async function publishEarlierSamples({ bus }: HistoryWorld, beforeMs: number): Promise<void> {
  const messages: Message[] = [];
  for (let step = ROUNDS; step > 0; step -= 1) {
    const slot = LAST_SLOT - BigInt(step);
    const unixTimestamp = BigInt(Math.floor((beforeMs - step * STEP_MS) / 1_000));
    for (const { address, subject, venue } of SUBJECTS) {
      const payload = {
        bank: address,
        kind: subject.startsWith('banks/') ? ('bank' as const) : ('reserve' as const),
        venue,
        depositApr: '0.11',
        borrowApr: venue === 'kamino' ? null : '0.14',
        nativeApr: '0',
        emissionsDepositApr: null,
        emissionsBorrowApr: null,
        utilization: '0.5',
        totalAssetsBase: '2000000000',
        totalLiabilitiesBase: '1000000000',
        availableLiquidityBase: '1000000000',
        assetShareValue: '1',
        liabilityShareValue: '1',
        exchangeRate: venue === 'p0' ? null : '1.1',
        nativeExchangeRate: null,
        slotMs: null,
        priceUsd: '1',
      };
      messages.push(
        createMessage({ topic: 'rate.sampled.v1', key: address, slot, unixTimestamp, source: 'localnet', payload }),
      );
    }
  }
  for (let from = 0; from < messages.length; from += 2_000) await bus.publish(messages.slice(from, from + 2_000));
}
