import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { toolsets } from '../contract/operation.ts';
import { EntityId } from '../contract/schemas/entity.ts';
import { Id } from '../contract/schemas/text.ts';
import { Timezone } from '../contract/timezone.ts';
import { databaseOptions } from './database-options.ts';
import { llmOptions } from './llm-options.ts';
import { modelOptions, ServiceUrl } from './model-options.ts';
import { type Option, option } from './option.ts';
import { retentionOptions } from './retention-options.ts';
import { serviceOptions } from './service-options.ts';
import { machineTimezone } from './timezone.ts';
import { userFolders } from './user-folders.ts';

const ToolNameList = z.array(z.string().min(1)).min(1);
/** A command line for the shell, or a program with its arguments, run without a shell. */
const KeyCommand = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** The default data folders, as the docs show them. */
const shownDataFolders =
  '~/.local/share/mneme (Linux), ~/Library/Application Support/mneme (macOS), ' +
  '%LOCALAPPDATA%\\mneme\\Data (Windows)';

/** All options. */
export const options = {
  data_dir: option(z.string().min(1), {
    default: { derive: () => userFolders().data, shown: shownDataFolders },
    description: 'Folder of the memory file; created if missing.',
    path: true,
    installerTitle: 'Data folder',
    engine: true,
    fromProject: 'refused',
  }),
  base_url: option(ServiceUrl, {
    default: null,
    description: 'Address of a remote mneme to use instead of a local store.',
    installerTitle: 'Remote address',
    fromProject: 'refused',
  }),
  api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for base_url.',
    secret: true,
    installerTitle: 'API key of the remote',
    fromProject: 'refused',
  }),
  api_key_command: option(KeyCommand, {
    default: null,
    description: 'Command that prints the API key, used if api_key is unset.',
    fromProject: 'refused',
  }),
  remote_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    description: 'Longest time for a call to base_url, retries included.',
    fromProject: 'refused',
  }),
  org_id: option(Id, {
    default: null,
    description: 'Organization of all requests; a local store creates it if missing.',
    engine: true,
    fromProject: 'allowed',
  }),
  project_id: option(Id, {
    default: null,
    description: 'Project of all requests; a local store creates it if missing.',
    installerTitle: 'Project',
    engine: true,
    fromProject: 'allowed',
  }),
  user_id: option(EntityId, {
    default: { derive: osUserName, shown: "the operating system's user name" },
    description: 'User that memories belong to when a call names none.',
    installerTitle: 'User',
    engine: true,
    fromProject: 'allowed',
  }),
  agent_id: option(EntityId, {
    default: null,
    description: 'Agent that memories belong to when a call names none.',
    engine: true,
    fromProject: 'allowed',
  }),
  app_id: option(EntityId, {
    default: null,
    description: 'App that memories belong to when a call names none.',
    engine: true,
    fromProject: 'allowed',
  }),
  run_id: option(EntityId, {
    default: null,
    description: 'Session that memories belong to when a call names none.',
    engine: true,
    fromProject: 'allowed',
  }),
  lock_scope: option(z.boolean(), {
    default: false,
    description: 'Hide the configured ids from tools and refuse all others.',
    fromProject: 'allowed',
  }),
  toolsets: option(z.array(z.enum(toolsets)).min(1), {
    default: null,
    description: 'Groups of tools to offer; all tools if neither this nor tools is set.',
    fromProject: 'tools',
  }),
  tools: option(ToolNameList, {
    default: null,
    description: 'Tools to offer by name, in addition to those of the toolsets.',
    tools: true,
    fromProject: 'tools',
  }),
  exclude_tools: option(ToolNameList, {
    default: [],
    description: 'Tools to leave out.',
    tools: true,
    fromProject: 'tools',
  }),
  read_only: option(z.boolean(), {
    default: false,
    description: 'Offer only tools that change nothing.',
    installerTitle: 'Read only',
    fromProject: { narrows: [false, true] },
  }),
  strict_schemas: option(z.boolean(), {
    default: false,
    description: 'List free-form objects as JSON text, for clients that need strict tool schemas.',
    fromProject: 'allowed',
  }),
  confirm_destructive: option(z.boolean(), {
    default: true,
    description: 'Ask before a tool deletes in bulk.',
    installerTitle: 'Ask before bulk deletes',
    fromProject: { narrows: [false, true] },
  }),
  admin_approval: option(z.enum(['off', 'forms', 'required']), {
    default: 'forms',
    description:
      'Approval by a person of webhooks, members, trust settings and reviews of tools: ' +
      'off, asked for in clients that show forms, or required, so that other clients are refused.',
    fromProject: { narrows: ['off', 'forms', 'required'] },
  }),
  add_wait_ms: option(z.int().min(0).max(600_000), {
    default: 5000,
    description: 'Longest wait of add_memory for extraction before it returns PENDING.',
    fromProject: 'refused',
  }),
  result_max_tokens: option(z.int().min(500).max(1_000_000), {
    default: 8000,
    description: 'Longest tool result, in tokens; a longer one is cut and says how to continue.',
    fromProject: 'refused',
  }),
  capture: option(z.enum(['told', 'all', 'off']), {
    default: 'told',
    description:
      'Part of a conversation that hooks store: what the user told them to remember, all, ' +
      'or none (off).',
    fromProject: { narrows: ['all', 'told', 'off'] },
  }),
  ...databaseOptions,
  ...modelOptions,
  ...llmOptions,
  secrets: option(z.enum(['redact', 'refuse', 'keep']), {
    default: 'redact',
    description:
      'Treatment of keys, passwords and card numbers in texts to store: redact, refuse or ' +
      'keep.',
    engine: true,
    fromProject: { narrows: ['keep', 'redact', 'refuse'] },
  }),
  timezone: option(Timezone, {
    default: { derive: machineTimezone, shown: "the machine's" },
    description: 'Time zone in which days of texts and questions are counted.',
    engine: true,
    fromProject: 'refused',
  }),
  keep_source: option(z.boolean(), {
    default: true,
    description: 'Keep the message that a memory came from, not only the memory.',
    engine: true,
    fromProject: { narrows: [true, false] },
  }),
  synchronous: option(z.enum(['normal', 'full']), {
    default: 'normal',
    description:
      'Durability of SQLite writes: full also survives power loss, at a tenth of the speed.',
    engine: true,
    fromProject: 'refused',
  }),
  lease_ms: option(z.int().min(1000).max(3_600_000), {
    default: 30_000,
    description:
      'Time for which a process holds a queued job before another process may take it over.',
    engine: true,
    fromProject: 'refused',
  }),
  worker_concurrency: option(z.int().min(1).max(1000), {
    default: 4,
    description: 'Number of queued adds, and of webhook deliveries, that run at once.',
    engine: true,
    fromProject: 'refused',
  }),
  ...retentionOptions,
  webhook_timeout_ms: option(z.int().min(100).max(60_000), {
    default: 10_000,
    description: 'Longest time for a webhook to respond.',
    engine: true,
    fromProject: 'refused',
  }),
  webhook_allow_http: option(z.boolean(), {
    default: false,
    description: 'Allow webhooks to http addresses, not only https.',
    engine: true,
    fromProject: 'refused',
  }),
  webhook_allow_private: option(z.boolean(), {
    default: false,
    description: 'Allow webhooks to private, loopback and link-local addresses.',
    engine: true,
    fromProject: 'refused',
  }),
  log_level: option(z.enum(['error', 'warn', 'info']), {
    default: 'info',
    description: 'Least severe level that is logged on stderr.',
    fromProject: 'refused',
  }),
  ...serviceOptions,
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
export function flagName(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** `data_dir` to `MNEME_DATA_DIR`. */
export function variableName(name: string): string {
  return `MNEME_${name.toUpperCase()}`;
}

export const configFileName = 'mneme.config.json';

export function userConfigFile(): string {
  return join(userFolders().config, configFileName);
}

/** User ids without a name, as in some containers, have no entry to read it from. */
function osUserName(): string {
  try {
    return userInfo().username || 'default';
  } catch {
    return homedir().split(/[\\/]/).pop() || 'default';
  }
}
