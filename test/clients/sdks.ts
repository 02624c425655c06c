import { vi } from 'vitest';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { ownerKey } from '../e2e/service.ts';
import { importClient, installClients } from './installed.ts';
import { refused } from './only-loopback.mjs';
import type { Server } from './server.ts';

/** Anything with fields, as a client hands it to its user. */
export type Item = Record<string, unknown>;

/** The methods that every version of the SDK has; what they take differs in spelling. */
export type Client = {
  add(messages: unknown, options?: object): Promise<unknown>;
  get(id: string): Promise<Item>;
  getAll(options?: object): Promise<unknown>;
  search(query: string, options?: object): Promise<unknown>;
  update(id: string, change: unknown): Promise<Item>;
  delete(id: string, options?: object): Promise<Item>;
  deleteAll(options?: object): Promise<Item>;
  history(id: string): Promise<Item[]>;
  users(options?: object): Promise<{ count: number; results: Item[] }>;
  deleteUser(entity: unknown): Promise<Item>;
  deleteUsers(scope?: object): Promise<Item>;
  batchUpdate(memories: object[]): Promise<Item>;
  batchDelete(ids: string[]): Promise<Item>;
  getProject(options: object): Promise<Item>;
  updateProject(changes: object): Promise<Item>;
  getWebhooks(of?: object): Promise<Item[]>;
  createWebhook(webhook: object): Promise<Item>;
  updateWebhook(webhook: object): Promise<Item>;
  deleteWebhook(webhook: object): Promise<Item>;
};

/** Version 2 added these. */
export type Client2 = Client & {
  ping(): Promise<void>;
  feedback(rating: object): Promise<Item>;
  createMemoryExport(wanted: object): Promise<Item>;
  getMemoryExport(wanted: object): Promise<Item>;
};

/** Version 3 added these. */
export type Client3 = Client2 & {
  getProfile(of: object): Promise<Item>;
  generateProfile(of: object): Promise<Item>;
  sampleProfiles(options?: object): Promise<Item>;
  getProfileJob(job: string): Promise<{ job: Item }>;
  getProfileSettings(): Promise<Item>;
  updateProfileSettings(settings: object): Promise<Item>;
};

type Ids = { user_id?: string; agent_id?: string; app_id?: string; run_id?: string };

/** A version of the SDK, and how its users write what all versions can do. */
export type Sdk = {
  title: string;
  package: string;
  /** Public methods, all of which are driven here: an update of the package shows new ones. */
  methods: readonly string[];
  /** How the server has to be configured for it. */
  settings: Record<string, string>;
  /** A field of the API as this version spells it, in options and in answers. */
  spell(name: string): string;
  list(client: Client, of: Ids, page?: { page: number; size: number }): Promise<unknown>;
  search(client: Client, query: string, of: Ids, top: number): Promise<unknown>;
  change(text: string, metadata?: object): unknown;
  deleteUser(client: Client, user: string): Promise<Item>;
};

const snake = (name: string) => name;
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

const methods1 = [
  'add',
  'get',
  'getAll',
  'search',
  'update',
  'delete',
  'deleteAll',
  'history',
  'users',
  'deleteUser',
  'deleteUsers',
  'batchUpdate',
  'batchDelete',
  'getProject',
  'updateProject',
  'getWebhooks',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
];
const methods2 = [...methods1, 'ping', 'feedback', 'createMemoryExport', 'getMemoryExport'];
const methods3 = [
  ...methods2,
  'getProfile',
  'generateProfile',
  'sampleProfiles',
  'getProfileJob',
  'getProfileSettings',
  'updateProfileSettings',
];

/** How versions 1 and 2 are used. */
const early: StrictOmit<Sdk, 'title' | 'package' | 'methods' | 'deleteUser'> = {
  settings: {},
  spell: snake,
  list: (client, of, at) =>
    client.getAll({ ...of, ...(at && { page: at.page, page_size: at.size }) }),
  search: (client, query, of, top_k) => client.search(query, { ...of, top_k }),
  change: (text, metadata) => ({ text, ...(metadata && { metadata }) }),
};

export const sdk1: Sdk = {
  ...early,
  title: 'mem0ai 1.0.39',
  package: 'mem0ai-1',
  methods: methods1,
  // It says in no header that it is an official client, and parses every answer as JSON.
  settings: { dialect: 'sdk' },
  deleteUser: (client, user) => client.deleteUser(user),
};

export const sdk2: Sdk = {
  ...early,
  title: 'mem0ai 2.4.6',
  package: 'mem0ai-2',
  methods: methods2,
  deleteUser: (client, user) => client.deleteUser({ entity_id: user, entity_type: 'user' }),
};

export const sdk3: Sdk = {
  title: 'mem0ai 3.3.1',
  package: 'mem0ai-3',
  methods: methods3,
  settings: {},
  spell: camel,
  list: (client, filters, at) =>
    client.getAll({ filters, ...(at && { page: at.page, pageSize: at.size }) }),
  search: (client, query, filters, topK) => client.search(query, { filters, topK }),
  change: (text, metadata) => ({ text, ...(metadata && { metadata }) }),
  deleteUser: (client, user) => client.deleteUser({ entity_id: user, entity_type: 'user' }),
};

export const sdks = [sdk3, sdk2, sdk1];

type Module<C> = { MemoryClient: new (options: object) => C };

/** Opens the client as its user would: with the address, the key, and where it must be told ids. */
export async function openClient<C extends Client>(
  sdk: Sdk,
  server: Server,
  options: object = {},
): Promise<C> {
  await installClients();
  // Read when the module is loaded; the guard of connections is what the tests rely on.
  vi.stubEnv('MEM0_TELEMETRY', 'false');
  const path = `${sdk.package}/dist/index.mjs`;
  const { MemoryClient } = await importClient<Module<C>>(path);
  const ping = await server.send('GET', '/v1/ping/');
  const { org_id, project_id } = ping.body as Record<string, string>; // its ids are texts
  const named = sdk === sdk1 ? { organizationId: org_id, projectId: project_id } : {};
  return new MemoryClient({ apiKey: ownerKey, host: server.url, ...named, ...options });
}

/** Where else than to this machine the clients of this file wanted to connect. */
export function contacts(): readonly string[] {
  return refused;
}

/** Version 1 looks for a browser and complains of its lack; every version warns without telemetry. */
export function quiet(): void {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
}

/** The items of an answer, which some methods wrap and others do not. */
export function itemsOf(answer: unknown): Item[] {
  const list = Array.isArray(answer) ? answer : (answer as Item | undefined)?.results;
  if (Array.isArray(list)) return list;
  throw new Error(`no list of items: ${JSON.stringify(answer)}`);
}

/** The id of the first item of an answer. */
export function firstId(answer: unknown): string {
  const [first] = itemsOf(answer);
  if (typeof first?.id === 'string') return first.id;
  throw new Error(`no id: ${JSON.stringify(answer)}`);
}
