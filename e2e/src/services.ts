import type { RunningProcess } from '@lending/testing';

/** As `docker-compose.yml` and the folders call them. */
export const SERVICES = ['rate-poller', 'indexer', 'api'] as const;
export type Service = (typeof SERVICES)[number];

/** The line by which a service says that it is up, with the port at which it answers: probes, and of the api everything. */
export const READY_LINE: Readonly<Record<Service, RegExp>> = {
  'rate-poller': /"probes":"http:\/\/[^"]*:(\d+)".*rate\.poller\.start/,
  indexer: /"probes":"http:\/\/[^"]*:(\d+)".*indexer\.process\.start/,
  api: /"port":(\d+).*api\.server\.listen/,
};

/** Where a service answers that was started with its ready line. */
export function urlOf({ baseUrl: port }: Pick<RunningProcess, 'baseUrl'>): string {
  return `http://127.0.0.1:${port}`;
}
