import type { StoredMemory } from '../ports.ts';
import type { Source } from './source.ts';

/** What ends a value: punctuation that is not within a number, or the start of another thought. */
const stop =
  /[.!?;,\n()](?!\d)|\s(?:but|because|since|which|who|where|when|while|although|though|and (?:I|has|have|is|am|was|likes?|loves?|works?|lives?|wants?))\b/;
const valueMaxChars = 80;

/** What stands from there to the end of its thought; null when nothing usable does. */
export function valueAt(text: string, start: number): string | null {
  const rest = text.slice(start, start + 2 * valueMaxChars).replace(/^[\s:="'“”*-]+/, '');
  const end = rest.search(stop);
  const value = (end === -1 ? rest : rest.slice(0, end)).replace(/["'“”*\s]+$/, '');
  if (value === '' || value.length > valueMaxChars || evasion.test(value)) return null;
  return value.replace(/^(?:an?|the)\s+/i, '');
}

const evasion = /^(?:not|no longer|never|unknown|undecided|unclear|n\/a)\b/i;

/** The capitalised words that stand there: a name of a person, a place or a company. */
export function properNameAt(text: string, start: number): string | null {
  properName.lastIndex = start;
  return properName.exec(text)?.[1] ?? null;
}

const nameWord = "\\p{Lu}[\\p{L}\\p{M}\\p{N}&'’-]*";
const particle = '(?:(?:of|de|da|do|del|la|le|van|von|der|den|the) )*';
const properName = new RegExp(`\\s*(${nameWord}(?: ${particle}${nameWord}){0,4})`, 'uy');

const doubt =
  /\b(?:used to|formerly|previously|no longer|might|maybe|perhaps|may be|would like|wants? to|wish(?:es)?|hop(?:es|ing) to|plans? to|planning to|considering|thinking (?:of|about)|if)\b/i;
const denial = /\b(?:not|no|never|without|cannot|neither|nor)\b|n['’]t\b/i;

/** How a sentence speaks before a position: of what is, is not, or was or may be. */
export function toneBefore(text: string, position: number): 'plain' | 'denied' | 'doubtful' {
  const before = sentenceBefore(text, position);
  if (doubt.test(before)) return 'doubtful';
  return denial.test(before) ? 'denied' : 'plain';
}

/**
 * True when what stands there is said of somebody else than the memory is about: of "my sister",
 * of "Ana's dog". Whom it is about, an id or the speaker's name tells.
 */
export function isOfAnother({ text, memory }: Source, position: number): boolean {
  const before = sentenceBefore(text, position);
  if (/\b(?:my|his|her|their|our)\s+\p{L}+\s/iu.test(before)) return true;
  const owners = [...before.matchAll(/([\p{L}\p{N}_.-]+)['’]s?\s/gu)].map(
    ([, owner = '']) => owner,
  );
  return owners.some((owner) => !contracted.test(owner) && !isSelf(owner, memory));
}

/** "It's" and "who's" own nothing. */
const contracted = /^(?:it|that|he|she|there|here|what|who|how|let)$/i;

function isSelf(owner: string, { user_id, agent_id, speaker }: StoredMemory): boolean {
  const name = owner.toLowerCase();
  if (name === 'user') return true;
  return [user_id, agent_id, speaker].some((id) => id?.toLowerCase().split(/\W+/).includes(name));
}

function sentenceBefore(text: string, position: number): string {
  return (
    text
      .slice(0, position)
      .split(/[.!?;]\s|\n/)
      .at(-1) ?? ''
  );
}
