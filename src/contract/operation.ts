import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** One method and path that reach an operation. Placeholders in the path are input field names. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}/`;
  /** Where the fields that the path does not name travel; DELETE may carry a body. */
  carries: 'query' | 'body';
  /** Input fields whose value this path decides. */
  fixed?: Readonly<Record<string, string>>;
  /** Defaults that differ on this path from the input's own. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The path is refused unless the input names at least one entity (user, agent, app or run). */
  requires_entity?: true;
};

const resources = [
  'memories',
  'entities',
  'events',
  'exports',
  'profiles',
  'organizations',
  'projects',
  'webhooks',
  'account',
] as const;

/** What a caller needs: the resource and whether it is only read. */
export type Scope = `${(typeof resources)[number]}:${'read' | 'write'}`;

/**
 * What a request is about, which decides how its caller is judged: a project (named, else the
 * caller's own), an organization named by `org_id`, a webhook named by `webhook_id`, or nothing but
 * the account that calls.
 */
export type Subject = 'project' | 'organization' | 'webhook' | 'account';

/** Groups of MCP tools a configuration can switch on; `core` is the daily six. */
export const toolsets = [
  'core',
  'memories',
  'exports',
  'entities',
  'events',
  'webhooks',
  'admin',
] as const;
export type Toolset = (typeof toolsets)[number];

/** How an operation appears as an MCP tool. `readOnlyHint` follows from the scope. */
export type Tool = {
  title: string;
  /**
   * The tool that this operation is one action of: operations that name the same one share it, and
   * its `action` parameter takes their actions. Absent where the operation is a tool of its own.
   */
  group?: { name: string; action: string };
  /** For agents: when to use it and what it answers, in a sentence or two. */
  description: string;
  toolsets: readonly Toolset[];
  destructive: boolean;
  idempotent: boolean;
  /** Input fields shown to agents, in this order; the others stay reachable by REST and CLI. */
  fields: readonly string[];
  /** Earlier or foreign names that are still understood when called, never listed. */
  aliases?: readonly string[];
  /**
   * Present on deletes in bulk, which ask before they act: the filter (list operation's `filters`)
   * that matches what a call with this input would delete, null where no list can tell.
   */
  confirm?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | null;
  /** The answer can be long, so agents may ask for `response_format: detailed`. */
  formats?: true;
};

/** One operation of the API, as data: no code of an engine or a face in it. */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> = {
  summary: string;
  description: string;
  scope: Scope;
  /** `project` where absent. */
  subject?: Subject;
  /** The first is canonical: clients use it. The rest are published alternates. */
  routes: readonly Route[];
  status: 200 | 201 | 204;
  input: I;
  /** Other names under which shipped clients send an input field. */
  aliases?: Readonly<Record<string, string>>;
  /** Rewrites what shipped clients send in another shape, before the input schema reads it. */
  normalize?: (raw: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  output: O;
  /** REST's published answer is what stands under this key of the output: mostly a bare array. */
  publishedKey?: keyof z.output<O> & string;
  errors: readonly ErrorCode[];
  /**
   * The published words for a refusal, where they differ from the common ones. What is wrong with
   * an input stands behind those of `invalid`.
   */
  errorMessages?: Partial<Record<'invalid' | 'forbidden' | 'not_found', string>>;
  /** Key under which the published error body carries its text. */
  errorBodyKey?: 'detail';
  tool: Tool | null;
};

/** Whether an operation changes nothing: its scope says so. */
export function isReadOnly({ scope }: Pick<Operation, 'scope'>): boolean {
  return scope.endsWith(':read');
}

/** Checks a record against its own schemas' types and keeps them. */
export function operation<
  I extends z.ZodObject,
  O extends z.ZodObject,
  const S extends Subject = 'project',
>(record: Operation<I, O> & { subject?: S }): Operation<I, O> & { subject?: S } {
  return record;
}
