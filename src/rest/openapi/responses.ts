import type { Operation, Route } from '../../contract/operation.ts';
import { HistoryEntry, WriteResult } from '../../contract/schemas/change.ts';
import { Entity } from '../../contract/schemas/entity.ts';
import { Event } from '../../contract/schemas/event.ts';
import { memberStatuses, roles } from '../../contract/schemas/member.ts';
import { PartialMemory, ScoredMemory } from '../../contract/schemas/memory.ts';
import { Organization } from '../../contract/schemas/organization.ts';
import { PartialProject, Project } from '../../contract/schemas/project.ts';
import { Relation } from '../../contract/schemas/relation.ts';
import { Explanation } from '../../contract/schemas/search.ts';
import { Delivery } from '../../contract/schemas/webhook.ts';
import type { OperationName } from '../../contract.ts';
import { isV3 } from '../operations/dialect.ts';
import {
  arraySchema,
  inlineSchema,
  type OpenApiSchema,
  objectSchema,
  responseSchema,
} from './schemas.ts';

/** Responses of an operation by status; null has no body. */
type ResponseSchemas = Readonly<Record<number, OpenApiSchema | null>>;

/** The schemas of what `dialect.ts` sends on a route. */
export function responseSchemas(
  { name, record }: { name: OperationName; record: Operation },
  route: Route,
): ResponseSchemas {
  const { status, publishedKey, output } = record;
  const custom = customSchemas[name];
  if (custom !== undefined) return { [status]: custom(route), ...otherStatuses[name] };
  if (status === 204) return { 204: null, 200: responseSchema(output) };
  const part: unknown = publishedKey === undefined ? output : output.shape[publishedKey];
  return { [status]: responseSchema(part as typeof output) }; // a key of the shape
}

const textSchema = { type: 'string' };
const integerSchema = { type: 'integer' };
const statusSchema = { type: 'string', enum: memberStatuses };
const pageLinkSchema = { type: ['string', 'null'], description: 'Absolute URL of that page.' };

/** Responses that are not simply the output or its published key. */
const customSchemas: { [N in OperationName]?: (route: Route) => OpenApiSchema } = {
  add_memory: (route) => {
    const more = { results: resultsSchema, relations: relationsSchema() };
    if (isV3(route))
      return objectSchema({ ...pendingProperties, ...more }, Object.keys(pendingProperties));
    const items = arraySchema({
      oneOf: [responseSchema(WriteResult), objectSchema(pendingProperties)],
    });
    return { oneOf: [items, withRelations(items)] };
  },
  search_memories: (route) => {
    const schema = arraySchema(responseSchema(ScoredMemory));
    const more = { relations: relationsSchema(), explanation: responseSchema(Explanation) };
    const whole = objectSchema({ results: schema, ...more }, ['results']);
    return isV3(route) ? whole : { oneOf: [schema, whole] };
  },
  get_memories: (route) => {
    const page = pageProperties(responseSchema(PartialMemory));
    if (isV3(route)) return objectSchema(page);
    if (route.method === 'POST') {
      const pageWithTotal = { ...page, total: integerSchema };
      return objectSchema(
        { ...pageWithTotal, relations: relationsSchema() },
        Object.keys(pageWithTotal),
      );
    }
    return { oneOf: [page.results, objectSchema(page)] };
  },
  list_entities: (route) => {
    const page = pageProperties(responseSchema(Entity));
    if (route.path.includes('{')) return page.results;
    return { oneOf: [page.results, objectSchema({ ...page, ...totalProperties })] };
  },
  list_history: () => objectSchema(pageProperties(responseSchema(HistoryEntry))),
  list_events: () => objectSchema(pageProperties(responseSchema(Event))),
  list_webhook_deliveries: () => objectSchema(pageProperties(responseSchema(Delivery))),
  get_export: () => ({ description: 'Data in the shape of the schema of the export.' }),
  list_organizations: () => arraySchema(organizationSchema()),
  get_organization: () => organizationSchema(),
  list_projects: () => arraySchema(withMemberSchemas(inlineSchema(Project))),
  get_project: () => withMemberSchemas(inlineSchema(PartialProject)),
  list_organization_members: () =>
    objectSchema({
      members: arraySchema(
        memberSchema({ user_id: textSchema }, { username: textSchema, status: statusSchema }),
      ),
    }),
  list_project_members: () =>
    objectSchema({
      members: arraySchema(memberSchema({ username: textSchema }, { status: statusSchema })),
    }),
};

/** Responses with a status other than that of the operation. */
const otherStatuses: { [N in OperationName]?: ResponseSchemas } = {
  get_export: { 202: objectSchema({ message: textSchema, status: { const: 'PENDING' } }) },
};

const pendingProperties = { message: textSchema, status: textSchema, event_id: textSchema };
const resultsSchema = arraySchema(responseSchema(WriteResult));

const totalProperties = {
  total_users: integerSchema,
  total_agents: integerSchema,
  total_apps: integerSchema,
  total_runs: integerSchema,
};

function pageProperties(item: OpenApiSchema) {
  return {
    count: integerSchema,
    next: pageLinkSchema,
    previous: pageLinkSchema,
    results: arraySchema(item),
  };
}

function relationsSchema(): OpenApiSchema {
  return arraySchema(responseSchema(Relation));
}

function withRelations(found: OpenApiSchema): OpenApiSchema {
  return objectSchema({ results: found, relations: relationsSchema() });
}

/** The published shape has numbers of accounts; official clients get names. */
function organizationSchema(): OpenApiSchema {
  const members = arraySchema({ oneOf: [integerSchema, memberSchema({ username: textSchema })] });
  return replaceMembers(inlineSchema(Organization), members);
}

function withMemberSchemas(project: OpenApiSchema): OpenApiSchema {
  return replaceMembers(project, arraySchema(memberSchema({ username: textSchema })));
}

function memberSchema(
  who: Record<string, OpenApiSchema>,
  optional: Record<string, OpenApiSchema> = {},
): OpenApiSchema {
  const role = { type: 'string', enum: roles };
  const properties = { ...who, ...optional, email: textSchema, role };
  return objectSchema(properties, [...Object.keys(who), 'role']);
}

function replaceMembers(schema: OpenApiSchema, members: OpenApiSchema): OpenApiSchema {
  return { ...schema, properties: { ...Object(schema.properties), members } };
}
