import * as z from 'zod';
import type { Operation, Route } from '../contract/operation.ts';
import { Feedback, HistoryEntry, WriteResult } from '../contract/schemas/change.ts';
import { Entity } from '../contract/schemas/entity.ts';
import { Event } from '../contract/schemas/event.ts';
import { Memory, PartialMemory, ScoredMemory } from '../contract/schemas/memory.ts';
import { Delivery, Webhook } from '../contract/schemas/webhook.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Schemas that have a name in the document; others stand where they are used. */
const named = new Map<z.ZodType, string>(
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

/** The named schemas in full. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries([...named].map(([schema, name]) => [name, fullSchema(schema)]));
}

/** What an answer looks like: open, because answers may gain fields. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const name = named.get(schema);
  return name === undefined ? fullSchema(schema) : { $ref: `#/components/schemas/${name}` };
}

/** The schema itself where a reference would hide what is changed in it. */
export function fullSchema(schema: z.ZodType): JsonSchema {
  if (schema instanceof z.ZodArray) return arrayOf(answerSchema(schema.element as z.ZodType));
  if (!(schema instanceof z.ZodObject)) return toJson(schema);
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  return objectOf(
    Object.fromEntries(members.map(([name, member]) => [name, answerSchema(bare(member))])),
    members.filter(([, member]) => !isOptional(member)).map(([name]) => name),
  );
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function objectOf(
  properties: Record<string, JsonSchema>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A field of an input as clients should send it; tolerated spellings are not advertised. */
export type InputField = { name: string; schema: JsonSchema; required: boolean };

/** Fields that a route leaves to the query or the body. */
export function inputFields({ input }: Operation, route: Route): InputField[] {
  const decided = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const isDecided = decided.includes(name) || name in (route.fixed ?? {});
    if (isDecided || field.meta()?.internal === true) return [];
    const schema = { ...fieldSchema(field), ...defaultOf(route, name) };
    return [{ name, schema, required: !isOptional(field) }];
  });
}

/** The schema of one field of an input. */
export function fieldSchema(field: z.ZodType): JsonSchema {
  return toJson(field);
}

function defaultOf({ defaults = {} }: Route, name: string): JsonSchema {
  return name in defaults ? { default: defaults[name] } : {};
}

function isOptional(field: z.ZodType): boolean {
  return field.safeParse(undefined).success;
}

/** Whether a member may be absent stands in `required`. */
function bare(member: z.ZodType): z.ZodType {
  return member instanceof z.ZodOptional ? (member.unwrap() as z.ZodType) : member;
}

function toJson(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'output', // what a preprocessed field reads can be anything; what it makes of it is typed
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Descriptions are read as Markdown, where this would begin a tag.
      jsonSchema.description &&= jsonSchema.description.replaceAll('<', '\\<');
      for (const [name, member] of Object.entries(jsonSchema.properties ?? {})) {
        if (typeof member === 'object' && 'internal' in member)
          delete jsonSchema.properties?.[name];
      }
    },
  });
  return json;
}
