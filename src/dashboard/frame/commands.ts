import { showShortcuts } from '../keyboard/shortcuts.tsx';
import { asOfPast } from '../parts/past.tsx';
import { goTo } from '../parts/place.ts';
import { client, signOut, viewer } from '../parts/session.ts';
import { switchTheme } from '../parts/theme.ts';
import { viewEntries } from './views.ts';

/** A row of the palette. */
export type PaletteCommand = { key: string; kind: string; title: string; run: () => void };

const memoriesMax = 6;

/** Pages within views, by the words that people look for. */
const pages: readonly [title: string, view: string, path: string, ofOwner?: true][] = [
  ['Invitations', 'settings', 'projects'],
  ['Projects and organizations', 'settings', 'projects'],
  ['Members: who may read and write here', 'settings', 'members'],
  ['API keys', 'settings', 'keys'],
  ['Webhooks', 'settings', 'webhooks'],
  ['What webhooks were told', 'activity', 'deliveries'],
  ['Extraction and categories', 'settings', 'extraction'],
  ['Profiles: whether and how', 'settings', 'profiles'],
  ['Trust and review', 'settings', 'trust'],
  ['Import a file or conversations', 'settings', 'import'],
  ['Structured export', 'settings', 'export'],
  ['Models', 'settings', 'models', true],
  ['Configuration', 'settings', 'configuration', true],
  ['Backup', 'settings', 'configuration', true],
];

/** The commands that match a text, also to ask it and to search for it; all if it is empty. */
export function commandsFor(text: string): PaletteCommand[] {
  const words = text.trim();
  const all = [...places(), ...actions()];
  const matches = all.filter(({ title, kind }) => fits(`${kind} ${title}`, words));
  return words === '' ? matches : [...matches, ...questions(words)];
}

export async function findCommands(words: string) {
  const input = { keywords: words, page_size: memoriesMax, ...asOfPast() };
  const { results } = await client.getMemories({ ...input, fields: ['id', 'memory'] });
  return results.map(({ id = '', memory = '' }) => ({ id, memory }));
}

function places(): PaletteCommand[] {
  const isOwner = viewer.value?.hasStore === true;
  const visiblePages = pages.filter(([, , , ofOwner]) => isOwner || ofOwner === undefined);
  return [
    ...viewEntries.map(([name, { title }]) => goCommand(title, name)),
    ...visiblePages.map(([title, view, path]) => goCommand(title, view, path)),
  ];
}

function goCommand(title: string, view: string, path = ''): PaletteCommand {
  return { key: `go ${title}`, kind: 'Go to', title, run: () => goTo(view, path) };
}

function actions(): PaletteCommand[] {
  const action = (title: string, run: () => void) => ({ key: title, kind: 'Do', title, run });
  return [
    action('Switch the theme', switchTheme),
    action('Show the keys', showShortcuts),
    action('Open the API reference', () => void open('/docs', '_blank', 'noreferrer')),
    action('Sign out', () => void signOut()),
  ];
}

function questions(words: string): PaletteCommand[] {
  return [
    {
      key: 'ask',
      kind: 'Ask',
      title: words,
      run: () => goTo('ask', '', { query: words }),
    },
    {
      key: 'list',
      kind: 'Find memories with',
      title: words,
      run: () => goTo('memories', '', { keywords: words }),
    },
  ];
}

/** Every word begins a word of the title. */
function fits(title: string, words: string): boolean {
  const titleWords = title.toLowerCase().split(/\W+/);
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => titleWords.some((one) => one.startsWith(word)));
}
