import { describeError } from '@lending/errors';
import { connectionStringOf, databaseSettings, parseConfig } from '@lending/runtime';
import { printTokenCommand } from '../callers/run-token-command.ts';

/** Issues, lists and revokes tokens on the tables of the services, and ends. A new token is all that goes to standard output. */
try {
  await printTokenCommand(connectionStringOf(parseConfig(databaseSettings)), process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
