import { isoDayOf } from '../../contract/wall-clock.ts';
import type { StoredMemory } from '../ports/index.ts';
import type { ScalarShape, SchemaField } from './schema-shape.ts';

/** The own fields of a memory, by the names that people give them. */
const memoryFields: Record<string, (memory: StoredMemory) => unknown> = Object.fromEntries(
  Object.entries<(memory: StoredMemory) => unknown>({
    'memory memories text texts fact facts statement statements content': ({ memory }) => memory,
    'category categories topic topics': ({ categories }) => categories,
    'id memory_id': ({ id }) => id,
    'created_at created timestamp': ({ created_at }) => created_at,
    'updated_at updated': ({ updated_at }) => updated_at,
    user_id: ({ user_id }) => user_id,
    agent_id: ({ agent_id }) => agent_id,
    app_id: ({ app_id }) => app_id,
    'run_id session_id': ({ run_id }) => run_id,
    metadata: ({ metadata }) => metadata,
    expiration_date: ({ expiration_date }) => expiration_date,
    immutable: ({ immutable }) => immutable,
    pinned: ({ pinned }) => pinned,
    valid_from: ({ valid_from }) => valid_from,
    valid_until: ({ valid_until }) => valid_until,
    role: ({ role }) => role,
    speaker: ({ speaker }) => speaker,
  }).flatMap(([names, read]) => names.split(' ').map((name) => [name, read])),
);

/** True when a field's name means one of a memory, so that nothing else may fill it. */
export function isMemoryField({ words }: SchemaField): boolean {
  return Object.hasOwn(memoryFields, words.join('_'));
}

/** The memory's own value under that name, its metadata included; undefined when it has none. */
export function memoryFieldValue(memory: StoredMemory, field: SchemaField): unknown {
  const snakeCase = field.words.join('_');
  const key = [field.name, snakeCase].find((key) => Object.hasOwn(memory.metadata, key));
  if (key !== undefined) return memory.metadata[key];
  return isMemoryField(field) ? memoryFields[snakeCase]?.(memory) : undefined;
}

/** A known value in the form that a field asks for; null when it does not fit. */
export function fitScalar(value: unknown, shape: ScalarShape): unknown {
  const [first] = Array.isArray(value) ? value : [value];
  switch (shape.kind) {
    case 'text':
      return typeof first === 'string' ? fitText(first, shape) : null;
    case 'number':
      return typeof first === 'number' && shape.accepts(first) ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'choice':
      return shape.choices.some(({ value }) => value === first) ? first : null;
  }
}

function fitText(
  text: string,
  { format, max_chars }: Extract<ScalarShape, { kind: 'text' }>,
): string | null {
  const isTime = /^\d{4}-\d\d-\d\d/.test(text);
  if (format === 'date') return isTime ? isoDayOf(text) : null;
  if (format === 'date-time' && !isTime) return null;
  return text.length > max_chars ? null : text;
}
