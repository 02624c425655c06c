import type { StoredMemory } from '../ports/index.ts';
import type { AnalyzedMemory } from './analyzed-memory.ts';

const conjunctions = 'but|because|since|which|who|where|when|while|although|though';
const nextClauseStart = 'I|has|have|is|am|was|likes?|loves?|works?|lives?|wants?';
/** The end of a thought: punctuation outside numbers, or the start of another thought. */
const clauseEndPattern = new RegExp(
  `[.!?;\\n()](?!\\d)|\\s(?:${conjunctions}|and (?:${nextClauseStart}))\\b`,
);
const commaPattern = /,(?!\d)/;
const valueMaxChars = 80;

/** The text from there to the end of its thought; null if nothing there is usable. */
export function valueAt(text: string, start: number): string | null {
  const [value = ''] = clauseAt(text, start).split(commaPattern);
  return trimValue(value);
}

/** The several values that stand there: "chess, climbing and pottery". */
export function valuesAt(text: string, start: number): string[] {
  const values = clauseAt(text, start).split(/,\s+(?:(?:and|or)\s+)?|(?<!\s)\s+(?:and|or)\s+/);
  return values.map(trimValue).filter((value) => value !== null);
}

function clauseAt(text: string, start: number): string {
  const rest = text.slice(start, start + 10 * valueMaxChars);
  const end = rest.search(clauseEndPattern);
  return end === -1 ? rest : rest.slice(0, end);
}

function trimValue(part: string): string | null {
  const value = part.replace(/^[\s:="'“”*-]+|["'“”*\s]+$/g, '');
  if (value === '' || value.length > valueMaxChars || evasionPattern.test(value)) return null;
  return value.replace(/^(?:an?|the)\s+/i, '');
}

const evasionPattern = /^(?:not|no longer|never|unknown|undecided|unclear|n\/a)\b/i;

/** The capitalised words that stand there: a name of a person, a place or a company. */
export function properNameAt(text: string, start: number): string | null {
  properNamePattern.lastIndex = start;
  return properNamePattern.exec(text)?.[1] ?? null;
}

const nameWord = "\\p{Lu}[\\p{L}\\p{M}\\p{N}&'’-]*";
const particle = '(?:(?:of|de|da|do|del|la|le|van|von|der|den|the) )*';
const properNamePattern = new RegExp(`\\s*(${nameWord}(?: ${particle}${nameWord}){0,4})`, 'uy');

const pastMarkers = 'used to|formerly|previously|no longer';
const chanceMarkers = 'might|maybe|perhaps|may be|if';
const intentMarkers =
  'would like|wants? to|wish(?:es)?|hop(?:es|ing) to|plans? to|planning to|considering';
const doubtPattern = new RegExp(
  `\\b(?:${pastMarkers}|${chanceMarkers}|${intentMarkers}|thinking (?:of|about))\\b`,
  'i',
);
const denialPattern = /\b(?:not|no|never|without|cannot|neither|nor)\b|n['’]t\b/i;

/** How a sentence speaks before a position: of what is, is not, or was or may be. */
export function assertionBefore(text: string, position: number): 'plain' | 'denied' | 'doubtful' {
  const before = sentenceBefore(text, position);
  if (doubtPattern.test(before)) return 'doubtful';
  return denialPattern.test(before) ? 'denied' : 'plain';
}

/**
 * True when what stands there is said of somebody else than the memory is about: of "my sister",
 * of "Ana's dog". Whom it is about, an id or the speaker's name tells.
 */
export function isAboutSomeoneElse({ text, memory }: AnalyzedMemory, position: number): boolean {
  const before = sentenceBefore(text, position);
  if (/\b(?:my|his|her|their|our)\s+\p{L}+\s/iu.test(before)) return true;
  const owners = [...before.matchAll(possessivePattern)].map(([, owner = '']) => owner);
  return owners.some((owner) => !contractedPronouns.test(owner) && !isMemoryOwner(owner, memory));
}

/** Tried at the start of a word only, so that a text without spaces costs no more than another. */
const possessivePattern = /(?<![\p{L}\p{N}_.-])([\p{L}\p{N}_.-]+)['’]s?\s/gu;

/** "It's" and "who's" own nothing. */
const contractedPronouns = /^(?:it|that|he|she|there|here|what|who|how|let)$/i;

function isMemoryOwner(owner: string, { user_id, agent_id, speaker }: StoredMemory): boolean {
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
