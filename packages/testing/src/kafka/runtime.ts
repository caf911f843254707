import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What to read behind the name of a suite that is skipped for want of a broker. */
export const KAFKA_NEEDS = 'needs Docker, or Java 17 and Maven: apt-get install default-jdk-headless maven';

/** Kafka 4 brokers run on Java 17 and newer. */
const OLDEST_JAVA = 17;

/** What a broker can run on here, null when nothing can. */
export async function findKafkaRuntime(): Promise<'docker' | 'java' | null> {
  if (await hasDocker()) return 'docker';
  return (await hasJavaForKafka()) ? 'java' : null;
}

/** Whether a broker can run outside a container: one whose disk and whose network a test makes bad. */
export async function hasJavaForKafka(): Promise<boolean> {
  const [java, hasMaven] = await Promise.all([findJavaVersion(), answers('mvn', ['--version'])]);
  return java >= OLDEST_JAVA && hasMaven;
}

/** Whether an engine answers, by Testcontainers' own ways of finding one. */
async function hasDocker(): Promise<boolean> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
}

async function findJavaVersion(): Promise<number> {
  try {
    const { stdout, stderr } = await run('java', ['-version']);
    return Number(/version "(\d+)/.exec(stdout + stderr)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function answers(command: string, parameters: readonly string[]): Promise<boolean> {
  try {
    await run(command, [...parameters]);
    return true;
  } catch {
    return false;
  }
}
