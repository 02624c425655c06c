import { limits } from '../../../src/contract/limits.ts';
import type { Described, JsonSchema } from '../../rest/described-operations.ts';

/** A field of a request that takes any text. */
export type TextField = {
  described: Described;
  place: 'body' | 'query';
  /** The field of the request that holds it, and where in that: `messages` and `[].content`. */
  name: string;
  within: string;
  maxChars: number;
  /** Dates, names of fields and the like have no limit of their own. */
  isLimited: boolean;
  /** How many texts it takes. */
  maxTexts: number;
  /** The value of the field; the ids are of memories, for fields that hold both. */
  holding(texts: readonly string[], ids: readonly string[]): unknown;
};

type FieldPlace = Pick<TextField, 'within' | 'maxChars' | 'isLimited' | 'maxTexts' | 'holding'>;

/** Fields that name what a request is about, or a time: no other text is allowed there. */
const ids = /^(?:\w+_)?(?:id|date|at)$|^(?:role|as_of|from|to|after|timestamp|valid_\w+)$/;

/** What has no limit of its own in the document. */
const unlimitedMaxChars = 2_000;

/** Every field of the operation that takes any text, found from its description. */
export function textFieldsOf(described: Described): TextField[] {
  const places = [
    ['body', described.body ?? []],
    ['query', described.query],
  ] as const;
  return places.flatMap(([place, fields]) =>
    fields
      .filter(({ name }) => !ids.test(name))
      .flatMap(({ name, schema }) =>
        placesOf(name, schema).map((found) => {
          const isFilter = name === 'metadata' && !stores.test(described.operation);
          const maxChars = isFilter ? limits.query_max_chars / 2 : found.maxChars;
          return { described, place, name, ...found, maxChars };
        }),
      ),
  );
}

/** Others take metadata as what to look for, which is shorter. */
const stores = /add|update|insert/;

function placesOf(name: string, schema: JsonSchema): FieldPlace[] {
  if (name === 'filters') return filterPlaces();
  return name === 'schema' ? [schemaPlace()] : placesIn(schema);
}

function placesIn(schema: JsonSchema): FieldPlace[] {
  const { anyOf, oneOf, type, items, properties, additionalProperties } = schema;
  const options = anyOf ?? oneOf;
  if (options !== undefined) return options.flatMap(placesIn);
  if (items !== undefined) return placesIn(items).map((place) => inList(place, schema));
  if (properties !== undefined) return inObject(schema);
  if (additionalProperties !== undefined) return inMap(schema, additionalProperties);
  return [type].flat().includes('string') && isFree(schema) ? [alone(schema)] : [];
}

function isFree({ enum: named, const: only, format, pattern }: JsonSchema): boolean {
  return [named, only, format, pattern].every((given) => given === undefined);
}

function alone({ maxLength }: JsonSchema): FieldPlace {
  const maxChars = maxLength ?? unlimitedMaxChars;
  const isLimited = maxLength !== undefined;
  return { within: '', maxChars, isLimited, maxTexts: 1, holding: ([text = '']) => text };
}

function inList(place: FieldPlace, { minItems = 1, maxItems = 1 }: JsonSchema): FieldPlace {
  return {
    ...place,
    within: `[]${place.within}`,
    maxTexts: maxItems,
    holding: (texts, ids) => {
      const count = Math.max(texts.length, minItems);
      return Array.from({ length: count }, (_, at) => {
        const text = texts[at % texts.length] ?? '';
        return place.holding([at < texts.length ? text : `${at}`], ids.slice(at));
      });
    },
  };
}

function inObject({ properties = {}, required = [] }: JsonSchema): FieldPlace[] {
  return Object.entries(properties)
    .filter(([name]) => !ids.test(name))
    .flatMap(([name, schema]) =>
      placesOf(name, schema).map((place) => ({
        ...place,
        within: `.${name}${place.within}`,
        holding: (texts: readonly string[], ids: readonly string[]) => ({
          ...('role' in properties && { role: 'user', content: 'I live in Bern.' }),
          ...(required.includes('memory_id') && { memory_id: ids[0] }),
          [name]: place.holding(texts, ids),
        }),
      })),
    );
}

/** Under a name that it may have. */
function inMap({ propertyNames }: JsonSchema, values: JsonSchema): FieldPlace[] {
  const [key = 'note'] = propertyNames?.enum ?? [];
  const isAny = Object.keys(values).length === 0;
  const inner = isAny ? [alone({ maxLength: limits.metadata_max_bytes - 200 })] : placesIn(values);
  return inner.map((place) => ({
    ...place,
    within: `{}${place.within}`,
    holding: (texts, ids) => ({ [String(key)]: place.holding(texts, ids) }),
  }));
}

/** The schema of an object, which says something of a property. */
function schemaPlace(): FieldPlace {
  return {
    ...alone({ maxLength: unlimitedMaxChars }),
    within: '.description',
    holding: ([description = '']) => ({
      type: 'object',
      properties: { note: { type: 'string', description } },
    }),
  };
}

/** Filters read the texts of all memories that they are about. */
function filterPlaces(): FieldPlace[] {
  const conditions: Record<string, (text: string) => object> = {
    text: (text: string) => ({ text: { icontains: text } }),
    keywords: (text: string) => ({ keywords: { contains: text } }),
    metadata: (text: string) => ({ metadata: { note: text } }),
    categories: (text: string) => ({ categories: { contains: text.slice(0, 100) } }),
  };
  return Object.entries(conditions).map(([within, of]) => ({
    within: `.${within}`,
    maxChars: limits.query_max_chars,
    isLimited: true,
    maxTexts: limits.filter_max_scans,
    holding: (texts) => ({ AND: [{ user_id: '*' }, { OR: texts.map(of) }] }),
  }));
}
