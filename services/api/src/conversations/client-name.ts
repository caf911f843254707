import { toPlainText } from './plain-text.ts';
import { withoutSecrets } from './without-secrets.ts';

const MAX_CHARACTERS = 100;

/** What a caller's program calls itself, made safe to keep and to show; null where it says nothing. */
export function clientName(agent: string | null | undefined, secrets: readonly string[]): string | null {
  const name = toPlainText(withoutSecrets(agent ?? '', secrets), MAX_CHARACTERS);
  return name === '' ? null : name;
}
