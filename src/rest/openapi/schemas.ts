import * as z from 'zod';
import type { Operation, Route } from '../../contract/operation.ts';
import { Feedback, HistoryEntry, WriteResult } from '../../contract/schemas/change.ts';
import { Entity } from '../../contract/schemas/entity.ts';
import { Event } from '../../contract/schemas/event.ts';
import { Memory, PartialMemory, ScoredMemory } from '../../contract/schemas/memory.ts';
import { Delivery, Webhook } from '../../contract/schemas/webhook.ts';

export type OpenApiSchema = { readonly [keyword: string]: unknown };

/** Schemas with a name in the document; others are inlined. */
const componentNames = new Map<z.ZodType, string>(
  Object.entries({
    Memory,
    PartialMemory,
    ScoredMemory,
    WriteResult,
    HistoryEntry,
    Feedback,
    Entity,
    Event,
    Webhook,
    Delivery,
  }).map(([name, schema]) => [schema, name]),
);

export function componentSchemas(): Record<string, OpenApiSchema> {
  return Object.fromEntries(
    [...componentNames].map(([schema, name]) => [name, inlineSchema(schema)]),
  );
}

/** The schema of a response: open, because responses may gain fields. */
export function responseSchema(schema: z.ZodType): OpenApiSchema {
  const name = componentNames.get(schema);
  return name === undefined ? inlineSchema(schema) : { $ref: `#/components/schemas/${name}` };
}

/** The schema itself, for where a reference would hide a change to it. */
export function inlineSchema(schema: z.ZodType): OpenApiSchema {
  if (schema instanceof z.ZodArray) return arraySchema(responseSchema(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return toOpenApiSchema(schema);
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  return objectSchema(
    Object.fromEntries(
      members.map(([name, member]) => [name, responseSchema(unwrapOptional(member))]),
    ),
    members.filter(([, member]) => !isOptional(member)).map(([name]) => name),
  );
}

export function arraySchema(items: OpenApiSchema): OpenApiSchema {
  return { type: 'array', items };
}

export function objectSchema(
  properties: Record<string, OpenApiSchema>,
  required: readonly string[] = Object.keys(properties),
): OpenApiSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A field of an input as clients should send it; other accepted spellings are not documented. */
export type InputField = { name: string; schema: OpenApiSchema; required: boolean };

/** The fields that a route takes from the query or the body. */
export function inputFields({ input }: Operation, route: Route): InputField[] {
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const isDecided = params.includes(name) || name in (route.fixed ?? {});
    if (isDecided || field.meta()?.internal === true) return [];
    const schema = { ...openApiFieldSchema(field), ...routeDefault(route, name) };
    return [{ name, schema, required: !isOptional(field) }];
  });
}

export function openApiFieldSchema(field: z.ZodType): OpenApiSchema {
  return toOpenApiSchema(field);
}

function routeDefault({ defaults = {} }: Route, name: string): OpenApiSchema {
  return name in defaults ? { default: defaults[name] } : {};
}

function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success;
}

/** `required` says whether a member may be absent. */
function unwrapOptional(member: z.ZodType): z.ZodType {
  return member instanceof z.ZodOptional ? (member.unwrap() as z.ZodType) : member;
}

function toOpenApiSchema(schema: z.ZodType): OpenApiSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'output', // the input of a preprocessed field can be anything; its output is typed
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      delete jsonSchema.not_in_tools;
      // Descriptions are rendered as Markdown, where this would begin a tag.
      jsonSchema.description &&= jsonSchema.description.replaceAll('<', '\\<');
      for (const [name, member] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof member === 'object' && 'internal' in member)
          delete jsonSchema.properties?.[name];
      }
    },
  });
  return json;
}
