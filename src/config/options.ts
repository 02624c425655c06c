import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { toolsets } from '../contract/operation.ts';
import { Id } from '../contract/schemas/text.ts';
import { databaseOptions } from './database-options.ts';
import { userFolders } from './folders.ts';
import { languageOptions } from './language-options.ts';
import { Endpoint, modelOptions } from './model-options.ts';
import { oauthOptions } from './oauth-options.ts';
import { type Option, option } from './option.ts';

/** One entity; `*` means any of them, which no configuration can mean. */
const EntityId = Id.refine((id) => id !== '*', '"*" means any; name one id');

const Names = z.array(z.string().min(1)).min(1);
const Origin = z
  .string()
  .regex(/^(\*|https?:\/\/[^\s/]+)$/, 'must be origins such as https://example.com, or *');

const HostName = z
  .string()
  .regex(/^([\w.-]+|\[[\da-f:]+\])$/i, 'must be host names such as mneme.example.com, no ports');

/** A command line for the shell, or a program and its arguments, which need none. */
const Command = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

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
    engine: true,
  }),
  base_url: option(Endpoint, {
    default: null,
    about: 'Address of a remote instance that all tools work on, in place of a local store.',
    asked: 'Remote address',
  }),
  api_key: option(z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must hold no white space'), {
    default: null,
    about: 'API key for base_url.',
    secret: true,
    asked: 'API key of the remote',
  }),
  api_key_command: option(Command, {
    default: null,
    about: 'Command that prints the API key, where api_key is unset.',
  }),
  remote_timeout_ms: option(z.int().min(100).max(600_000), {
    default: 30_000,
    about: 'How long a call of the remote may take, with everything that is tried again.',
  }),
  org_id: option(Id, {
    default: null,
    about: 'Organization of all requests; a local store makes it when it is missing.',
    project: true,
    engine: true,
  }),
  project_id: option(Id, {
    default: null,
    about: 'Project of all requests; a local store makes it when it is missing.',
    project: true,
    asked: 'Project',
    engine: true,
  }),
  user_id: option(EntityId, {
    default: { derive: osUser, shown: "the operating system's user name" },
    about: 'User that memories belong to when a call names none.',
    project: true,
    asked: 'User',
    engine: true,
  }),
  agent_id: option(EntityId, {
    default: null,
    about: 'Agent that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  app_id: option(EntityId, {
    default: null,
    about: 'App that memories belong to when a call names none.',
    project: true,
    engine: true,
  }),
  run_id: option(EntityId, {
    default: null,
    about: 'Session that memories belong to when a call names none.',
    project: true,
    engine: true,
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
  ...databaseOptions,
  ...modelOptions,
  ...languageOptions,
  secrets: option(z.enum(['redact', 'refuse', 'keep']), {
    default: 'redact',
    about: 'Keys, passwords and card numbers in what is to be stored: taken out, refused, or kept.',
    engine: true,
  }),
  keep_source: option(z.boolean(), {
    default: true,
    about: 'Keep the message that a memory came from; else nothing of it but the memory.',
    engine: true,
  }),
  synchronous: option(z.enum(['normal', 'full']), {
    default: 'normal',
    about: 'full survives a power cut too, at a tenth of the writing speed.',
    engine: true,
  }),
  busy_timeout_ms: option(z.int().min(0).max(600_000), {
    default: 10_000,
    about: 'How long a write waits for another process that writes.',
    engine: true,
  }),
  lease_ms: option(z.int().min(1000).max(3_600_000), {
    default: 30_000,
    about: 'How long queued work belongs to a process before another may take it over.',
    engine: true,
  }),
  worker_concurrency: option(z.int().min(1).max(1000), {
    default: 4,
    about: 'How many queued adds, and how many webhook deliveries, are worked on at once.',
    engine: true,
  }),
  retention_days: option(z.int().min(1).max(36_500), {
    default: 30,
    about: 'How long events and settled webhook deliveries are kept.',
    engine: true,
  }),
  export_retention_days: option(z.int().min(0).max(36_500), {
    default: 7,
    about: 'How long finished exports are kept; 0 keeps them.',
  }),
  expired_retention_days: option(z.int().min(0).max(36_500), {
    default: 30,
    about: 'When expired memories are deleted, in days after their last one; 0 keeps them hidden.',
  }),
  webhook_timeout_ms: option(z.int().min(100).max(60_000), {
    default: 10_000,
    about: 'How long a webhook may take to answer.',
    engine: true,
  }),
  webhook_allow_http: option(z.boolean(), {
    default: false,
    about: 'Let webhooks go to http addresses, not only https.',
    engine: true,
  }),
  webhook_allow_private: option(z.boolean(), {
    default: false,
    about: 'Let webhooks go to private, loopback and link-local addresses.',
    engine: true,
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
  shutdown_delay_ms: option(z.int().min(0).max(600_000), {
    default: 0,
    about: 'How long mneme serve goes on after SIGTERM, not ready, until proxies look elsewhere.',
  }),
  mcp: option(z.boolean(), {
    default: true,
    about: 'Serve MCP at /mcp, beside the REST service.',
  }),
  allowed_hosts: option(z.array(HostName).min(1), {
    default: null,
    about: 'Host names by which /mcp may be reached; those of this machine when it listens there.',
  }),
  tool_timeout_ms: option(z.int().min(100).max(3_600_000), {
    default: 60_000,
    about: 'How long a tool may take before it is stopped; add_memory may take add_wait_ms more.',
  }),
  ...oauthOptions,
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
    about: 'Requests a minute for each API key; 0 is no limit.',
  }),
  body_max_bytes: option(z.int().min(1024).max(1_000_000_000), {
    default: 4 * 1024 * 1024,
    about: 'Largest body of a request.',
  }),
  cors_origins: option(z.array(Origin), {
    default: [],
    about: 'Origins whose web pages may call; * is any.',
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
    about: 'Write a line for each request.',
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

export const configFileName = 'mneme.config.json';

export function userConfigFile(): string {
  return join(userFolders().config, configFileName);
}

/** User ids without a name, as in some containers, have no entry to ask. */
function osUser(): string {
  try {
    return userInfo().username || 'default';
  } catch {
    return homedir().split(/[\\/]/).pop() || 'default';
  }
}
