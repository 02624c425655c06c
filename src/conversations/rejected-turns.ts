import { ApiError } from '../contract/errors.ts';
import type { TurnPart } from './chunks.ts';

/** A refused message, counted from 1, and the reason. */
export type RejectedMessage = { conversation: string; message: number; problem: string };

/** The refused parts of an add: turns by number, with the reason, and possibly its title. */
export type RejectedTurns = { turns: ReadonlyMap<number, string>; hasTitle: boolean };

/**
 * Finds the turns that an error is about, so that the others can be stored; `halve` when it is
 * about some turns but does not say which, null when it is about something else.
 */
export function findRejectedTurns(
  error: unknown,
  parts: readonly TurnPart[],
): RejectedTurns | 'halve' | null {
  if (!(error instanceof ApiError)) return null;
  const { code, message, fields = {} } = error;
  const names = Object.keys(fields);
  const isOfMessages = names.length > 0 && names.every((name) => messageField.test(name));
  if (code !== 'too_large' && !(code === 'invalid' && isOfMessages)) return null;
  const hasTitle = names.some((name) => name.startsWith('metadata'));
  const turns = new Map<number, string>();
  for (const [name, [problem = message]] of Object.entries(fields)) {
    const part = parts[Number(/^messages\.(\d+)/.exec(name)?.[1])];
    if (part !== undefined) turns.set(part.number, problem);
  }
  if (turns.size > 0 || hasTitle) return { turns, hasTitle };
  const numbers = new Set(parts.map(({ number }) => number));
  if (numbers.size > 1) return 'halve';
  return { turns: new Map([...numbers].map((number) => [number, message])), hasTitle };
}

const messageField = /^(?:messages|metadata)(?:\.|$)/;
