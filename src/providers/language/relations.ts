import * as z from 'zod';
import { limits } from '../../contract/limits.ts';
import type { StatedRelation } from '../../core/ports/index.ts';

/** A relation as models write it. */
export const AnsweredRelation = z.object({
  source: z.string(),
  relation: z.string(),
  target: z.string(),
});
export type AnsweredRelation = z.output<typeof AnsweredRelation>;

/** Of one decision, so many are looked at: several times what is kept. */
const lookedAtMax = 100;

/** Relations are a help beside the memory: what can't be read of them spoils no decision. */
export const LooseRelations = z
  .unknown()
  .optional()
  .transform((value): AnsweredRelation[] => {
    if (!Array.isArray(value)) return [];
    return value.slice(0, lookedAtMax).flatMap((one) => {
      const read = AnsweredRelation.safeParse(one);
      return read.success ? [read.data] : [];
    });
  });

export type Telling = {
  /** All that was said. */
  said: readonly string[];
  /** Names of whoever speaks. */
  speakers: readonly string[];
};

/** What is to hold relations: `text` is the memory. */
type Told = { text: string; relations: readonly AnsweredRelation[] };

/**
 * What a model's relations may tell at most: each joins two names that were said or stand in the
 * memory, at least one of them in the memory itself, by a short relationship. The rest is left out.
 */
export function createRelationBound({ said, speakers }: Telling): (told: Told) => StatedRelation[] {
  const all = foldedWords(said.join('\n'));
  const people = new Set([self, ...speakers].map((name) => name.trim().toLowerCase()));
  const isSelf = (name: string) => people.has(name.toLowerCase());
  return ({ text, relations }) => {
    if (relations.length === 0) return [];
    const own = foldedWords(text);
    const found = new Map<string, StatedRelation>();
    for (const relation of relations) {
      const stated = readable(relation);
      if (stated === null) continue;
      const names = [stated.source, stated.target].map((name) => {
        const isOwn = !isSelf(name) && holds(own, name);
        return { isOwn, isKnown: isOwn || isSelf(name) || holds(all, name) };
      });
      if (!names.some(({ isOwn }) => isOwn) || !names.every(({ isKnown }) => isKnown)) continue;
      found.set(JSON.stringify(Object.values(stated)).toLowerCase(), stated);
    }
    return [...found.values()].slice(0, limits.relations_max);
  };
}

/** Names are short, and no markup: what shows a graph may not mind what it shows. */
const nameMaxChars = 100;
const unreadable = /[<>{}\p{C}]/u;

/** One word or a few, such as `works_at`: more would be a sentence. */
const relationshipMaxChars = 40;
const relationshipForm = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:_[\p{L}\p{M}\p{N}]+){0,3}$/u;

function readable({ source, relation, target }: AnsweredRelation): StatedRelation | null {
  const stated = {
    source: nameOf(source),
    relationship: relation
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, '_'),
    target: nameOf(target),
  };
  if (stated.relationship.length > relationshipMaxChars) return null;
  if (!relationshipForm.test(stated.relationship)) return null;
  if (!isName(stated.source) || !isName(stated.target)) return null;
  return stated.source.toLowerCase() === stated.target.toLowerCase() ? null : stated;
}

/** Whoever speaks without a name. */
const self = 'User';

function nameOf(written: string): string {
  const name = written.trim();
  return /^(?:user|I|me)$/i.test(name) ? self : name;
}

function isName(name: string): boolean {
  return name.length <= nameMaxChars && /[\p{L}\p{N}]/u.test(name) && !unreadable.test(name);
}

/** Words in order, each between spaces: whole words are found by what stands around them. */
function foldedWords(text: string): string {
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** True where a name stands in a text as whole words, in scripts without spaces anywhere. */
function holds(words: string, name: string): boolean {
  const looked = foldedWords(name);
  return words.includes(spaceless.test(name) ? looked.trim() : looked);
}
