import * as z from 'zod';
import { limits } from '../../contract/limits.ts';
import type { StatedRelation } from '../../core/ports/index.ts';

/** A relation as models write it. */
export const ModelRelation = z.object({
  source: z.string(),
  relation: z.string(),
  target: z.string(),
});
export type ModelRelation = z.output<typeof ModelRelation>;

/** Relations read per decision, several times the number that is kept. */
const relationsReadMax = 100;

/** Relations are optional: unreadable ones do not invalidate a decision. */
export const LenientRelations = z
  .unknown()
  .optional()
  .transform((value): ModelRelation[] => {
    if (!Array.isArray(value)) return [];
    return value.slice(0, relationsReadMax).flatMap((one) => {
      const parsed = ModelRelation.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
  });

export type RelationEvidence = {
  /** All messages. */
  messages: readonly string[];
  /** Names of the speakers. */
  speakers: readonly string[];
};

/** A memory's text and the model's relations for it. */
type MemoryWithRelations = { text: string; relations: readonly ModelRelation[] };

/**
 * Filters a model's relations: each must join two names from the messages or the memory, at least
 * one of them from the memory, by a short relationship.
 */
export function createRelationPolicy({
  messages,
  speakers,
}: RelationEvidence): (memory: MemoryWithRelations) => StatedRelation[] {
  const all = paddedWords(messages.join('\n'));
  const people = new Set([selfName, ...speakers].map((name) => name.trim().toLowerCase()));
  const isSelf = (name: string) => people.has(name.toLowerCase());
  return ({ text, relations }) => {
    if (relations.length === 0) return [];
    const ownWords = paddedWords(text);
    const relationsByKey = new Map<string, StatedRelation>();
    for (const relation of relations) {
      const stated = normalizeRelation(relation);
      if (stated === null) continue;
      const names = [stated.source, stated.target].map((name) => {
        const isOwn = !isSelf(name) && containsName(ownWords, name);
        return { isOwn, isKnown: isOwn || isSelf(name) || containsName(all, name) };
      });
      if (!names.some(({ isOwn }) => isOwn) || !names.every(({ isKnown }) => isKnown)) continue;
      relationsByKey.set(JSON.stringify(Object.values(stated)).toLowerCase(), stated);
    }
    return [...relationsByKey.values()].slice(0, limits.relations_max);
  };
}

/** Names are short and without markup, because viewers of a graph may not escape them. */
const entityNameMaxChars = 100;
const markupPattern = /[<>{}\p{C}]/u;

/** One word or a few, such as `works_at`: more would be a sentence. */
const relationshipMaxChars = 40;
const relationshipPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:_[\p{L}\p{M}\p{N}]+){0,3}$/u;

function normalizeRelation({ source, relation, target }: ModelRelation): StatedRelation | null {
  const stated = {
    source: normalizeName(source),
    relationship: relation
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_'),
    target: normalizeName(target),
  };
  if (stated.relationship.length > relationshipMaxChars) return null;
  if (!relationshipPattern.test(stated.relationship)) return null;
  if (!isEntityName(stated.source) || !isEntityName(stated.target)) return null;
  return stated.source.toLowerCase() === stated.target.toLowerCase() ? null : stated;
}

/** A speaker without a name. */
const selfName = 'User';

function normalizeName(written: string): string {
  const name = written.trim();
  return /^(?:user|I|me)$/i.test(name) ? selfName : name;
}

function isEntityName(name: string): boolean {
  return (
    name.length <= entityNameMaxChars && /[\p{L}\p{N}]/u.test(name) && !markupPattern.test(name)
  );
}

/** Words in order, each between spaces, so that whole words can be matched. */
function paddedWords(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

const spacelessScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** True when a text contains a name as whole words; anywhere in scripts without spaces. */
function containsName(words: string, name: string): boolean {
  const looked = paddedWords(name);
  return words.includes(spacelessScripts.test(name) ? looked.trim() : looked);
}
