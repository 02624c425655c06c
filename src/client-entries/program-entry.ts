import { isServerEntry, type ServerEntry } from './formats/format.ts';

/** A program and its arguments, as clients start it. */
export type StartCommand = { command: string; args: readonly string[] };

/** How a client starts the server. */
export type ServerLaunch = StartCommand & {
  env: Readonly<Record<string, string>>;
};

/** The layout of an entry by kind of client; most use the first. */
const entryShapes = {
  plain: ({ command, args, env }: ServerLaunch): ServerEntry => ({
    command,
    args,
    ...omitEmpty({ env }),
  }),
  stdio: (start: ServerLaunch): ServerEntry => ({ type: 'stdio', ...entryShapes.plain(start) }),
  copilot: (start: ServerLaunch): ServerEntry => ({ type: 'local', ...entryShapes.plain(start) }),
  named: (start: ServerLaunch): ServerEntry => ({ name: entryName, ...entryShapes.plain(start) }),
  opencode: ({ command, args, env }: ServerLaunch): ServerEntry => ({
    type: 'local',
    command: [command, ...args],
    ...omitEmpty({ environment: env }),
  }),
  goose: ({ command, args, env }: ServerLaunch): ServerEntry => ({
    type: 'stdio',
    name: entryName,
    cmd: command,
    args,
    ...omitEmpty({ envs: env }),
  }),
};

export type EntryShapeName = keyof typeof entryShapes;

/** Extra fields that some clients need, and that the owner may have changed. */
export const shapeDefaults: Partial<Record<EntryShapeName, ServerEntry>> = {
  copilot: { tools: ['*'] },
  goose: { enabled: true, timeout: 300, description: 'Long-term memory' },
};

/** The field of an entry that holds its variables. */
const variablesField: Partial<Record<EntryShapeName, string>> = {
  opencode: 'environment',
  goose: 'envs',
};

/** The name of the server in every file. */
export const entryName = 'mneme';

/**
 * The entry for a client. Keeps the fields of an existing entry that mneme does not write:
 * switches of the client, and variables that are not mneme's.
 */
export function programEntryFor(
  shape: EntryShapeName,
  start: ServerLaunch,
  existing: ServerEntry = {},
): ServerEntry {
  const name = variablesField[shape] ?? 'env';
  const before = Object.entries(isServerEntry(existing[name]) ? existing[name] : {});
  const otherVariables = before.filter(([variable]) => !variable.startsWith('MNEME_'));
  const env = { ...Object.fromEntries(otherVariables), ...start.env } as Record<string, string>;
  const { [name]: _, ...others } = omitAddress(existing);
  const entry = { ...entryShapes[shape]({ ...start, env }), ...shapeDefaults[shape], ...others };
  return { ...entry, ...entryShapes[shape]({ ...start, env }) };
}

const addressFields = [
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'http_headers',
  'bearer_token_env_var',
];

/** The fields of an address entry that other entries keep. */
export function omitAddress(entry: ServerEntry): ServerEntry {
  if (!addressFields.some((name) => Object.hasOwn(entry, name))) return entry;
  const others = Object.entries(entry).filter(
    ([name]) => name !== 'type' && !addressFields.includes(name),
  );
  return Object.fromEntries(others);
}

/** The fields of a program entry that an address entry keeps. */
export function omitProgram(entry: ServerEntry, shape: EntryShapeName): ServerEntry {
  const { type: _, command, args, cmd, [variablesField[shape] ?? 'env']: env, ...others } = entry;
  return others;
}

/** Clients show an empty object of variables as if it had a meaning. */
function omitEmpty(parts: Record<string, Readonly<Record<string, string>>>): ServerEntry {
  return Object.fromEntries(Object.entries(parts).filter(([, env]) => Object.keys(env).length > 0));
}

/** How a client starts it from the registry. On Windows npx is a script that needs cmd. */
export function npxCommand(platform: string): StartCommand {
  const args = ['npx', '-y', 'mneme'];
  if (platform === 'win32') return { command: 'cmd', args: ['/c', ...args] };
  return { command: 'npx', args: args.slice(1) };
}
