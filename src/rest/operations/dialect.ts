import { ApiError } from '../../contract/errors.ts';
import { outputMediaType } from '../../contract/http-binding.ts';
import type { Operation, Route } from '../../contract/operation.ts';
import type { Member } from '../../contract/schemas/member.ts';
import type { ScoredMemory } from '../../contract/schemas/memory.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { OperationName, Output } from '../../contract.ts';
import { HttpError } from '../http/errors.ts';
import type { RestConfig } from '../http/options.ts';

/**
 * The shape of a response: one of two published shapes, or the raw output for clients that request
 * it. The operation itself is the same for all.
 */
export type ResponseDialect = 'published' | 'sdk' | 'output';

/** Headers that identify official clients; the specification has none of them. */
const sdkHeaders = ['Mem0-User-ID', 'X-Mem0-Client', 'X-Mem0-Source', 'X-Mem0-Client-Language'];

/** The parts of a request that the shape of its response depends on. */
export type DialectContext = {
  dialect: ResponseDialect;
  route: Route;
  /** The input as it was sent: absent fields have their defaults. */
  input: Readonly<Record<string, unknown>>;
  /** The absolute URL of the request. */
  url: () => string;
};

/** Carries the warning of a search whose body holds only the results. */
export const warningHeader = 'X-Mneme-Warning';

export type DialectResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/**
 * Official clients parse every response as JSON, so they get a body where the specification has
 * none.
 */
export function selectDialect(
  configured: RestConfig['dialect'],
  { headers, route, input }: { headers: Headers } & Pick<DialectContext, 'route' | 'input'>,
): ResponseDialect {
  if (headers.get('Accept')?.includes(outputMediaType)) return 'output';
  if (configured !== 'auto') return configured;
  const isSdk =
    isV3(route) ||
    input.source !== undefined ||
    sdkHeaders.some((name) => headers.get(name) !== null);
  return isSdk ? 'sdk' : 'published';
}

/** The output of an operation in the shape of a dialect. */
export function formatOutput<N extends OperationName>(
  { name, record }: { name: N; record: Operation },
  output: Output<N>,
  context: DialectContext,
): DialectResponse {
  if (context.dialect === 'output') return rawOutput(record, output);
  const formatter: OutputFormatter<N> | undefined = outputFormatters[name];
  if (formatter !== undefined) return { status: record.status, ...formatter(output, context) };
  if (record.status === 204) {
    return context.dialect === 'sdk' ? { status: 200, body: output } : { status: 204 };
  }
  const { publishedKey } = record;
  // The types of the contract ensure that `publishedKey` is a key of the output.
  const body = publishedKey === undefined ? output : output[publishedKey as keyof Output<N>];
  return { status: record.status, body };
}

/** A status without a body would hide the output. */
function rawOutput({ status }: Operation, body: unknown): DialectResponse {
  const headers = { 'Content-Type': outputMediaType };
  return { status: status === 204 ? 200 : status, body, headers };
}

type OutputFormatter<N extends OperationName> = (
  output: Output<N>,
  context: DialectContext,
) => Partial<DialectResponse>;

/** Operations whose response is not simply their output or its published key. */
const outputFormatters: { [N in OperationName]?: OutputFormatter<N> } = {
  add_memory: (output, context) => ({ body: addedMemories(output, context) }),

  search_memories: (output, { route, input, dialect }) => {
    // Named fields decide whether the breakdown is included.
    const isWhole = dialect === 'sdk' || input.fields !== undefined;
    const results = isWhole ? output.results : output.results.map(omitScoreBreakdown);
    const { warning, relations, explanation } = output;
    const field = {
      results,
      ...(warning !== undefined && { warning }),
      ...(explanation !== undefined && { explanation }),
    };
    if (isV3(route)) return { body: { ...field, ...(relations !== undefined && { relations }) } };
    const { output_format } = input;
    // A bare array has no room for an explanation.
    if (output_format === 'v1.1' || explanation !== undefined)
      return { body: { ...field, relations: relations ?? [] } };
    return { body: results, ...(warning !== undefined && { headers: warningHeaders(warning) }) };
  },

  get_memories: (output, context) => {
    const { route, input, dialect } = context;
    if (isV3(route)) return { body: existingPageBody(output, context) };
    if (route.method === 'POST') {
      const { total, relations } = output;
      const extra = relations === undefined ? {} : { relations };
      return { body: { ...pageBody(output, context), total, ...extra } };
    }
    const isOfEntity = dialect === 'sdk' && route.path.includes('{');
    const isPaged = input.page !== undefined && (isOfEntity || input.page_size !== undefined);
    return isPaged ? { body: pageBody(output, context) } : arrayWithLinks(output, context);
  },

  list_entities: (output, context) => {
    const { route, input, dialect } = context;
    const { total_users, total_agents, total_apps, total_runs } = output;
    const isPaged = input.page !== undefined || input.page_size !== undefined;
    if (route.path.includes('{') || (dialect === 'published' && !isPaged)) {
      return arrayWithLinks(output, context);
    }
    const totals = { total_users, total_agents, total_apps, total_runs };
    return { body: { ...pageBody(output, context), ...totals } };
  },

  list_history: (output, context) => ({ body: existingPageBody(output, context) }),
  list_events: (output, context) => ({ body: pageBody(output, context) }),
  list_webhook_deliveries: (output, context) => ({ body: pageBody(output, context) }),

  get_export: ({ status, message, data }) => {
    if (status === 'SUCCEEDED') return { body: data };
    if (status === 'FAILED') throw new ApiError('conflict', message);
    return { status: 202, body: { message, status: 'PENDING' } };
  },

  list_organizations: ({ results }, context) => ({
    body: results.map((organization) => formatOrganization(organization, context)),
  }),
  get_organization: (output, context) => ({ body: formatOrganization(output, context) }),
  list_projects: ({ results }, context) => ({
    body: results.map((project) => ({
      ...project,
      members: formatMembers(project.members, context),
    })),
  }),
  get_project: ({ members, ...project }, context) => ({
    body:
      members === undefined ? project : { ...project, members: formatMembers(members, context) },
  }),

  list_organization_members: ({ members }, { dialect }) => ({
    body: {
      members: members.map(({ user_id, username, email, role, status }) =>
        dialect === 'sdk' ? { user_id, username, email, role, status } : { user_id, role },
      ),
    },
  }),
  list_project_members: ({ members }, { dialect }) => ({
    body: {
      members: members.map(({ username, email, role, status }) =>
        dialect === 'sdk' ? { username, email, role, status } : { username, role },
      ),
    },
  }),
};

export function isV3({ path }: Pick<Route, 'path'>): boolean {
  return path.startsWith('/v3/');
}

/** The published shape: the changes, or a single item while the add is pending. */
function addedMemories(output: Output<'add_memory'>, { route, input }: DialectContext): unknown {
  const { results, relations = [], ...event } = output;
  if (isV3(route)) return event.status === 'PENDING' ? event : output;
  const items = event.status === 'SUCCEEDED' ? results : [event];
  return input.output_format === 'v1.1' ? { results: items, relations } : items;
}

function omitScoreBreakdown({ score_breakdown: _, ...memory }: ScoredMemory): ScoredMemory {
  return memory;
}

type ListPage = { results: unknown[]; total: number; page: number; page_size: number };

function pageBody({ results, total, ...at }: ListPage, { url }: DialectContext) {
  return { count: total, ...pageLinks({ total, ...at }, url()), results };
}

/** The first page exists even when it is empty. */
function existingPageBody(output: ListPage, context: DialectContext) {
  if (output.page > 1 && output.results.length === 0) throw new HttpError(404, 'Invalid page.');
  return pageBody(output, context);
}

/** A bare array has no room for a warning, and headers hold only ASCII. */
function warningHeaders(warning: string): Record<string, string> {
  return { [warningHeader]: warning.replace(/[^\x20-\x7e]/g, '?') };
}

/** A bare array has its page links in the headers. */
function arrayWithLinks(
  { results, ...page }: ListPage,
  { url }: DialectContext,
): Partial<DialectResponse> {
  const { next, previous } = pageLinks(page, url());
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`];
  const Link = links.filter((link) => link !== null).join(', ');
  return { body: results, ...(Link !== '' && { headers: { Link } }) };
}

function pageLinks({ total, page, page_size }: StrictOmit<ListPage, 'results'>, url: string) {
  const at = (number: number) => {
    const there = new URL(url);
    there.searchParams.set('page', String(number));
    there.searchParams.set('page_size', String(page_size));
    return there.href;
  };
  const next = page * page_size < total ? at(page + 1) : null;
  return { next, previous: page > 1 ? at(page - 1) : null };
}

function formatOrganization(organization: Output<'get_organization'>, { dialect }: DialectContext) {
  const members = organization.members.map(({ id, username, role, email }) =>
    dialect === 'sdk' ? { username, role, email } : id,
  );
  return { ...organization, members };
}

function formatMembers(members: readonly Member[], { dialect }: DialectContext) {
  return members.map(({ username, role, email }) =>
    dialect === 'sdk' ? { username, role, email } : { username, role },
  );
}
