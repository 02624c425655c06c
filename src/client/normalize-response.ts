import { isObject } from '../contract/is-object.ts';
import type { Operation } from '../contract/operation.ts';
import { type EntityType, entityTypes } from '../contract/schemas/entity.ts';
import type { OperationName } from '../contract.ts';

type ResponseInput = Readonly<Record<string, unknown>>;

/** The response; `body` is undefined if there was none. */
export type RemoteResponse = { status: number; body: unknown };

/** What was asked: the operation, and its input with defaults. */
export type OperationCall = { name: OperationName; record: Operation; input: ResponseInput };

/**
 * The output that an answer stands for, in any of the shapes in which servers publish it: bare
 * lists, envelopes with a count or a total, and nothing at all after a delete. Its fields are not
 * checked here.
 */
export function outputFromResponse(answer: RemoteResponse, asked: OperationCall): unknown {
  const read = responseReaders[asked.name] ?? readPublishedShape;
  return read(answer, asked);
}

type ResponseReader = (answer: RemoteResponse, asked: OperationCall) => unknown;

/** Operations whose answer is not simply their output, or what it publishes. */
const responseReaders: { [N in OperationName]?: ResponseReader } = {
  add_memory: ({ body }) => readAddResults(body),
  get_memories: readPage,
  list_history: readPage,
  list_entities: readEntities,
  list_events: (answer, asked) => {
    const { body } = answer;
    if (!isObject(body) || !Array.isArray(body.results)) return readPage(answer, asked);
    return readPage({ ...answer, body: { ...body, results: body.results.map(toEvent) } }, asked);
  },
  get_event: ({ body }) => toEvent(body),
  list_webhook_deliveries: readPage,

  get_memory: ({ body }) => withSessionId(body),
  /** Some servers answer a message only; what is known then is what was sent. */
  update_memory: ({ body }, { input }) => {
    if (isObject(body) && 'id' in body) return withSessionId({ text: body.memory, ...body });
    const { memory_id: id, text, metadata } = input;
    return { id, text, memory: text, metadata };
  },

  get_export: ({ status, body }, { input }) => {
    const id = input.memory_export_id;
    if (status !== 202)
      return { id, status: 'SUCCEEDED', message: 'The export is ready.', data: body };
    return { id, status: 'PENDING', message: 'The export is being prepared.', data: null };
  },

  list_organizations: (answer, asked) => ({ results: listOf(answer.body, asked).map(withMembers) }),
  get_organization: ({ body }) => withMembers(body),
};

/** The general rule: nothing stands for a message, and a list for the key that publishes it. */
function readPublishedShape({ body }: RemoteResponse, asked: OperationCall): unknown {
  const { publishedKey } = asked.record;
  if (body === undefined) return { message: 'Done' };
  return publishedKey === undefined ? body : { [publishedKey]: listOf(body, asked) };
}

/** A bare list, or one in an envelope; anything else is left for the check to refuse. */
function listOf(body: unknown, { record }: Pick<OperationCall, 'record'>): unknown[] {
  const list = isObject(body) ? (body[record.publishedKey ?? 'results'] ?? body.results) : body;
  // Another value is refused later, because it is not a list.
  return Array.isArray(list) ? list : (list as never);
}

/** Stored at once: a list of changes. Queued: one item, or an object, that says so. */
function readAddResults(body: unknown): unknown {
  const list = isObject(body) ? body.results : body;
  const items: unknown[] = Array.isArray(list) ? list : [];
  const event = isObject(body) && 'status' in body ? body : items.find(isQueuedItem);
  if (event === undefined && !Array.isArray(list)) return body;
  const results = items.filter((item) => !isQueuedItem(item)).map(toChange);
  const status = isObject(event) ? event.status : 'SUCCEEDED';
  const message = status === 'PENDING' ? 'Accepted' : 'Done';
  return { message, ...(isObject(event) && event), status, results };
}

function isQueuedItem(item: unknown): boolean {
  return isObject(item) && 'status' in item && !('event' in item);
}

/** The text of a change stands beside it, inside its data, or both. */
function toChange(item: unknown): unknown {
  if (!isObject(item)) return item;
  const { data, event } = item;
  const memory = item.memory ?? (isObject(data) ? data.memory : undefined);
  return { ...item, event: event === 'NONE' ? 'NOOP' : event, memory, data: { memory } };
}

function toEvent(event: unknown): unknown {
  if (!isObject(event) || !Array.isArray(event.results)) return event;
  return { ...event, results: event.results.map(toChange) };
}

/** `session_id` repeats `run_id`, where servers know it at all. */
function withSessionId(memory: unknown): unknown {
  if (!isObject(memory)) return memory;
  return { session_id: memory.run_id, ...memory };
}

/** Published members of an organization are numbers: of each, the id is known. */
function withMembers(organization: unknown): unknown {
  if (!isObject(organization) || !Array.isArray(organization.members)) return organization;
  const members = organization.members.map((member: unknown) =>
    isObject(member) ? member : { id: member },
  );
  return { ...organization, members };
}

/**
 * One page. A bare list that is longer than a page is all there is; one that fills its page may go
 * on, so its total stays open.
 */
function readPage({ body }: RemoteResponse, { input }: OperationCall): unknown {
  const { page, page_size } = pageParams(input);
  if (isObject(body)) return { ...body, total: body.total ?? body.count, page, page_size };
  if (!Array.isArray(body)) return body;
  if (body.length > page_size) return slicePage(body, { page, page_size });
  const total = body.length < page_size ? (page - 1) * page_size + body.length : undefined;
  return { results: body, total, page, page_size };
}

function pageParams({ page, page_size }: ResponseInput): { page: number; page_size: number } {
  return { page: Number(page), page_size: Number(page_size) };
}

function slicePage(
  items: readonly unknown[],
  { page, page_size }: { page: number; page_size: number },
) {
  const results = items.slice((page - 1) * page_size, page * page_size);
  return { results, total: items.length, page, page_size };
}

/** Published is a bare list of all entities, whatever kind and page were asked for. */
function readEntities(answer: RemoteResponse, asked: OperationCall): unknown {
  const { body } = answer;
  const { entity_type } = asked.input;
  const isMeant = (item: unknown) =>
    entity_type === undefined || (isObject(item) && item.type === entity_type);
  if (!Array.isArray(body)) {
    if (!isObject(body) || !Array.isArray(body.results)) return body;
    const page = { ...body, results: body.results.filter(isMeant).map(withEntityId) };
    return readPage({ ...answer, body: page }, asked);
  }
  const count = (type: EntityType) =>
    body.filter((item) => isObject(item) && item.type === type).length;
  const totals = entityTypes.map((type) => [`total_${type}s`, count(type)]);
  const entities = body.filter(isMeant).map(withEntityId);
  return { ...slicePage(entities, pageParams(asked.input)), ...Object.fromEntries(totals) };
}

/** Some servers number entities, and call by their name what memories and paths call them. */
function withEntityId(entity: unknown): unknown {
  if (!isObject(entity) || typeof entity.name !== 'string') return entity;
  const { id, name } = entity;
  return {
    ...entity,
    id: /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i.test(String(id)) ? name : id,
  };
}
