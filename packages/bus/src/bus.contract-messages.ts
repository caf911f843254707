import { type Message, messageId } from '@lending/events';

/** The topic of the contract suite: a small payload, and partitions enough to share. */
export const CONTRACT_TOPIC = 'oracle.priced.v1';

const BANK = 'So11111111111111111111111111111111111111112';

/** `count` messages of one key at consecutive slots. */
export function makeMessages(key: string, firstSlot: number, count: number): Message<typeof CONTRACT_TOPIC>[] {
  return Array.from({ length: count }, (_, index) => makeMessage(key, BigInt(firstSlot + index)));
}

function makeMessage(key: string, slot: bigint): Message<typeof CONTRACT_TOPIC> {
  return {
    id: messageId(CONTRACT_TOPIC, key, slot),
    type: CONTRACT_TOPIC,
    key,
    slot,
    time: '2026-11-21T00:00:00Z',
    source: 'localnet',
    payload: {
      bank: BANK,
      oracle: null,
      setup: 'PythPushOracle',
      priceUsd: '145.12',
      priceLowUsd: '145.1',
      priceHighUsd: '145.14',
      emaPriceUsd: '145',
      publishTime: null,
      reason: null,
    },
  };
}
