import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { toolsets } from '../contract/operation.ts';
import { EntityId } from '../contract/schemas/entity.ts';
import { Id } from '../contract/schemas/text.ts';
import { BootstrapKey } from './bootstrap-key.ts';
import { databaseOptions } from './database-options.ts';
import { llmOptions } from './llm-options.ts';
import { modelOptions, ServiceUrl } from './model-options.ts';
import { oauthOptions } from './oauth-options.ts';
import { type Option, option } from './option.ts';
import { retentionOptions } from './retention-options.ts';
import { machineTimezone, Timezone } from './timezone.ts';
import { userFolders } from './user-folders.ts';

const ToolNameList = z.array(z.string().min(1)).min(1);
const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^\s/]+)$/, 'must be origins such as https://example.com, or *');

const HostName = z
  .string()
  .regex(/^([\w.-]+|\[[\da-f:]+\])$/i, 'must be host names such as mneme.example.com, no ports');

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
  }),
  base_url: option(ServiceUrl, {
    default: null,
    description: 'Address of a remote instance for all tools, instead of a local store.',
    installerTitle: 'Remote address',
  }),
  api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    description: 'API key for base_url.',
    secret: true,
    installerTitle: 'API key of the remote',
  }),
  api_key_command: option(KeyCommand, {
    default: null,
    description: 'Command that prints the API key, used when api_key is unset.',
  }),
  remote_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    description: 'How long a call to the remote may take, retries included.',
  }),
  org_id: option(Id, {
    default: null,
    description: 'Organization of all requests; a local store creates it if missing.',
    project: true,
    engine: true,
  }),
  project_id: option(Id, {
    default: null,
    description: 'Project of all requests; a local store creates it if missing.',
    project: true,
    installerTitle: 'Project',
    engine: true,
  }),
  user_id: option(EntityId, {
    default: { derive: osUserName, shown: "the operating system's user name" },
    description: 'User that memories belong to when a call names none.',
    project: true,
    installerTitle: 'User',
    engine: true,
  }),
  agent_id: option(EntityId, {
    default: null,
    description: 'Agent that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  app_id: option(EntityId, {
    default: null,
    description: 'App that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  run_id: option(EntityId, {
    default: null,
    description: 'Session that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  lock_scope: option(z.boolean(), {
    default: false,
    description: 'Hide the configured ids from tools and refuse any other ids.',
    project: true,
  }),
  toolsets: option(z.array(z.enum(toolsets)).min(1), {
    default: null,
    description: 'Groups of tools to offer; all tools when neither this nor tools is set.',
    project: true,
  }),
  tools: option(ToolNameList, {
    default: null,
    description: 'Tools to offer by name, in addition to those of the toolsets.',
    tools: true,
    project: true,
  }),
  exclude_tools: option(ToolNameList, {
    default: [],
    description: 'Tools to leave out.',
    tools: true,
    project: true,
  }),
  read_only: option(z.boolean(), {
    default: false,
    description: 'Offer only tools that change nothing.',
    installerTitle: 'Read only',
  }),
  confirm_destructive: option(z.boolean(), {
    default: true,
    description: 'Ask before a tool deletes in bulk.',
    installerTitle: 'Ask before bulk deletes',
  }),
  add_wait_ms: option(z.int().min(0).max(600_000), {
    default: 5000,
    description: 'How long add_memory waits for extraction before it returns PENDING.',
  }),
  result_max_tokens: option(z.int().min(500).max(1_000_000), {
    default: 8000,
    description: 'Longest tool result, in tokens; a longer one is cut and says how to continue.',
  }),
  capture: option(z.enum(['told', 'all', 'off']), {
    default: 'told',
    description:
      'What hooks store from a conversation: what the user said to remember, all, or nothing.',
  }),
  ...databaseOptions,
  ...modelOptions,
  ...llmOptions,
  secrets: option(z.enum(['redact', 'refuse', 'keep']), {
    default: 'redact',
    description: 'Keys, passwords and card numbers in texts to store: redact, refuse or keep them.',
    engine: true,
  }),
  timezone: option(Timezone, {
    default: { derive: machineTimezone, shown: "the machine's" },
    description: 'Zone in which "tomorrow" and "at 3 pm" in texts are read.',
    engine: true,
  }),
  keep_source: option(z.boolean(), {
    default: true,
    description: 'Keep the message that a memory came from; otherwise only the memory itself.',
    engine: true,
  }),
  synchronous: option(z.enum(['normal', 'full']), {
    default: 'normal',
    description:
      'Durability of SQLite writes: full also survives power loss, at a tenth of the speed.',
    engine: true,
  }),
  busy_timeout_ms: option(z.int().min(0).max(600_000), {
    default: 10_000,
    description: 'How long a write waits while another process is writing.',
    engine: true,
  }),
  lease_ms: option(z.int().min(1000).max(3_600_000), {
    default: 30_000,
    description: 'How long a process holds a queued job before another process may take it over.',
    engine: true,
  }),
  worker_concurrency: option(z.int().min(1).max(1000), {
    default: 4,
    description: 'How many queued adds, and how many webhook deliveries, run at once.',
    engine: true,
  }),
  ...retentionOptions,
  webhook_timeout_ms: option(z.int().min(100).max(60_000), {
    default: 10_000,
    description: 'How long a webhook may take to respond.',
    engine: true,
  }),
  webhook_allow_http: option(z.boolean(), {
    default: false,
    description: 'Allow webhooks to http addresses, not only https.',
    engine: true,
  }),
  webhook_allow_private: option(z.boolean(), {
    default: false,
    description: 'Allow webhooks to private, loopback and link-local addresses.',
    engine: true,
  }),
  log_level: option(z.enum(['error', 'warn', 'info']), {
    default: 'info',
    description: 'Least severe level that is logged on stderr.',
  }),
  host: option(z.string().min(1).max(255), {
    default: '127.0.0.1',
    description: 'Address that mneme serve listens on; 0.0.0.0 means all interfaces.',
  }),
  port: option(z.int().min(0).max(65_535), {
    default: 8787,
    description: 'Port that mneme serve listens on; 0 picks a free one.',
  }),
  shutdown_delay_ms: option(z.int().min(0).max(600_000), {
    default: 0,
    description:
      'How long mneme serve keeps serving after SIGTERM, not ready, so that proxies drain it.',
  }),
  mcp: option(z.boolean(), {
    default: true,
    description: 'Serve MCP at /mcp, next to the REST service.',
  }),
  allowed_hosts: option(z.array(HostName).min(1), {
    default: null,
    description:
      'Host names allowed for /mcp; by default those of this machine if it listens locally.',
  }),
  tool_timeout_ms: option(z.int().min(100).max(3_600_000), {
    default: 60_000,
    description: 'How long a tool may take before it is stopped; add_memory gets add_wait_ms more.',
  }),
  ...oauthOptions,
  bootstrap_key: option(BootstrapKey, {
    default: null,
    description: 'API key that mneme serve makes valid when it starts, 32 characters or more.',
    secret: true,
  }),
  dialect: option(z.enum(['auto', 'published', 'sdk']), {
    default: 'auto',
    description: 'Shape of REST responses; auto recognizes official clients by their headers.',
  }),
  rate_limit: option(z.int().min(0).max(1_000_000_000), {
    default: 0,
    description: 'Requests per minute for each API key; 0 means no limit.',
  }),
  body_max_bytes: option(z.int().min(1024).max(1_000_000_000), {
    default: 4 * 1024 * 1024,
    description: 'Largest request body.',
  }),
  cors_origins: option(z.array(Origin), {
    default: [],
    description: 'Origins whose web pages may call the service; * allows any.',
  }),
  trust_proxy: option(z.boolean(), {
    default: false,
    description: 'Trust X-Forwarded headers; use only behind a proxy that sets them.',
  }),
  metrics_public: option(z.boolean(), {
    default: false,
    description: 'Serve /metrics to other machines too.',
  }),
  request_log: option(z.boolean(), {
    default: true,
    description: 'Log a line for each request.',
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
