import { errorStatus } from '../../contract/errors.ts';
import { isReadOnly, type Route } from '../../contract/operation.ts';
import { type OperationRoute, operationRoutes } from '../operations/router.ts';
import { inputExamples } from './examples.ts';
import { responseSchemas } from './responses.ts';
import {
  componentSchemas,
  type InputField,
  inputFields,
  type OpenApiSchema,
  objectSchema,
  openApiFieldSchema,
} from './schemas.ts';

/** The OpenAPI description as JSON text, created on first use. */
export function createOpenApiJson(version: string): () => string {
  let text: string | null = null;
  return () => {
    text ??= JSON.stringify(openApiDocument(version));
    return text;
  };
}

/** OpenAPI 3.1 of every route of the contract. */
export function openApiDocument(version: string) {
  const paths: Record<string, Record<string, OpenApiSchema>> = {};
  for (const endpoint of operationRoutes) {
    const { method, path } = endpoint.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'mneme',
      version,
      summary: 'Long-term memory for agents.',
      description: apiDescription,
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { bearer: [] }, { key: [] }],
    tags: [...new Set(operationRoutes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorSchema, ...componentSchemas() },
      parameters: { IdempotencyKey: idempotencyKey },
      responses: errorResponses(),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word Token, a space and the key.',
        },
        bearer: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
    },
  };
}

const apiDescription =
  'Where a response has two shapes, the first is the published one; official clients, known by ' +
  'their headers, get the second. Paths work with and without a trailing slash. Every response ' +
  'carries X-Request-ID.';

function describeOperation(endpoint: OperationRoute): OpenApiSchema {
  const { name, record, route } = endpoint;
  const fields = inputFields(record, route);
  const at = record.routes.indexOf(route);
  const example: Example = inputExamples[name];
  return {
    tags: [tagOf(endpoint)],
    operationId: at === 0 ? name : `${name}_${at + 1}`,
    summary: at === 0 ? record.summary : `${record.summary} (${route.path})`,
    description: record.description,
    'x-operation': name,
    parameters: [
      ...pathParameters(endpoint, example),
      ...queryFields(fields, route).map((field) => queryParameter(field, example)),
      ...(record.streams ? [lastEventId] : []),
      ...(acceptsIdempotencyKey(endpoint)
        ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
        : []),
    ],
    ...(route.carries === 'body' && { requestBody: requestBodyOf(fields, example) }),
    responses: { ...successResponses(endpoint), ...errorReferences(endpoint) },
  };
}

/** A typical input; see `examples.ts`. */
type Example = Readonly<Record<string, unknown>>;

function tagOf({ record }: Pick<OperationRoute, 'record'>): string {
  return record.scope.split(':')[0] ?? '';
}

/** A read changes nothing, however often it is sent. */
function acceptsIdempotencyKey({ record }: OperationRoute): boolean {
  return !isReadOnly(record);
}

function pathParameters({ record, route }: OperationRoute, example: Example): OpenApiSchema[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
    const field = record.input.shape[name];
    if (field === undefined) return [];
    const schema = openApiFieldSchema(field);
    return [{ name, in: 'path', required: true, schema, ...exampleOf(name, example) }];
  });
}

/** Page parameters are in the query even when the rest is in a body. */
function queryFields(fields: readonly InputField[], { carries }: Route): readonly InputField[] {
  if (carries === 'query') return fields;
  return fields.filter(({ name }) => name === 'page' || name === 'page_size');
}

/** Objects travel as JSON text, lists as repeated parameters. */
function queryParameter({ name, schema, required }: InputField, example: Example): OpenApiSchema {
  const isObject = schema.type === 'object';
  const field = { schema, ...exampleOf(name, example) };
  const value = isObject ? { content: { 'application/json': field } } : field;
  return { name, in: 'query', ...(required && { required }), ...value };
}

function requestBodyOf(fields: readonly InputField[], example: Example): OpenApiSchema {
  const properties = Object.fromEntries(
    fields.map(({ name, schema, required }) => [name, required ? schema : orNull(schema)]),
  );
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: objectSchema(properties, required),
        example: Object.fromEntries(Object.entries(example).filter(([name]) => name in properties)),
      },
    },
  };
}

/** In a body, null means an absent field: see `parseInput`. */
function orNull({ type, anyOf, ...rest }: OpenApiSchema): OpenApiSchema {
  const base = Array.isArray(rest.enum) ? { ...rest, enum: [...rest.enum, null] } : rest;
  if (Array.isArray(anyOf)) return { ...base, anyOf: [...anyOf, { type: 'null' }] };
  return type === undefined ? base : { ...base, type: [...new Set([type, 'null'].flat())] };
}

function exampleOf(name: string, example: Example): { example?: unknown } {
  return example[name] === undefined ? {} : { example: example[name] };
}

function successResponses(endpoint: OperationRoute): OpenApiSchema {
  const entries = Object.entries(responseSchemas(endpoint, endpoint.route)).map(
    ([status, schema]) => {
      const description =
        schema === null ? 'Done; no body.' : (statusDescriptions[status] ?? 'Done.');
      return [
        status,
        schema === null
          ? { description }
          : { description, content: { ...jsonContent(schema), ...streamContent(endpoint) } },
      ];
    },
  );
  return Object.fromEntries(entries);
}

function streamContent({ record }: OperationRoute): OpenApiSchema {
  const description = 'Server-sent events, each with its cursor as id.';
  return record.streams ? { 'text/event-stream': { schema: { type: 'string', description } } } : {};
}

const statusDescriptions: Record<string, string> = { 201: 'Created.', 202: 'Not done yet.' };

/** The errors of every operation, and those of this one. */
function errorReferences(endpoint: OperationRoute): OpenApiSchema {
  const { name, record, route } = endpoint;
  const declared = record.errors.map((code) => errorStatus[code]);
  const ofBody = route.method === 'GET' ? [] : [413, 415];
  const ofState = acceptsIdempotencyKey(endpoint) || name === 'get_export' ? [409] : [];
  const statuses = [...new Set([...declared, ...ofBody, ...ofState, 401, 429, 431, 500, 503])];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]),
  );
}

function errorResponses(): OpenApiSchema {
  const entries = Object.entries(errorDescriptions).map(([status, description]) => [
    `Error${status}`,
    { description, content: jsonContent({ $ref: '#/components/schemas/Error' }) },
  ]);
  return Object.fromEntries(entries);
}

const errorDescriptions = {
  400: 'Something in the request is wrong; `errors` names the fields.',
  401: 'The key is missing or not valid.',
  403: 'The role or the key does not allow it.',
  404: 'Not found, or hidden from the caller.',
  409: 'Conflicts with what is stored.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests; Retry-After says when to try again.',
  431: 'The address and the headers are too large together.',
  500: 'A bug; quote the request_id.',
  503: 'Not available now; Retry-After says when to try again.',
};

const textSchema = { type: 'string' };

const errorSchema = {
  type: 'object',
  description: 'The same text under three keys, because clients read different ones.',
  properties: {
    message: textSchema,
    error: textSchema,
    detail: textSchema,
    errors: { type: 'object', additionalProperties: { type: 'array', items: textSchema } },
    request_id: textSchema,
  },
  required: ['message', 'error', 'detail'],
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeat of the key and body within a day carries nothing out; returns no text.',
  schema: { type: 'string', maxLength: 255 },
};

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Where a stream goes on: the id of the event that was read last.',
  schema: { type: 'string', maxLength: 255 },
};

function jsonContent(schema: OpenApiSchema): OpenApiSchema {
  return { 'application/json': { schema } };
}
