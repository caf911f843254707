import type { Topic } from '@lending/events';
import type { Pool } from 'pg';
import { computeBackoffMs, pause } from '#backoff.ts';
import type { Consumer } from '#bus.ts';
import type { BusOptions, LogSettings } from '#bus-options.ts';
import type { Delivery } from '#deliver-records.ts';
import { APPENDED_CHANNEL } from './append-records.ts';
import { assignPartitions, type LogPartition } from './assign-partitions.ts';
import {
  beatMember,
  claimPartitions,
  GROUP_CHANNEL,
  type GroupView,
  joinGroup,
  leaveGroup,
  releasePartitions,
} from './membership.ts';
import { PartitionReader } from './partition-reader.ts';
import { fetchEndOffsets } from './read-records.ts';
import type { Session, SessionListener } from './session.ts';
import { WakeUp } from './wake-up.ts';

/** How long silence is trusted: notifications wake readers, this catches one that got lost. */
const SLOW_POLL_MS = 5_000;

export interface LogConsumerContext {
  readonly pool: Pool;
  readonly session: Session;
  /** Partitions of all topics. */
  readonly partitions: readonly LogPartition[];
  readonly settings: LogSettings;
  readonly onEvent: BusOptions['onEvent'];
}

interface Membership {
  readonly member: bigint;
  /** Session the membership lives and dies with. */
  readonly sessionPid: number;
  /** `performance.now()` when the newest heartbeat that succeeded was sent. */
  beatAt: number;
}

/**
 * One member of a group.
 *
 * States: outside → member (beats; reads what it claimed) → outside, when its session ended or the others removed it; then
 * it joins again as a new member. `stop` leaves from either.
 *
 * Partitions change hands one by one: whoever should not read one finishes its batch and releases it, whoever should claims it
 * when it is free. A member that cannot beat for the session timeout stops reading by itself, because by then others may.
 */
export class LogConsumer implements Consumer, SessionListener {
  readonly #context: LogConsumerContext;
  readonly #delivery: Delivery;
  readonly #partitions: readonly LogPartition[];
  readonly #readers = new Map<number, PartitionReader>();
  readonly #stopping = new AbortController();
  readonly #wakeUp = new WakeUp();
  readonly #joined = Promise.withResolvers<void>();
  #membership: Membership | null = null;
  /** `performance.now()` when it was last looked whether a notification got lost. */
  #lookedAt = performance.now();
  #running: Promise<void> = Promise.resolve();

  constructor(context: LogConsumerContext, delivery: Delivery) {
    this.#context = context;
    this.#delivery = delivery;
    const topics: readonly string[] = delivery.options.topics;
    this.#partitions = context.partitions.filter(({ topic }) => topics.includes(topic));
  }

  /** Resolves once the group is joined. */
  start(): Promise<void> {
    this.#context.session.addListener(this);
    this.#running = this.#run();
    return this.#joined.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#joined.resolve();
    await this.#running;
    this.#context.session.removeListener(this);
  }

  connected(): void {
    this.#wakeUp.ring();
    for (const reader of this.#readers.values()) reader.wake();
  }

  notified(channel: string, payload: string): void {
    if (channel === GROUP_CHANNEL && payload === this.#delivery.options.group) this.#wakeUp.ring();
    if (channel !== APPENDED_CHANNEL) return;
    const grown = payload === '' ? [...this.#readers.keys()] : payload.split(',').map(Number);
    for (const id of grown) this.#readers.get(id)?.wake();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#beat();
        failures = 0;
        await this.#wakeUp.sleep(this.#context.settings.heartbeatMs, signal);
      } catch (error) {
        failures += 1;
        const facts = { group: this.#delivery.options.group, failures };
        this.#context.onEvent?.({ level: 'warn', event: 'bus.beat.failed', facts, error });
        await pause(computeBackoffMs(failures), signal);
      }
    }
    await this.#leave();
  }

  async #beat(): Promise<void> {
    const { pool, session, settings } = this.#context;
    const { group } = this.#delivery.options;
    if (this.#membership !== null && this.#membership.sessionPid !== session.pid) await this.#forget();
    this.#membership ??= await this.#join();
    const membership = this.#membership;
    if (membership === null) return;
    const sentAt = performance.now();
    const view = await beatMember(pool, group, membership.member, settings.sessionTimeoutMs);
    if (view === null) {
      await this.#forget();
      this.#wakeUp.ring();
      return;
    }
    membership.beatAt = sentAt;
    await this.#rebalance(membership.member, view);
    this.#joined.resolve();
    if (sentAt - this.#lookedAt >= SLOW_POLL_MS) await this.#wakeBehind();
  }

  /** One question for all partitions, most of which are silent. */
  async #wakeBehind(): Promise<void> {
    this.#lookedAt = performance.now();
    const ends = await fetchEndOffsets(this.#context.pool, [...this.#readers.keys()]);
    for (const [id, end] of ends) this.#readers.get(id)?.wakeIfBehind(end);
  }

  async #join(): Promise<Membership | null> {
    const { pool, session } = this.#context;
    const { group, topics } = this.#delivery.options;
    const sessionPid = session.pid;
    if (sessionPid === null) return null;
    const beatAt = performance.now();
    const member = await joinGroup(pool, group, topics, sessionPid);
    return member === null ? null : { member, sessionPid, beatAt };
  }

  /**
   * Hands over what others should read and takes what should be read here. Nothing here waits for a handler: the beat has to
   * go on while a long batch ends. A reader that ended leaves its claim behind; the next beat releases it.
   */
  async #rebalance(member: bigint, view: GroupView): Promise<void> {
    const { pool } = this.#context;
    const { group } = this.#delivery.options;
    const target = assignPartitions(member, view.members, this.#partitions);
    for (const reader of this.#readers.values()) if (!target.has(reader.id)) void this.#stopReader(reader);
    const unread = this.#partitions.map(({ id }) => id).filter((id) => !this.#readers.has(id));
    const isMine = (id: number) => view.claims.get(id) === member;
    const done = unread.filter((id) => isMine(id) && !target.has(id));
    if (done.length > 0) await releasePartitions(pool, group, member, done);
    const free = unread.filter((id) => target.has(id) && !view.claims.has(id));
    const claimed = free.length === 0 ? [] : await claimPartitions(pool, group, member, free);
    this.#read([...claimed, ...unread.filter((id) => target.has(id) && isMine(id))]);
  }

  #read(ids: readonly number[]): void {
    const assigned = this.#partitions
      .filter(({ id }) => ids.includes(id))
      .map(({ id, topic, partition }) => ({ id, topic: topic as Topic, partition }));
    const { pool, onEvent } = this.#context;
    const context = { pool, delivery: this.#delivery, onEvent, isMember: () => this.#isMember() };
    if (assigned.length === 0) return;
    const positions = this.#delivery.options.startFrom(assigned.map(({ topic, partition }) => ({ topic, partition })));
    for (const { id, topic, partition } of assigned) {
      const reader = new PartitionReader(id, { topic, partition }, context);
      this.#readers.set(id, reader);
      reader.start(positions);
    }
  }

  #isMember(): boolean {
    const membership = this.#membership;
    if (membership === null || membership.sessionPid !== this.#context.session.pid) return false;
    return performance.now() - membership.beatAt < this.#context.settings.sessionTimeoutMs;
  }

  async #stopReader(reader: PartitionReader): Promise<void> {
    await reader.stop();
    if (this.#readers.get(reader.id) === reader) this.#readers.delete(reader.id);
    this.#wakeUp.ring();
  }

  /** Stops reading as this member; what is left of it in the table is removed by whoever beats next. */
  async #forget(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => this.#stopReader(reader)));
    this.#membership = null;
  }

  async #leave(): Promise<void> {
    const member = this.#membership?.member;
    await this.#forget();
    if (member === undefined) return;
    try {
      await leaveGroup(this.#context.pool, this.#delivery.options.group, member);
    } catch (error) {
      const facts = { group: this.#delivery.options.group };
      this.#context.onEvent?.({ level: 'warn', event: 'bus.leave.failed', facts, error });
    }
  }
}
