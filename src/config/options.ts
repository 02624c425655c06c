import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import * as z from 'zod';
import { toolsets } from '../contract/operation.ts';
import { Id } from '../contract/schemas/text.ts';

/** A default that depends on the machine, with the words that documents show for it. */
type Derived<T> = { derive: () => T; shown: string };

/** One option: flag, environment variable, file key, help and README row all follow from it. */
export type Option<T = unknown, D = unknown> = {
  schema: z.ZodType<T>;
  default: D | Derived<D>;
  about: string;
  /** A path: `~` and folders relative to where it was written are resolved. */
  path?: true;
  /** Names of tools: what they are checked against is loaded only when there are any. */
  tools?: true;
  /** Never shown; printed masked. */
  secret?: true;
  /** A file in the working folder may set it: it can't redirect where data go. */
  project?: true;
  /** The installer of a Claude Desktop bundle asks for it under this title. */
  asked?: string;
};

type Rest<D> = Omit<Option<unknown, D>, 'schema'>;

function option<T>(schema: z.ZodType<T>, rest: Rest<NoInfer<T>>): Option<T, T>;
function option<T>(schema: z.ZodType<T>, rest: Rest<null>): Option<T, null>;
function option<T>(schema: z.ZodType<T>, rest: Rest<T | null>): Option<T, T | null> {
  return { schema, ...rest };
}

/** One entity; `*` means any of them, which no configuration can mean. */
const EntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');

const Names = z.array(z.string().min(1)).min(1);
const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^\s/]+)$/, 'must be origins such as https://example.com, or *');

/** Where data are kept by default, for documents. */
const dataFolders =
  '~/.local/share/mneme (Linux), ~/Library/Application Support/mneme (macOS), ' +
  '%LOCALAPPDATA%\\mneme\\Data (Windows)';

/** Every option there is. */
export const options = {
  data_dir: option(z.string().min(1), {
    default: { derive: () => userFolders().data, shown: dataFolders },
    about: 'Folder of the memory file; made when it is missing.',
    path: true,
    asked: 'Data folder',
  }),
  org_id: option(Id, {
    default: null,
    about: 'Organization of all requests; made when it is missing.',
    project: true,
  }),
  project_id: option(Id, {
    default: null,
    about: 'Project of all requests; made when it is missing.',
    project: true,
    asked: 'Project',
  }),
  user_id: option(EntityId, {
    default: { derive: osUser, shown: "the operating system's user name" },
    about: 'User that memories belong to when a call names none.',
    project: true,
    asked: 'User',
  }),
  agent_id: option(EntityId, {
    default: null,
    about: 'Agent that memories belong to when a call names none.',
    project: true,
  }),
  app_id: option(EntityId, {
    default: null,
    about: 'App that memories belong to when a call names none.',
    project: true,
  }),
  run_id: option(EntityId, {
    default: null,
    about: 'Session that memories belong to when a call names none.',
    project: true,
  }),
  lock_scope: option(z.boolean(), {
    default: false,
    about: 'Hide the configured ids from tools and refuse others.',
    project: true,
  }),
  toolsets: option(z.array(z.enum(toolsets)).min(1), {
    default: null,
    about: 'Groups of tools to offer; all tools when neither this nor tools is set.',
    project: true,
  }),
  tools: option(Names, {
    default: null,
    about: 'Tools to offer by name, besides those of the toolsets.',
    tools: true,
    project: true,
  }),
  exclude_tools: option(Names, {
    default: [],
    about: 'Tools to leave out.',
    tools: true,
    project: true,
  }),
  read_only: option(z.boolean(), {
    default: false,
    about: 'Offer only tools that change nothing.',
    asked: 'Read only',
  }),
  confirm_destructive: option(z.boolean(), {
    default: true,
    about: 'Ask before a tool deletes in bulk.',
    asked: 'Ask before bulk deletes',
  }),
  add_wait_ms: option(z.int().min(0).max(600_000), {
    default: 5000,
    about: 'How long add_memory waits for the facts before it answers PENDING.',
  }),
  result_max_tokens: option(z.int().min(500).max(1_000_000), {
    default: 8000,
    about: 'Longest result of a tool, in tokens; a longer one is cut and says how to go on.',
  }),
  capture: option(z.enum(['told', 'all', 'off']), {
    default: 'told',
    about:
      'What hooks store of a conversation: what the user told for later, all turns, or nothing.',
  }),
  synchronous: option(z.enum(['normal', 'full']), {
    default: 'normal',
    about: 'full survives a power cut too, at a tenth of the writing speed.',
  }),
  busy_timeout_ms: option(z.int().min(0).max(600_000), {
    default: 10_000,
    about: 'How long a write waits for another process that writes.',
  }),
  lease_ms: option(z.int().min(1000).max(3_600_000), {
    default: 30_000,
    about: 'How long queued work belongs to a process before another may take it over.',
  }),
  worker_concurrency: option(z.int().min(1).max(1000), {
    default: 4,
    about: 'How many queued adds, and how many webhook deliveries, are worked on at once.',
  }),
  retention_days: option(z.int().min(1).max(36_500), {
    default: 30,
    about: 'How long events and settled webhook deliveries are kept.',
  }),
  export_retention_days: option(z.int().min(0).max(36_500), {
    default: 7,
    about: 'How long finished exports are kept; 0 keeps them.',
  }),
  webhook_timeout_ms: option(z.int().min(100).max(60_000), {
    default: 10_000,
    about: 'How long a webhook may take to answer.',
  }),
  webhook_allow_http: option(z.boolean(), {
    default: false,
    about: 'Let webhooks go to http addresses, not only https.',
  }),
  webhook_allow_private: option(z.boolean(), {
    default: false,
    about: 'Let webhooks go to private, loopback and link-local addresses.',
  }),
  log_level: option(z.enum(['error', 'warn', 'info']), {
    default: 'info',
    about: 'What is worth a line on stderr.',
  }),
  host: option(z.string().min(1).max(255), {
    default: '127.0.0.1',
    about: 'Address that mneme serve listens on; 0.0.0.0 is all of the machine.',
  }),
  port: option(z.int().min(0).max(65_535), {
    default: 8787,
    about: 'Port that mneme serve listens on; 0 picks a free one.',
  }),
  bootstrap_key: option(z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must hold no white space'), {
    default: null,
    about: 'An API key that mneme serve makes valid at its start, as for containers.',
    secret: true,
  }),
  dialect: option(z.enum(['auto', 'published', 'sdk']), {
    default: 'auto',
    about: 'Shape of REST answers; auto tells official clients by their headers.',
  }),
  rate_limit: option(z.int().min(0).max(1_000_000_000), {
    default: 0,
    about: 'REST requests a minute for each API key; 0 is no limit.',
  }),
  body_max_bytes: option(z.int().min(1024).max(1_000_000_000), {
    default: 4 * 1024 * 1024,
    about: 'Largest body of a REST request.',
  }),
  cors_origins: option(z.array(Origin), {
    default: [],
    about: 'Origins whose web pages may call the REST service; * is any.',
  }),
  trust_proxy: option(z.boolean(), {
    default: false,
    about: 'Believe X-Forwarded headers; only behind a proxy that sets them.',
  }),
  metrics_public: option(z.boolean(), {
    default: false,
    about: 'Show /metrics to other machines too.',
  }),
  request_log: option(z.boolean(), {
    default: true,
    about: 'Write a line for each REST request.',
  }),
};

export type OptionName = keyof typeof options;

/** The effective configuration. */
export type Config = {
  [N in OptionName]: (typeof options)[N] extends Option<infer T, infer D> ? T | D : never;
};

export const optionNames = Object.keys(options) as OptionName[];

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(options, name);
}

/** `data_dir` to `--data-dir`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** `data_dir` to `MNEME_DATA_DIR`. */
export function variableOf(name: string): string {
  return `MNEME_${name.toUpperCase()}`;
}

/** The default of an option on this machine. */
export function defaultOf({ default: value }: Option): unknown {
  return isDerived(value) ? value.derive() : value;
}

/** The default of an option as documents show it, the same on every machine. */
export function shownDefault({ default: value }: Option): string {
  if (isDerived(value)) return value.shown;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'unset';
  return String(value);
}

/** Where this operating system wants programs to keep data and configuration of a user. */
export function userFolders(): { data: string; config: string } {
  const { data, config } = envPaths('mneme', { suffix: '' });
  // With an empty HOME the paths come out relative to the working folder, another one each time.
  const home = userInfo().homedir;
  return { data: resolve(home, data), config: resolve(home, config) };
}

export const configFileName = 'mneme.config.json';

export function userConfigFile(): string {
  return join(userFolders().config, configFileName);
}

function isDerived(value: unknown): value is Derived<unknown> {
  return typeof value === 'object' && value !== null && 'derive' in value;
}

/** User ids without a name, as in some containers, have no entry to ask. */
function osUser(): string {
  try {
    return userInfo().username || 'default';
  } catch {
    return homedir().split(/[\\/]/).pop() || 'default';
  }
}
