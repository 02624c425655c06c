import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Role } from './schemas/member.ts';

/** One method and path that reach an operation. Placeholders in the path are input field names. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: `/${string}/`;
  /** Where fields that are not in the path travel; DELETE may carry a body. */
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
  'audit',
  'store',
] as const;

/** The permission that a caller needs: a resource, and whether it is only read. */
export type Scope = `${(typeof resources)[number]}:${'read' | 'write'}`;

/**
 * The thing that a caller needs access to: a project (named, otherwise the caller's own), the
 * organization of `org_id`, the webhook of `webhook_id`, only the calling account, or the whole
 * store, which is its owner's.
 */
export type Subject = 'project' | 'organization' | 'webhook' | 'account' | 'store';

/** Groups of MCP tools that a configuration can enable; `core` holds the seven everyday tools. */
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
   * The tool that offers this operation as one of its actions. Operations with the same group share
   * a tool, whose `action` parameter picks one of them. Absent if the operation has its own tool.
   */
  group?: { name: string; action: string };
  /** For agents: when to use it and what it returns, in a sentence or two. */
  description: string;
  toolsets: readonly Toolset[];
  destructive: boolean;
  idempotent: boolean;
  /** Input fields shown to agents, in this order; the others stay reachable by REST and CLI. */
  fields: readonly string[];
  /** Earlier or foreign names that still work in calls but are not listed. */
  aliases?: readonly string[];
  /** Rewrites arguments that the same tool of the hosted service takes, before they are read. */
  normalize?: (args: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  /**
   * Present on bulk deletes, which ask for confirmation. Returns a filter (as in `get_memories`)
   * for everything that a call with this input would delete, or null if no filter can express it.
   */
  confirm?: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | null;
  /** Nothing brings back what it takes: its question says so, and each call names what. */
  forGood?: true;
  /**
   * Present on what sends data out, or decides who may read or what is recalled: a person approves
   * it. Returns what a call with this input would do, as the beginning of a question, or null if
   * nobody needs to be asked.
   */
  approval?: (input: Readonly<Record<string, unknown>>) => string | null;
  /** The `text` of the output is all that agents read; the rest is data for programs. */
  text?: true;
  /** The result can be long, so agents may choose a `response_format`. */
  formats?: true;
};

/** One operation of the API, as data, without code of an engine or a face. */
export type Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> = {
  summary: string;
  description: string;
  scope: Scope;
  /** The role that a caller needs; if absent, any role reads, and all but READER write. */
  role?: Role;
  /** `project` if absent. */
  subject?: Subject;
  /** The first route is canonical, and the client uses it. The others are published alternates. */
  routes: readonly Route[];
  status: 200 | 201 | 204;
  input: I;
  /** Other names under which shipped clients send an input field. */
  aliases?: Readonly<Record<string, string>>;
  /** Rewrites input that shipped clients send in another shape, before the schema parses it. */
  normalize?: (raw: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  output: O;
  /** The published REST response is the value of this key of the output, usually a bare array. */
  publishedKey?: keyof z.output<O> & string;
  errors: readonly ErrorCode[];
  /**
   * Published error messages that differ from the usual ones. The problems of an input follow that
   * of `invalid`.
   */
  errorMessages?: Partial<Record<'invalid' | 'forbidden' | 'not_found', string>>;
  /** The key of the published error body that holds the message. */
  errorBodyKey?: 'detail';
  /**
   * The route also streams server-sent events to who accepts them: the output is asked for again,
   * after its `cursor`, and each of its `results` has the cursor that is the id of its event.
   */
  streams?: true;
  tool: Tool | null;
};

/** True when an operation changes nothing, according to its scope. */
export function isReadOnly({ scope }: Pick<Operation, 'scope'>): boolean {
  return scope.endsWith(':read');
}

/** Type-checks a record against its own schemas and keeps their types. */
export function operation<
  I extends z.ZodObject,
  O extends z.ZodObject,
  const S extends Subject = 'project',
>(record: Operation<I, O> & { subject?: S }): Operation<I, O> & { subject?: S } {
  return record;
}
