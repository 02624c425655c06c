// The parts of README.md and docs/clients.md about clients, from the table of `mneme init`.
import {
  type ClientConfigFile,
  type ClientDefinition,
  type ClientName,
  clientNames,
  clients,
  forPlatform,
} from '../src/client-entries/clients.ts';
import { entryText } from '../src/client-entries/entry-text.ts';
import { displayPath, type Platform, platforms } from '../src/client-entries/paths.ts';
import { npxCommand } from '../src/client-entries/program-entry.ts';
import { installLinks } from './install-links.ts';

const systems: Record<Platform, string> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' };

/** Each client with its name for `mneme init`. */
export function clientTable(): string {
  const rows = clientNames.map(
    (name) => `| [${clients[name].title}](#${anchorOf(name)}) | \`mneme init ${name}\` |`,
  );
  return ['| client | command |', '| --- | --- |', ...rows].join('\n');
}

/** The anchor that GitHub derives from a heading. */
function anchorOf(name: ClientName): string {
  const kept = clients[name].title.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '');
  return kept.replaceAll(' ', '-');
}

/** The sentence in the README. */
export function clientList(): string {
  const titles = clientNames.map((name) => clients[name].title);
  return `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)}.`;
}

/** Install buttons, for clients that support them. */
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
  const client: ClientDefinition = clients[name];
  const project = client.project === undefined ? [] : projectLine(client.project);
  const links = installLinks(name).map(({ url }) => `\`${url}\``);
  const click = links.length === 0 ? [] : [`In one click: ${links.join(', ')}`];
  const { byHand, user } = client;
  return [
    `### ${client.title}`,
    fileTable(user),
    ...[...project, ...(byHand === undefined ? [] : [byHand]), ...click].map((line) => line),
    await snippet(name, 'linux'),
    'On Windows:',
    await snippet(name, 'win32'),
  ].join('\n\n');
}

function fileTable(file: ClientConfigFile): string {
  const rows = platforms.map((platform) => {
    const paths = forPlatform(file.paths, platform).map((path) => displayPath(path, platform));
    return `| ${systems[platform]} | ${paths.map((path) => `\`${path}\``).join(' or ')} |`;
  });
  return ['| system | file |', '| --- | --- |', ...rows].join('\n');
}

function projectLine(file: ClientConfigFile): string[] {
  const [path = ''] = forPlatform(file.paths, 'linux');
  return [`In a project: \`${path}\`, or \`mneme init --scope project\`.`];
}

async function snippet(name: ClientName, platform: Platform): Promise<string> {
  const text = await entryText(name, { ...npxCommand(platform), env: {} });
  const { format } = clients[name].user;
  return `\`\`\`${format}\n${text.trimEnd()}\n\`\`\``;
}
