import { isObject } from '../../contract/is-object.ts';
import type { OpenApiSchema } from '../openapi/schemas.ts';

const depthMax = 5;

/** What fields with these names typically hold. */
const samples: Readonly<Record<string, unknown>> = {
  id: '01980b2e-5c1f-7d3a-9e4b-2f6a8c0d1e35',
  memory: 'Lives in Porto.',
  text: 'Lives in Porto.',
  old_memory: 'Lives in Lisbon.',
  new_memory: 'Lives in Porto.',
  user_id: 'ada',
  name: 'ada',
  email: 'ada@example.com',
  url: 'https://example.com/hooks/memories',
  message: 'Done',
  next: null,
  previous: null,
  score: 0.82,
  categories: ['places'],
  metadata: {},
  expiration_date: null,
};

/** A response of that schema, as an example: plausible, and not of any store. */
export function sampleResponse(
  schema: unknown,
  components: Readonly<Record<string, OpenApiSchema>>,
): unknown {
  return sampleOf(schema, { name: '', depth: 0, components });
}

type Position = {
  name: string;
  depth: number;
  components: Readonly<Record<string, OpenApiSchema>>;
};

function sampleOf(schema: unknown, at: Position): unknown {
  if (!isObject(schema) || at.depth > depthMax) return null;
  if (typeof schema.$ref === 'string') {
    return sampleOf(at.components[schema.$ref.split('/').at(-1) ?? ''], at);
  }
  if (at.name in samples && !isObject(schema.properties)) return samples[at.name];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = [schema.oneOf, schema.anyOf].filter(Array.isArray).flat();
  if (first !== undefined) return sampleOf(first, at);
  const below = (name: string) => ({ ...at, name, depth: at.depth + 1 });
  if (isObject(schema.properties)) {
    const members = Object.entries(schema.properties);
    return Object.fromEntries(
      members.map(([name, member]) => [name, sampleOf(member, below(name))]),
    );
  }
  if (isObject(schema.items)) return [sampleOf(schema.items, below(''))];
  return sampleOfType(schema, at.name);
}

function sampleOfType({ type, format }: Record<string, unknown>, name: string): unknown {
  const [first] = [type].flat();
  if (first === 'integer' || first === 'number') return 1;
  if (first === 'boolean') return true;
  if (first === 'array') return [];
  if (first === 'object') return {};
  if (first !== 'string') return null;
  if (/(?:_at|_date|^as_of|^from|^to)$/.test(name) || format === 'date-time') {
    return '2026-03-01T09:30:00.000Z';
  }
  return /(?:^|_)id$/.test(name) ? samples.id : '…';
}
