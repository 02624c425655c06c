/** A JSON Schema, as far as the document of the API uses it. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  propertyNames?: JsonSchema;
  additionalProperties?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

type Content = { 'application/json': { schema: JsonSchema } };
type Parameter = {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: JsonSchema;
  content?: Content;
};
type DescribedAnswer = { $ref?: string; content?: Content };

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        'x-operation': string;
        parameters: Parameter[];
        requestBody?: { content: Content };
        responses: Record<string, DescribedAnswer>;
      }
    >
  >;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, DescribedAnswer>;
  };
};

/** One method and path, with all that the document says of it. */
export type Described = {
  /** Its operationId. */
  name: string;
  /** The operation that it reaches. */
  operation: string;
  method: string;
  path: string;
  params: Field[];
  query: Field[];
  /** Fields of the body; null where the path takes none. */
  body: Field[] | null;
  /** By status; null is an answer without a body. */
  answers: Record<string, JsonSchema | null>;
};

/** `json` says that its value travels as JSON text. */
export type Field = { name: string; schema: JsonSchema; required: boolean; json: boolean };

/** Everything that the document describes. */
export function describedIn(text: string): { all: Described[]; schemas: object } {
  const { paths, components } = JSON.parse(text) as Document; // a test holds it to OpenAPI 3.1
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]): Described => {
      const body = about.requestBody?.content['application/json'].schema;
      return {
        name: about.operationId,
        operation: about['x-operation'],
        method: method.toUpperCase(),
        path,
        params: about.parameters.filter(isIn('path')).map(fieldOf),
        query: about.parameters.filter(isIn('query')).map(fieldOf),
        body: body === undefined ? null : fieldsOf(body),
        answers: Object.fromEntries(
          Object.entries(about.responses).map(([status, answer]) => [
            status,
            schemaOf(answer, components.responses),
          ]),
        ),
      };
    }),
  );
  return { all, schemas: components.schemas };
}

function isIn(place: Parameter['in']) {
  return (parameter: Parameter) => parameter.in === place;
}

function fieldOf({ name, schema, content, required = false }: Parameter): Field {
  const json = content?.['application/json'].schema;
  return { name, schema: json ?? schema ?? {}, required, json: json !== undefined };
}

export function fieldsOf({ properties = {}, required = [] }: JsonSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => {
    return { name, schema, required: required.includes(name), json: false };
  });
}

function schemaOf(
  answer: DescribedAnswer,
  named: Record<string, DescribedAnswer>,
): JsonSchema | null {
  const name = answer.$ref?.split('/').at(-1);
  const full = name === undefined ? answer : named[name];
  return full?.content?.['application/json'].schema ?? null;
}
