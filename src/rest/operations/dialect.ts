import { ApiError } from '../../contract/errors.ts';
import { outputMediaType } from '../../contract/http-binding.ts';
import type { Operation, Route } from '../../contract/operation.ts';
import type { Member } from '../../contract/schemas/member.ts';
import type { ScoredMemory } from '../../contract/schemas/memory.ts';
import type { OperationName, Output } from '../../contract.ts';
import { HttpError } from '../http/errors.ts';
import type { RestConfig } from '../http/options.ts';

/**
 * One API, two published shapes of its answers, and the output as it is for clients that ask for
 * it; what an operation does is the same in all.
 */
export type ResponseDialect = 'published' | 'sdk' | 'output';

/** Official clients are known by these; the specification knows none of them. */
const sdkHeaders = ['Mem0-User-ID', 'X-Mem0-Client', 'X-Mem0-Source', 'X-Mem0-Client-Language'];

/** A request, as far as the shape of its answer depends on it. */
export type DialectContext = {
  dialect: ResponseDialect;
  route: Route;
  /** As it was sent: a field that is absent here was left to its default. */
  input: Readonly<Record<string, unknown>>;
  /** The absolute address of the request. */
  url: () => string;
};

/** `body` is undefined where the status allows none. */
/** What a search says besides its results, where they are all that the body holds. */
export const warningHeader = 'X-Mneme-Warning';

export type DialectResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/** Official clients parse every answer as JSON: they get some where the specification has none. */
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

/** The answer of an operation as a dialect shows it. */
export function formatOutput<N extends OperationName>(
  { name, record }: { name: N; record: Operation },
  output: Output<N>,
  asked: DialectContext,
): DialectResponse {
  if (asked.dialect === 'output') return rawOutput(record, output);
  const own: OutputFormatter<N> | undefined = outputFormatters[name];
  if (own !== undefined) return { status: record.status, ...own(output, asked) };
  if (record.status === 204) {
    return asked.dialect === 'sdk' ? { status: 200, body: output } : { status: 204 };
  }
  const { publishedKey } = record;
  // The contract's types hold `publishes` to a key of the output.
  const body = publishedKey === undefined ? output : output[publishedKey as keyof Output<N>];
  return { status: record.status, body };
}

/** A status that allows no body would hide the output. */
function rawOutput({ status }: Operation, body: unknown): DialectResponse {
  const headers = { 'Content-Type': outputMediaType };
  return { status: status === 204 ? 200 : status, body, headers };
}

type OutputFormatter<N extends OperationName> = (
  output: Output<N>,
  asked: DialectContext,
) => Partial<DialectResponse>;

/** Operations whose answer is not simply their output, or what it publishes. */
const outputFormatters: { [N in OperationName]?: OutputFormatter<N> } = {
  add_memory: (output, asked) => ({ body: addedMemories(output, asked) }),

  search_memories: (output, { route, input, dialect }) => {
    // Where fields are named, they say whether it is asked for.
    const isWhole = dialect === 'sdk' || input.fields !== undefined;
    const results = isWhole ? output.results : output.results.map(omitScoreBreakdown);
    const { warning, relations } = output;
    const told = { results, ...(warning !== undefined && { warning }) };
    if (isV3(route)) return { body: { ...told, ...(relations !== undefined && { relations }) } };
    const { output_format } = input;
    if (output_format === 'v1.1') return { body: { ...told, relations: relations ?? [] } };
    return { body: results, ...(warning !== undefined && { headers: warningHeaders(warning) }) };
  },

  get_memories: (output, asked) => {
    const { route, input } = asked;
    if (isV3(route)) return { body: existingPageBody(output, asked) };
    if (route.method === 'POST') {
      const { total, relations } = output;
      const told = relations === undefined ? {} : { relations };
      return { body: { ...pageBody(output, asked), total, ...told } };
    }
    const isPaged = input.page !== undefined && input.page_size !== undefined;
    return isPaged ? { body: pageBody(output, asked) } : arrayWithLinks(output, asked);
  },

  list_entities: (output, asked) => {
    const { route, input, dialect } = asked;
    const { total_users, total_agents, total_apps, total_runs } = output;
    const isPaged = input.page !== undefined || input.page_size !== undefined;
    if (route.path.includes('{') || (dialect === 'published' && !isPaged)) {
      return arrayWithLinks(output, asked);
    }
    const totals = { total_users, total_agents, total_apps, total_runs };
    return { body: { ...pageBody(output, asked), ...totals } };
  },

  list_events: (output, asked) => ({ body: pageBody(output, asked) }),
  list_webhook_deliveries: (output, asked) => ({ body: pageBody(output, asked) }),

  get_export: ({ status, message, data }) => {
    if (status === 'SUCCEEDED') return { body: data };
    if (status === 'FAILED') throw new ApiError('conflict', message);
    return { status: 202, body: { message, status: 'PENDING' } };
  },

  list_organizations: ({ results }, asked) => ({
    body: results.map((organization) => formatOrganization(organization, asked)),
  }),
  get_organization: (output, asked) => ({ body: formatOrganization(output, asked) }),
  list_projects: ({ results }, asked) => ({
    body: results.map((project) => ({
      ...project,
      members: formatMembers(project.members, asked),
    })),
  }),
  get_project: ({ members, ...project }, asked) => ({
    body: members === undefined ? project : { ...project, members: formatMembers(members, asked) },
  }),

  list_organization_members: ({ members }, { dialect }) => ({
    body: {
      members: members.map(({ user_id, username, email, role }) =>
        dialect === 'sdk' ? { user_id, username, email, role } : { user_id, role },
      ),
    },
  }),
  list_project_members: ({ members }, asked) => ({
    body: { members: formatMembers(members, asked) },
  }),
};

export function isV3({ path }: Pick<Route, 'path'>): boolean {
  return path.startsWith('/v3/');
}

/** Published: the changes that were made. While it is pending there is one item that says so. */
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

/** The first page is there even when it is empty. */
function existingPageBody(output: ListPage, asked: DialectContext) {
  if (output.page > 1 && output.results.length === 0) throw new HttpError(404, 'Invalid page.');
  return pageBody(output, asked);
}

/** A bare array has no place for a warning either; headers hold no more than ASCII. */
function warningHeaders(warning: string): Record<string, string> {
  return { [warningHeader]: warning.replace(/[^\x20-\x7e]/g, '?') };
}

/** A bare array says in its headers where it goes on. */
function arrayWithLinks(
  { results, ...page }: ListPage,
  { url }: DialectContext,
): Partial<DialectResponse> {
  const { next, previous } = pageLinks(page, url());
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`];
  const Link = links.filter((link) => link !== null).join(', ');
  return { body: results, ...(Link !== '' && { headers: { Link } }) };
}

function pageLinks({ total, page, page_size }: Omit<ListPage, 'results'>, url: string) {
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
