import type { VNode } from 'preact';
import { html } from '../html.ts';
import { useStore } from '../store.ts';
import { chooseTheme, THEMES, theme } from './theme.ts';

const WORDS = { system: 'System', light: 'Light', dark: 'Dark' } as const;

/** Chooses between light, dark and what the machine says. */
export function ThemeToggle(): VNode {
  const chosen = useStore(theme);
  return html`
    <label class="theme-toggle">
      <span class="visually-hidden">Theme</span>
      <select value=${chosen} onChange=${(event: Event) => {
        const { value } = event.currentTarget as HTMLSelectElement;
        chooseTheme(THEMES.find((word) => word === value) ?? 'system');
      }}>
        ${THEMES.map((word) => html`<option value=${word} selected=${word === chosen}>${WORDS[word]}</option>`)}
      </select>
    </label>
  `;
}
