import type { Kafka } from 'kafkajs';
import { describe, expect, it, vi } from 'vitest';
import type { NewRecord } from '#log-record.ts';
import { KafkaProducer } from './kafka-producer.ts';

const RECORD: NewRecord = { topic: 't', key: null, value: '{}', headers: null };

/** Brokers that go away while something is sent to them, and are back at once. */
function leavingBrokers() {
  const sending = Promise.withResolvers<never>();
  const sendBatch = vi.fn(() => sending.promise);
  const disconnect = vi.fn(async () => undefined);
  const connect = vi.fn(async () => undefined);
  const kafka = { producer: () => ({ connect, disconnect, sendBatch }) } as unknown as Kafka;
  return { kafka, sendBatch, connect, disconnect, leave: () => sending.reject(new Error('gone')) };
}

describe('KafkaProducer', () => {
  it('sends nothing again once it is closed, and leaves no connection', async () => {
    const { kafka, sendBatch, connect, disconnect, leave } = leavingBrokers();
    const producer = new KafkaProducer(kafka);
    const sent = expect(producer.send([RECORD], Date.now() + 600_000)).rejects.toMatchObject({
      code: 'BUS__UNAVAILABLE',
    });
    await vi.waitFor(() => expect(sendBatch).toHaveBeenCalled(), 120_000);
    await producer.close();
    leave();
    await sent;
    await expect(producer.send([RECORD], Date.now() + 600_000)).rejects.toMatchObject({ code: 'BUS__UNAVAILABLE' });
    expect(sendBatch).toHaveBeenCalledTimes(1);
    expect(disconnect).toHaveBeenCalledTimes(connect.mock.calls.length);
  });
});
