import { describe, expect, it } from 'vitest';
import { createCrossbar } from './crossbar.ts';

const signal = new AbortController().signal;
const HOSTS = ['Switchboard.xyz', '10.0.0.7'];
let nowMs = 0;

/** A crossbar whose answers are given by path. */
function open(answers: Readonly<Record<string, unknown>>, url = 'https://crossbar.switchboard.xyz/') {
  const asked: string[] = [];
  const crossbar = createCrossbar({
    url,
    gatewayHosts: HOSTS,
    now: () => nowMs,
    fetch: (path) => {
      asked.push(path);
      const answer = answers[new URL(path).pathname];
      return Promise.resolve(
        answer instanceof Response
          ? answer
          : new Response(JSON.stringify(answer ?? null), { status: answer ? 200 : 404 }),
      );
    },
  });
  return { crossbar, asked };
}

describe('createCrossbar', () => {
  it('names gateways on allowed hosts and below them, by TLS, and no others', async () => {
    const gateways = [
      'https://gateway.switchboard.xyz/mainnet',
      'https://switchboard.xyz',
      'https://10.0.0.7:8443',
      'http://gateway.switchboard.xyz',
      'https://switchboard.xyz.example.com',
      'https://notswitchboard.xyz',
      'https://user:secret@gateway.switchboard.xyz',
      'https://169.254.169.254/latest',
      'file:///etc/passwd',
      'gateway',
    ];
    const { crossbar } = open({ '/gateways': gateways });
    expect(await crossbar.fetchGateways(signal)).toEqual(gateways.slice(0, 3));
  });

  it('speaks to gateways without TLS only where crossbar is spoken to so', async () => {
    const { crossbar } = open({ '/gateways': ['http://10.0.0.7:1'] }, 'http://10.0.0.7');
    expect(await crossbar.fetchGateways(signal)).toEqual(['http://10.0.0.7:1']);
  });

  it('asks for gateways again after five minutes, and at once when none was allowed', async () => {
    const { crossbar, asked } = open({ '/gateways': ['https://switchboard.xyz'] });
    for (const at of [0, 299_999, 300_000]) {
      nowMs = at;
      await crossbar.fetchGateways(signal);
    }
    expect(asked).toEqual(Array(2).fill('https://crossbar.switchboard.xyz/gateways?network=mainnet'));
    const none = open({ '/gateways': ['https://example.com'] });
    for (let time = 0; time < 2; time += 1) await none.crossbar.fetchGateways(signal);
    expect(none.asked).toHaveLength(2);
  });

  it('tells a feed’s jobs as protobuf, and keeps those that were seen to be right', async () => {
    const { crossbar, asked } = open({ '/fetch/ab': { jobs: [{ tasks: [{ valueTask: { value: 1 } }] }] } });
    const jobs = await crossbar.fetchJobs('ab', signal);
    expect(jobs.map((job) => Buffer.from(job).toString('hex'))).toEqual([
      '0d0a0b62 09 09 000000000000f03f'.replaceAll(' ', ''),
    ]);
    await crossbar.fetchJobs('ab', signal);
    crossbar.keepJobs('ab', jobs);
    await crossbar.fetchJobs('ab', signal);
    expect(asked).toHaveLength(2);
  });

  const padding = 'x'.repeat(300_000);
  it.each([
    ['no jobs', { jobs: [] }, /jobs/],
    ['more jobs than any feed has', { jobs: Array.from({ length: 65 }, () => ({ tasks: [] })) }, /jobs/],
    ['a task that the format does not have', { jobs: [{ tasks: [{ shellTask: { command: 'ls' } }] }] }, /range/],
    ['a field that the format does not have', { jobs: [{ tasks: [{ httpTask: { verb: 'GET' } }] }] }, /range/],
    ['a text where a number stands', { jobs: [{ tasks: [{ valueTask: { value: 'one' } }] }] }, /range/],
    ['text', 'jobs', /object/],
    ['more bytes than any feed has', { jobs: [{ tasks: [] }], padding }, /more than 262144 bytes/],
    ['a failure', new Response('{"jobs":[{"tasks":[]}]}', { status: 500 }), /HTTP 500/],
  ])('takes no answer with %s', async (_, answer, message) => {
    await expect(open({ '/fetch/ab': answer }).crossbar.fetchJobs('ab', signal)).rejects.toThrow(message);
  });
});
