import * as z from 'zod';

const chars = 8;

/**
 * The last digits of an id, for people and agents: they are random, while the first digits are the
 * time. A text that is not a UUID stays as it is.
 */
export function shortIdOf(id: string): string {
  return isFullId(id) ? id.slice(-chars) : id;
}

export function isFullId(id: string): boolean {
  return uuid.test(id);
}

/** All ids in a text of ours, made short. */
export function withShortIds(text: string): string {
  return text.replace(uuids, (id) => id.slice(-chars));
}

export function isShortId(value: unknown): value is string {
  return typeof value === 'string' && short.test(value);
}

export const ShortId = z
  .string()
  .regex(/^[0-9a-f]{8}$/i, `must be the last ${chars} hexadecimal digits of an id`)
  .toLowerCase();

const short = /^[0-9a-f]{8}$/i;
const pattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const uuid = new RegExp(`^${pattern}$`, 'i');
const uuids = new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'gi');
