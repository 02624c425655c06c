import type { Operation, Route } from '../contract/operation.ts';
import { WriteResult } from '../contract/schemas/change.ts';
import { Entity } from '../contract/schemas/entity.ts';
import { Event } from '../contract/schemas/event.ts';
import { roles } from '../contract/schemas/member.ts';
import { PartialMemory, ScoredMemory } from '../contract/schemas/memory.ts';
import { Organization } from '../contract/schemas/organization.ts';
import { PartialProject, Project } from '../contract/schemas/project.ts';
import { Relation } from '../contract/schemas/relation.ts';
import { Delivery } from '../contract/schemas/webhook.ts';
import type { OperationName } from '../contract.ts';
import { isV3 } from './dialect.ts';
import { answerSchema, arrayOf, fullSchema, type JsonSchema, objectOf } from './openapi-schemas.ts';

/** Answers of an operation by status; null has no body. */
type AnswerSchemas = Readonly<Record<number, JsonSchema | null>>;

/** What the dialects make of an output on a route: `dialect.ts`, in words of schemas. */
export function answerSchemas(
  { name, record }: { name: OperationName; record: Operation },
  route: Route,
): AnswerSchemas {
  const { status, publishedKey: publishes, output } = record;
  const own = answers[name];
  if (own !== undefined) return { [status]: own(route), ...statuses[name] };
  if (status === 204) return { 204: null, 200: answerSchema(output) };
  const shown: unknown = publishes === undefined ? output : output.shape[publishes];
  return { [status]: answerSchema(shown as typeof output) }; // `publishes` is a key of the shape
}

const text = { type: 'string' };
const integer = { type: 'integer' };
const link = { type: ['string', 'null'], description: 'Absolute address of that page.' };

/** Answers that are not simply an output, or what it publishes. */
const answers: { [N in OperationName]?: (route: Route) => JsonSchema } = {
  add_memory: (route) => {
    const more = { results, relations: relations() };
    if (isV3(route)) return objectOf({ ...pending, ...more }, Object.keys(pending));
    const items = arrayOf({ oneOf: [answerSchema(WriteResult), objectOf(pending)] });
    return { oneOf: [items, withRelations(items)] };
  },
  search_memories: (route) => {
    const found = arrayOf(answerSchema(ScoredMemory));
    if (!isV3(route)) return { oneOf: [found, withRelations(found)] };
    return objectOf({ results: found, relations: relations() }, ['results']);
  },
  get_memories: (route) => {
    const page = pageOf(answerSchema(PartialMemory));
    if (isV3(route)) return objectOf(page);
    if (route.method === 'POST') {
      const told = { ...page, total: integer };
      return objectOf({ ...told, relations: relations() }, Object.keys(told));
    }
    return { oneOf: [page.results, objectOf(page)] };
  },
  list_entities: (route) => {
    const page = pageOf(answerSchema(Entity));
    if (route.path.includes('{')) return page.results;
    return { oneOf: [page.results, objectOf({ ...page, ...totals })] };
  },
  list_events: () => objectOf(pageOf(answerSchema(Event))),
  list_webhook_deliveries: () => objectOf(pageOf(answerSchema(Delivery))),
  get_export: () => ({ description: 'What the schema of the export asks for.' }),
  list_organizations: () => arrayOf(organization()),
  get_organization: () => organization(),
  list_projects: () => arrayOf(withMembers(fullSchema(Project))),
  get_project: () => withMembers(fullSchema(PartialProject)),
  list_organization_members: () =>
    objectOf({ members: arrayOf(place({ user_id: text }, { username: text })) }),
  list_project_members: () => objectOf({ members: arrayOf(place({ username: text })) }),
};

/** Answers under another status than the operation's own. */
const statuses: { [N in OperationName]?: AnswerSchemas } = {
  get_export: { 202: objectOf({ message: text, status: { const: 'PENDING' } }) },
};

const pending = { message: text, status: text, event_id: text };
const results = arrayOf(answerSchema(WriteResult));

const totals = {
  total_users: integer,
  total_agents: integer,
  total_apps: integer,
  total_runs: integer,
};

function pageOf(item: JsonSchema) {
  return { count: integer, next: link, previous: link, results: arrayOf(item) };
}

function relations(): JsonSchema {
  return arrayOf(answerSchema(Relation));
}

function withRelations(found: JsonSchema): JsonSchema {
  return objectOf({ results: found, relations: relations() });
}

/** Published: numbers of accounts. Official clients get names. */
function organization(): JsonSchema {
  const members = arrayOf({ oneOf: [integer, place({ username: text })] });
  return replaceMember(fullSchema(Organization), members);
}

function withMembers(project: JsonSchema): JsonSchema {
  return replaceMember(project, arrayOf(place({ username: text })));
}

function place(
  who: Record<string, JsonSchema>,
  besides: Record<string, JsonSchema> = {},
): JsonSchema {
  const role = { type: 'string', enum: roles };
  const shown = { ...who, ...besides, email: text, role };
  return objectOf(shown, [...Object.keys(who), 'role']);
}

function replaceMember(schema: JsonSchema, members: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...Object(schema.properties), members } };
}
