// What README.md and docs/clients.md say about clients, from the table that `mneme init` uses.
import {
  type Client,
  type ClientName,
  type ConfigFile,
  clientNames,
  clients,
  forPlatform,
} from '../src/cli/init/clients.ts';
import { applyEdits } from '../src/cli/init/formats/format.ts';
import { loadFormat } from '../src/cli/init/formats/load.ts';
import { type Platform, platforms, shownPath } from '../src/cli/init/place.ts';
import { entryFor, entryName, type Start } from '../src/cli/init/shape.ts';
import { npxCommand } from '../src/cli/start-command.ts';
import { installLinks } from './install-links.ts';

const systems: Record<Platform, string> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** What each client is called, and by which name `mneme init` connects it. */
export function clientTable(): string {
  const rows = clientNames.map(
    (name) => `| [${clients[name].title}](#${anchorOf(name)}) | \`mneme init ${name}\` |`,
  );
  return ['| client | command |', '| --- | --- |', ...rows].join('\n');
}

/** As GitHub makes them of headings. */
function anchorOf(name: ClientName): string {
  const kept = clients[name].title.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '');
  return kept.replaceAll(' ', '-');
}

/** The README's sentence about them. */
export function clientList(): string {
  const titles = clientNames.map((name) => clients[name].title);
  return `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}.`;
}

/** One click, where the maker of a client offers that. */
export function clientButtons(): string {
  const links = clientNames.flatMap(installLinks);
  return links
    .flatMap(({ url, button }) =>
      button === null ? [] : [`[![${button.text}](${button.image})](${url})`],
    )
    .join('\n');
}

/** A section for each client. */
export async function clientSections(): Promise<string> {
  const sections = await Promise.all(clientNames.map(section));
  return sections.join('\n\n');
}

async function section(name: ClientName): Promise<string> {
  const client: Client = clients[name];
  const project = client.project === undefined ? [] : projectLine(client.project);
  const links = installLinks(name).map(({ url }) => `\`${url}\``);
  const click = links.length === 0 ? [] : [`In one click: ${links.join(', ')}`];
  const { byHand, user } = client;
  return [
    `### ${client.title}`,
    fileTable(user),
    ...[...project, ...(byHand === undefined ? [] : [byHand]), ...click].map((line) => line),
    fence(user, await snippet(user, 'linux')),
    'On Windows:',
    fence(user, await snippet(user, 'win32')),
  ].join('\n\n');
}

function fileTable(file: ConfigFile): string {
  const rows = platforms.map((platform) => {
    const paths = forPlatform(file.paths, platform).map((path) => shownPath(path, platform));
    return `| ${systems[platform]} | ${paths.map((path) => `\`${path}\``).join(' or ')} |`;
  });
  return ['| system | file |', '| --- | --- |', ...rows].join('\n');
}

function projectLine(file: ConfigFile): string[] {
  const [path = ''] = forPlatform(file.paths, 'linux');
  return [`In a project: \`${path}\`, or \`mneme init --scope project\`.`];
}

async function snippet(file: ConfigFile, platform: Platform): Promise<string> {
  const { keys, list = false } = file;
  const { put } = await loadFormat(file.format);
  const start: Start = { ...npxCommand(platform), env: {} };
  return applyEdits('', put('', { keys, list, name: entryName }, entryFor(file.shape, start)));
}

function fence({ format }: ConfigFile, text: string): string {
  return `\`\`\`${format}\n${text.trimEnd()}\n\`\`\``;
}
