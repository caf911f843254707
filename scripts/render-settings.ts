import { apiProcessSettings } from '@lending/api';
import { embeddedSettings } from '@lending/embedded';
import { indexerProcessSettings } from '@lending/indexer';
import { localnetProcessSettings } from '@lending/localnet';
import { ratePollerSettings } from '@lending/rate-poller';
import { describeSettings, type SettingDescription, type SettingsSchema } from '@lending/runtime';

/** Every process and the settings it reads. */
const PROCESSES: Readonly<Record<string, SettingsSchema>> = {
  'npm start': embeddedSettings,
  'rate-poller': ratePollerSettings,
  indexer: indexerProcessSettings,
  api: apiProcessSettings,
  'local chain': localnetProcessSettings,
};

const HEADER = `# Every setting, with its default. All are environment variables; an empty one counts as unset. npm start and npm run reset also
# read a file .env beside this one, where the environment does not say otherwise, and so does docker compose, some of whose defaults
# are others: a copy of this file changes nothing until a line of it is uncommented. NAME_FILE names a file that holds the value of
# NAME, as containers are handed secrets. A wrong value stops the start with one line that says what is allowed.`;

/** The text of `.env.example`: one block per setting, in the order the processes name them. */
export function renderSettings(): string {
  const settings = new Map<string, { readonly setting: SettingDescription; readonly readBy: string[] }>();
  for (const [name, schema] of Object.entries(PROCESSES)) {
    for (const setting of describeSettings(schema)) {
      const entry = settings.get(setting.name) ?? { setting, readBy: [] };
      entry.readBy.push(name);
      settings.set(setting.name, entry);
    }
  }
  const blocks = [...settings.values()].map(({ setting, readBy }) =>
    [
      `# ${setting.description}.`,
      `# Allowed: ${setting.allowed}. Read by: ${readBy.join(', ')}.`,
      `# ${setting.name}=${setting.defaultText ?? ''}`,
    ].join('\n'),
  );
  return `${[HEADER, ...blocks].join('\n\n')}\n`;
}
