import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The reason in the name of a suite that is skipped because no broker can start. */
export const KAFKA_NEEDS = 'needs Java 17 and Maven: apt-get install default-jdk-headless maven';

/** Kafka 4 brokers run on Java 17 and newer. */
const OLDEST_JAVA = 17;

/** Whether this machine can start a broker. */
export async function hasKafka(): Promise<boolean> {
  const [java, maven] = await Promise.all([output('java', ['-version']), output('mvn', ['--version'])]);
  return Number(/version "(\d+)/.exec(java ?? '')?.[1] ?? 0) >= OLDEST_JAVA && maven !== null;
}

/** Whether a suite is skipped because no broker can start. In CI it is not: there the start of the broker fails, and so does the suite. */
export async function isKafkaMissing(): Promise<boolean> {
  return process.env.CI !== 'true' && !(await hasKafka());
}

/** Both streams; null where the command is not there or fails. */
async function output(command: string, parameters: readonly string[]): Promise<string | null> {
  try {
    const { stdout, stderr } = await run(command, [...parameters]);
    return stdout + stderr;
  } catch {
    return null;
  }
}
