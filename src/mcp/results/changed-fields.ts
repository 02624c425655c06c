import { isObject } from '../../contract/is-object.ts';

/** What a change set beside the text, in words: `pinned, expiration_date 2026-12-01`. */
export function describeChanged(changed: unknown): string {
  if (!isObject(changed)) return '';
  return Object.entries(changed)
    .map(([field, value]) => describeField(field, value))
    .join(', ');
}

function describeField(field: string, value: unknown): string {
  if (value === true) return field;
  if (value === false) return `not ${field}`;
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) {
    return `no ${field}`;
  }
  if (Array.isArray(value)) return `${field} ${value.join(' and ')}`;
  return `${field} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
}
