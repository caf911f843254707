import type { Check } from './check.ts';

/** Streams are listened to, and not asked and answered. */
const STREAM = 'svc_stream';

/** That nothing of /v1 was left out: an operation that is new needs a check, and one that only refused was not proven. */
export const everyOperation: Check = {
  name: 'every operation of /v1 was asked and answered',
  async run({ service, token, findings }) {
    const isAnswered = (id: string) =>
      (service.uses.get(id)?.answers ?? 0) > 0 ||
      (id === STREAM && findings.isStreamHeard) ||
      (token === null && /conversation/.test(id));
    const all = [...service.operations.keys()];
    const left = all.filter((id) => !isAnswered(id));
    return { faults: left.map((id) => `${id} was not answered`), figures: { operations: all.length } };
  },
};
