import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installLinks } from '../../scripts/install-links.ts';
import { clientNames } from '../../src/client-entries/clients.ts';

const start = { command: 'npx', args: ['-y', 'mneme'] };
const fromBase64 = (text: string | null) => JSON.parse(atob(text ?? ''));
const read = (file: string) => readFileSync(file, 'utf8');

/** What each kind of link says, read as the program that opens it does. */
const decoders: Record<string, (url: URL) => unknown> = {
  'https://cursor.com/en/install-mcp': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...fromBase64(searchParams.get('config')),
  }),
  'cursor://anysphere.cursor-deeplink/mcp/install': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...fromBase64(searchParams.get('config')),
  }),
  'https://lmstudio.ai/install-mcp': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...fromBase64(searchParams.get('config')),
  }),
  'lmstudio://add_mcp': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...fromBase64(searchParams.get('config')),
  }),
  'https://vscode.dev/redirect/mcp/install': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...JSON.parse(searchParams.get('config') ?? ''),
  }),
  'https://insiders.vscode.dev/redirect/mcp/install': ({ searchParams }) => ({
    name: searchParams.get('name'),
    ...JSON.parse(searchParams.get('config') ?? ''),
  }),
  'vscode:mcp/install': ({ search }) => JSON.parse(decodeURIComponent(search.slice(1))),
  'vscode-insiders:mcp/install': ({ search }) => JSON.parse(decodeURIComponent(search.slice(1))),
  'goose://extension': ({ searchParams }) => ({
    name: searchParams.get('name'),
    command: searchParams.get('cmd'),
    args: searchParams.getAll('arg'),
  }),
};

const links = clientNames.flatMap(installLinks);

describe.each(links)('$url', ({ url, button }) => {
  it('starts the server under its name', () => {
    const [base = ''] = url.split('?');

    expect(decoders[base]?.(new URL(url))).toMatchObject({ name: 'mneme', ...start });
  });

  it('stands where people look for it', () => {
    expect(read('docs/clients.md')).toContain(`\`${url}\``);
    expect(read('README.md').includes(`](${url})`)).toBe(button !== null);
  });

  it('keeps what it carries in one piece', () => {
    expect(url).toMatch(/^[\w:/?=&%.+-]+$/);
  });
});

it('every kind of link is checked', () => {
  expect(new Set(links.map(({ url }) => url.split('?')[0]))).toEqual(
    new Set(Object.keys(decoders)),
  );
});
