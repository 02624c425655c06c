// Links that a client opens to add the server, as the clients' makers describe them.
import type { ClientName } from '../src/client-entries/clients.ts';
import { npxCommand } from '../src/client-entries/program-entry.ts';

export type InstallLink = {
  url: string;
  /** The button in the README, where only web links work. */
  button: { text: string; image: string } | null;
};

const { command, args } = npxCommand('linux');
const config = { command, args };
const inBase64 = Buffer.from(JSON.stringify(config)).toString('base64');
const inCode = { name: 'mneme', type: 'stdio', ...config };

const named = (values: Record<string, string>) => String(new URLSearchParams(values));

export function installLinks(client: ClientName): InstallLink[] {
  return makers[client]?.() ?? [];
}

const makers: Partial<Record<ClientName, () => InstallLink[]>> = {
  cursor: () => {
    const query = named({ name: 'mneme', config: inBase64 });
    const image = 'https://cursor.com/deeplink/mcp-install-dark.svg';
    return [
      button(`https://cursor.com/en/install-mcp?${query}`, 'Add to Cursor', image),
      link(`cursor://anysphere.cursor-deeplink/mcp/install?${query}`),
    ];
  },
  vscode: () => [
    button(
      `https://vscode.dev/redirect/mcp/install?${codeQuery()}`,
      'Install in VS Code',
      'https://img.shields.io/badge/VS_Code-install-0098FF',
    ),
    link(`vscode:mcp/install?${encodeURIComponent(JSON.stringify(inCode))}`),
  ],
  'vscode-insiders': () => [
    button(
      `https://insiders.vscode.dev/redirect/mcp/install?${codeQuery()}&quality=insiders`,
      'Install in VS Code Insiders',
      'https://img.shields.io/badge/VS_Code_Insiders-install-24BFA5',
    ),
    link(`vscode-insiders:mcp/install?${encodeURIComponent(JSON.stringify(inCode))}`),
  ],
  'lm-studio': () => {
    const query = named({ name: 'mneme', config: inBase64 });
    const image = 'https://files.lmstudio.ai/deeplink/mcp-install-light.svg';
    return [
      button(`https://lmstudio.ai/install-mcp?${query}`, 'Add to LM Studio', image),
      link(`lmstudio://add_mcp?${query}`),
    ];
  },
  goose: () => {
    const parts = [['cmd', command], ...args.map((arg) => ['arg', arg]), ['timeout', '300']];
    const about = [
      ['id', 'mneme'],
      ['name', 'mneme'],
      ['description', 'Long-term memory'],
    ];
    const query = [...parts, ...about].map((pair) => pair.map(encoded).join('=')).join('&');
    return [link(`goose://extension?${query}`)];
  },
};

function codeQuery(): string {
  const { name, ...rest } = inCode;
  return `name=${name}&config=${encodeURIComponent(JSON.stringify(rest))}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text);
}

function button(url: string, text: string, image: string): InstallLink {
  return { url, button: { text, image } };
}

function link(url: string): InstallLink {
  return { url, button: null };
}
