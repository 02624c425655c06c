import { effect, signal } from '@preact/signals';
import { readStored, writeStored } from './stored.ts';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const storedTheme = readStored('theme');

/** What the user chose; `system` follows the browser. */
export const theme = signal<Theme>(themes.find((name) => name === storedTheme) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  writeStored('theme', theme.value);
});

export function switchTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
}
