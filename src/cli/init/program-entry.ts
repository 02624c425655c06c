import { isServerEntry, type ServerEntry } from './formats/format.ts';

/** How a client starts the server. */
export type ServerLaunch = {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
};

/** What each kind of client calls the parts of an entry; the first of them for most. */
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

/** What an entry needs besides, which its owner may have changed. */
export const shapeDefaults: Partial<Record<EntryShapeName, ServerEntry>> = {
  copilot: { tools: ['*'] },
  goose: { enabled: true, timeout: 300, description: 'Long-term memory' },
};

/** What the variables of an entry are called. */
const variablesField: Partial<Record<EntryShapeName, string>> = {
  opencode: 'environment',
  goose: 'envs',
};

/** The name of the server in every file. */
export const entryName = 'mneme';

/**
 * The entry for a client. Of one that is there already it keeps what mneme does not write:
 * switches of the client, and variables that are not mneme's.
 */
export function programEntryFor(
  shape: EntryShapeName,
  start: ServerLaunch,
  existing: ServerEntry = {},
): ServerEntry {
  const name = variablesField[shape] ?? 'env';
  const before = Object.entries(isServerEntry(existing[name]) ? existing[name] : {});
  const kept = before.filter(([variable]) => !variable.startsWith('MNEME_'));
  const env = { ...Object.fromEntries(kept), ...start.env } as Record<string, string>;
  const { [name]: _, ...others } = omitAddress(existing);
  const entry = { ...entryShapes[shape]({ ...start, env }), ...shapeDefaults[shape], ...others };
  return { ...entry, ...entryShapes[shape]({ ...start, env }) };
}

const addressFields = [
  ...['url', 'serverUrl', 'httpUrl', 'headers', 'http_headers', 'bearer_token_env_var'],
];

/** Of an entry for an address, what any other keeps. */
export function omitAddress(entry: ServerEntry): ServerEntry {
  if (!addressFields.some((name) => Object.hasOwn(entry, name))) return entry;
  const others = Object.entries(entry).filter(
    ([name]) => name !== 'type' && !addressFields.includes(name),
  );
  return Object.fromEntries(others);
}

/** Of an entry for a program, what one for an address keeps. */
export function omitProgram(entry: ServerEntry, shape: EntryShapeName): ServerEntry {
  const { type: _, command, args, cmd, [variablesField[shape] ?? 'env']: env, ...others } = entry;
  return others;
}

/** Clients show an empty object of variables as if it meant something. */
function omitEmpty(parts: Record<string, Readonly<Record<string, string>>>): ServerEntry {
  return Object.fromEntries(Object.entries(parts).filter(([, env]) => Object.keys(env).length > 0));
}
