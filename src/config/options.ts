import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { toolsets } from '../contract/operation.ts';
import { Id } from '../contract/schemas/text.ts';
import { databaseOptions } from './database-options.ts';
import { llmOptions } from './llm-options.ts';
import { modelOptions, ServiceUrl } from './model-options.ts';
import { oauthOptions } from './oauth-options.ts';
import { type Option, option } from './option.ts';
import { userFolders } from './user-folders.ts';

/** One entity; `*` means any of them, which no configuration can mean. */
const ConfiguredEntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');

const ToolNameList = z.array(z.string().min(1)).min(1);
const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^\s/]+)$/, 'must be origins such as https://example.com, or *');

const HostName = z
  .string()
  .regex(/^([\w.-]+|\[[\da-f:]+\])$/i, 'must be host names such as mneme.example.com, no ports');

/** A command line for the shell, or a program and its arguments, which need none. */
const KeyCommand = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** Where data are kept by default, for documents. */
const shownDataFolders =
  '~/.local/share/mneme (Linux), ~/Library/Application Support/mneme (macOS), ' +
  '%LOCALAPPDATA%\\mneme\\Data (Windows)';

/** Every option there is. */
export const options = {
  data_dir: option(z.string().min(1), {
    default: { derive: () => userFolders().data, shown: shownDataFolders },
    description: 'Folder of the memory file; made when it is missing.',
    path: true,
    installerTitle: 'Data folder',
    engine: true,
  }),
  base_url: option(ServiceUrl, {
    default: null,
    description: 'Address of a remote instance that all tools work on, in place of a local store.',
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
    description: 'Command that prints the API key, where api_key is unset.',
  }),
  remote_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    description: 'How long a call of the remote may take, with everything that is tried again.',
  }),
  org_id: option(Id, {
    default: null,
    description: 'Organization of all requests; a local store makes it when it is missing.',
    project: true,
    engine: true,
  }),
  project_id: option(Id, {
    default: null,
    description: 'Project of all requests; a local store makes it when it is missing.',
    project: true,
    installerTitle: 'Project',
    engine: true,
  }),
  user_id: option(ConfiguredEntityId, {
    default: { derive: osUserName, shown: "the operating system's user name" },
    description: 'User that memories belong to when a call names none.',
    project: true,
    installerTitle: 'User',
    engine: true,
  }),
  agent_id: option(ConfiguredEntityId, {
    default: null,
    description: 'Agent that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  app_id: option(ConfiguredEntityId, {
    default: null,
    description: 'App that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  run_id: option(ConfiguredEntityId, {
    default: null,
    description: 'Session that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  lock_scope: option(z.boolean(), {
    default: false,
    description: 'Hide the configured ids from tools and refuse others.',
    project: true,
  }),
  toolsets: option(z.array(z.enum(toolsets)).min(1), {
    default: null,
    description: 'Groups of tools to offer; all tools when neither this nor tools is set.',
    project: true,
  }),
  tools: option(ToolNameList, {
    default: null,
    description: 'Tools to offer by name, besides those of the toolsets.',
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
    description: 'How long add_memory waits for the facts before it answers PENDING.',
  }),
  result_max_tokens: option(z.int().min(500).max(1_000_000), {
    default: 8000,
    description: 'Longest result of a tool, in tokens; a longer one is cut and says how to go on.',
  }),
  capture: option(z.enum(['told', 'all', 'off']), {
    default: 'told',
    description:
      'What hooks store of a conversation: what the user told for later, all turns, or nothing.',
  }),
  ...databaseOptions,
  ...modelOptions,
  ...llmOptions,
  secrets: option(z.enum(['redact', 'refuse', 'keep']), {
    default: 'redact',
    description:
      'Keys, passwords and card numbers in what is to be stored: taken out, refused, or kept.',
    engine: true,
  }),
  keep_source: option(z.boolean(), {
    default: true,
    description: 'Keep the message that a memory came from; else nothing of it but the memory.',
    engine: true,
  }),
  synchronous: option(z.enum(['normal', 'full']), {
    default: 'normal',
    description: 'full survives a power cut too, at a tenth of the writing speed.',
    engine: true,
  }),
  busy_timeout_ms: option(z.int().min(0).max(600_000), {
    default: 10_000,
    description: 'How long a write waits for another process that writes.',
    engine: true,
  }),
  lease_ms: option(z.int().min(1000).max(3_600_000), {
    default: 30_000,
    description: 'How long queued work belongs to a process before another may take it over.',
    engine: true,
  }),
  worker_concurrency: option(z.int().min(1).max(1000), {
    default: 4,
    description: 'How many queued adds, and how many webhook deliveries, are worked on at once.',
    engine: true,
  }),
  retention_days: option(z.int().min(1).max(36_500), {
    default: 30,
    description: 'How long events and settled webhook deliveries are kept.',
    engine: true,
  }),
  export_retention_days: option(z.int().min(0).max(36_500), {
    default: 7,
    description: 'How long finished exports are kept; 0 keeps them.',
  }),
  expired_retention_days: option(z.int().min(0).max(36_500), {
    default: 30,
    description:
      'When expired memories are deleted, in days after their last one; 0 keeps them hidden.',
  }),
  webhook_timeout_ms: option(z.int().min(100).max(60_000), {
    default: 10_000,
    description: 'How long a webhook may take to answer.',
    engine: true,
  }),
  webhook_allow_http: option(z.boolean(), {
    default: false,
    description: 'Let webhooks go to http addresses, not only https.',
    engine: true,
  }),
  webhook_allow_private: option(z.boolean(), {
    default: false,
    description: 'Let webhooks go to private, loopback and link-local addresses.',
    engine: true,
  }),
  log_level: option(z.enum(['error', 'warn', 'info']), {
    default: 'info',
    description: 'What is worth a line on stderr.',
  }),
  host: option(z.string().min(1).max(255), {
    default: '127.0.0.1',
    description: 'Address that mneme serve listens on; 0.0.0.0 is all of the machine.',
  }),
  port: option(z.int().min(0).max(65_535), {
    default: 8787,
    description: 'Port that mneme serve listens on; 0 picks a free one.',
  }),
  shutdown_delay_ms: option(z.int().min(0).max(600_000), {
    default: 0,
    description:
      'How long mneme serve goes on after SIGTERM, not ready, until proxies look elsewhere.',
  }),
  mcp: option(z.boolean(), {
    default: true,
    description: 'Serve MCP at /mcp, beside the REST service.',
  }),
  allowed_hosts: option(z.array(HostName).min(1), {
    default: null,
    description:
      'Host names by which /mcp may be reached; those of this machine when it listens there.',
  }),
  tool_timeout_ms: option(z.int().min(100).max(3_600_000), {
    default: 60_000,
    description:
      'How long a tool may take before it is stopped; add_memory may take add_wait_ms more.',
  }),
  ...oauthOptions,
  bootstrap_key: option(z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must hold no white space'), {
    default: null,
    description: 'An API key that mneme serve makes valid at its start, as for containers.',
    secret: true,
  }),
  dialect: option(z.enum(['auto', 'published', 'sdk']), {
    default: 'auto',
    description: 'Shape of REST answers; auto tells official clients by their headers.',
  }),
  rate_limit: option(z.int().min(0).max(1_000_000_000), {
    default: 0,
    description: 'Requests a minute for each API key; 0 is no limit.',
  }),
  body_max_bytes: option(z.int().min(1024).max(1_000_000_000), {
    default: 4 * 1024 * 1024,
    description: 'Largest body of a request.',
  }),
  cors_origins: option(z.array(Origin), {
    default: [],
    description: 'Origins whose web pages may call; * is any.',
  }),
  trust_proxy: option(z.boolean(), {
    default: false,
    description: 'Believe X-Forwarded headers; only behind a proxy that sets them.',
  }),
  metrics_public: option(z.boolean(), {
    default: false,
    description: 'Show /metrics to other machines too.',
  }),
  request_log: option(z.boolean(), {
    default: true,
    description: 'Write a line for each request.',
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

/** User ids without a name, as in some containers, have no entry to ask. */
function osUserName(): string {
  try {
    return userInfo().username || 'default';
  } catch {
    return homedir().split(/[\\/]/).pop() || 'default';
  }
}
