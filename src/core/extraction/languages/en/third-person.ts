import { baseForms, isFiniteVerb, pastForms } from './verbs.ts';

/**
 * Rewrites an English sentence about the speaker as one about `name`: "I live in Rome with my wife"
 * becomes "User lives in Rome with their wife". Null if there is nothing to rewrite, or if no rule
 * is certain to keep the meaning: then it stays as it was said.
 */
export function toThirdPerson(sentence: string, name: string): string | null {
  const text = sentence.replaceAll('’', "'").replace(missingApostrophe, "I'$<rest>");
  if (!firstPerson.test(text) || otherPersons.test(text) || quotationMarks.test(text)) return null;
  if (questionVerb.test(text)) return null;
  const together = rewriteCoupleSubject(text, name);
  if (together !== null) return together;
  const writing: RewriteState = { name, mentioned: false, text: '', clause: null };
  let rest = text;
  for (;;) {
    const match = firstPerson.exec(rest);
    if (match === null) return capitalize(writing.text + rest);
    const before = rest.slice(0, match.index);
    rest = rest.slice(match.index + match[0].length);
    const isSubject = match[0].toLowerCase() === 'i';
    if (writing.clause !== null) writing.clause += before;
    if (sentenceEnd.test(before)) writing.mentioned = false;
    const again = isSubject && goesOn(writing) ? nextVerb(rest) : null;
    const written = again ?? rewritePronoun(match[0], rest, writing);
    if (written === null) return null;
    writing.text += before + written.text;
    if (isSubject) writing.clause = again !== null || !writing.mentioned ? '' : null;
    else if (writing.clause !== null) writing.clause += written.text;
    writing.mentioned = true;
    rest = rest.slice(written.used);
  }
}

/** "im" and "ive" as pronouns, not as a word or a name. */
export const missingApostrophe = new RegExp(
  '(?<=^|[,;] |\\b(?:and|but|so|because|since|that|when|if|while|cuz) )' +
    '[Ii](?<rest>m|ve)(?= \\p{L})',
  'gu',
);

const firstPerson = new RegExp(
  "(?<![\\p{L}\\p{N}'.-])(?:I|i(?=[ '])|me|my|mine|myself|Me|My|Mine|Myself)" +
    '(?![\\p{L}\\p{N}-]|\\.\\p{L})',
  'u',
);

/** Addressed to somebody, or about several people: one sentence does not say who is who. */
const otherPersons =
  /(?<!\p{L})(?:you|your|yours|yourself|we|us|our|ours|let's|we're|we've)(?!\p{L})/iu;

/** "What do I bring": a question, whose verb stands before its subject. */
const questionVerb =
  /(?<!\p{L})(?:do|did|can|could|should|would|will|shall|am|was|have|must|may|might) i(?!\p{L})/iu;

/** "I get up at 6 a.m. I run then": the name again. */
const sentenceEnd = /[.!?]['")]?\s+$/;

const quotationMarks = /["“”«»]/;

type RewriteState = {
  name: string;
  mentioned: boolean;
  text: string;
  /** What follows the verb of the speaker; null if the subject may be somebody else. */
  clause: string | null;
};
type RewrittenPronoun = { text: string; used: number };

function rewritePronoun(
  word: string,
  rest: string,
  { name, mentioned }: RewriteState,
): RewrittenPronoun | null {
  switch (word.toLowerCase()) {
    case 'my':
      return { text: mentioned ? 'their' : `${name}'s`, used: 0 };
    case 'me':
      return { text: mentioned ? 'them' : name, used: 0 };
    case 'mine':
      return { text: mentioned ? 'theirs' : `${name}'s`, used: 0 };
    case 'myself':
      return mentioned ? { text: 'themselves', used: 0 } : null;
    default:
      return mentioned ? laterPronoun(rest) : firstPronoun(rest, name);
  }
}

/** "I live in Rome and I" goes on about the same subject, and "I think she left and I" may not. */
function goesOn({ clause }: RewriteState): boolean {
  const words = clause === null ? null : /^(?<before>.*?),? (?:and|but) $/u.exec(clause)?.groups;
  return words?.before !== undefined && !words.before.split(/[\s,]+/u).some(isFiniteVerb);
}

/** The verb alone, in place of "they" and the verb: "User lives in Rome and works in Ostia". */
function nextVerb(rest: string): RewrittenPronoun | null {
  const written = firstPronoun(rest, '');
  return written === null ? null : { ...written, text: written.text.trimStart() };
}

const secondVerb =
  /^(?<short>'m|'ve|'ll|'d)?(?:(?<gap> (?:\p{L}+ly )?)(?<be>am|was|wasn't)(?!\p{L}))?/u;
const pluralVerbs: Readonly<Record<string, string>> = {
  am: 'are',
  was: 'were',
  "wasn't": "weren't",
};

/** "They" takes the same verb as "I", except for "am" and "was". */
function laterPronoun(rest: string): RewrittenPronoun | null {
  const match = secondVerb.exec(rest);
  const { short = '', be, gap = '' } = match?.groups ?? {};
  const used = match?.[0].length ?? 0;
  const verb = be === undefined ? '' : `${gap}${pluralVerbs[be]}`;
  return { text: `they${short === "'m" ? "'re" : short}${verb}`, used };
}

const adverbs =
  '(?:(?:also|really|just|still|never|always|often|usually|sometimes|recently|currently|now|only|' +
  'actually|definitely|probably|already|finally|mostly|even|absolutely|truly|simply|rarely|' +
  'seldom|generally|typically|normally|occasionally|originally|previously|once|ever|personally|' +
  'completely|totally|both|certainly|mainly|primarily|regularly|gladly|proudly|genuinely|' +
  'honestly|kind of|sort of|no longer|strongly|highly|greatly|officially) )*';

const contractions: Readonly<Record<string, string>> = {
  "'m": ' is',
  "'ve": ' has',
  "'ll": ' will',
};

const wouldVerb = /^'d(?= (?:\p{L}+ly )?(?:like|love|prefer|rather|be|hate|enjoy|want)(?!\p{L}))/u;
const firstVerb = new RegExp(`^ (?<adverbs>${adverbs})(?<verb>[\\p{L}']+)`, 'u');

function firstPronoun(rest: string, name: string): RewrittenPronoun | null {
  const short = /^'(?:m|ve|ll)(?!\p{L})/u.exec(rest)?.[0];
  if (short !== undefined) {
    if (hasCoordinatedVerb(rest.slice(short.length))) return null;
    return { text: `${name}${contractions[short]}`, used: short.length };
  }
  if (wouldVerb.test(rest)) return { text: `${name} would`, used: 2 };
  const match = firstVerb.exec(rest);
  if (match?.groups === undefined) return null;
  const { adverbs: before = '', verb = '' } = match.groups;
  const inflected = thirdPerson(verb.toLowerCase());
  if (inflected === null) return null;
  // "I live in Rome and work in Ostia": a verb after "and" must agree as well.
  if (inflected !== verb && hasCoordinatedVerb(rest.slice(match[0].length))) return null;
  return { text: `${name} ${before}${inflected}`, used: match[0].length };
}

const clausePattern = new RegExp(
  '(?:,|\\band\\b|\\bbut\\b|\\bor\\b|\\bthen\\b) +' +
    '(?:(?:also|then|never|always|usually|often|sometimes|really|just|still|now) )*' +
    "(?<word>[\\p{L}']+)",
  'gu',
);

/** True if there may be a second verb after the first one. */
function hasCoordinatedVerb(after: string): boolean {
  return [...after.matchAll(clausePattern)].some(({ groups }) => {
    const word = groups?.word?.toLowerCase() ?? '';
    return agreeingVerbs.has(word) || baseForms.has(word);
  });
}

const agreeingVerbs = new Set(['am', 'have', "don't", "haven't", 'do', 'go']);

const irregularThirdPerson: Readonly<Record<string, string>> = {
  am: 'is',
  was: 'was',
  have: 'has',
  do: 'does',
  "don't": "doesn't",
  dont: "doesn't",
  "haven't": "hasn't",
  go: 'goes',
};

const invariantVerbs = new Set(
  (
    "can could will would should must might may can't cant cannot couldn't won't wouldn't " +
    "shouldn't mustn't didn't didnt hadn't wasn't had did quit used"
  ).split(' '),
);

/** The verb as it follows a name; null if that is uncertain. */
function thirdPerson(verb: string): string | null {
  const irregular = irregularThirdPerson[verb];
  if (irregular !== undefined) return irregular;
  if (invariantVerbs.has(verb) || pastForms.has(verb)) return verb;
  if (baseForms.has(verb)) return inflect(verb);
  return /[^e]ed$/.test(verb) && verb.length > 4 ? verb : null;
}

function inflect(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

const coupleSubject = /^My (?<who>\p{L}+) and I (?!am\b)(?<rest>.+)$/su;

/** "My wife and I moved": the verb is already plural. */
function rewriteCoupleSubject(text: string, name: string): string | null {
  const { who, rest } = coupleSubject.exec(text)?.groups ?? {};
  if (who === undefined || rest === undefined) return null;
  const owned = rest.replace(/\bmy\b/g, 'their');
  return firstPerson.test(owned) ? null : `${name} and their ${who} ${owned}`;
}

function capitalize(text: string): string {
  // "iPhone" keeps its lower case at the beginning of a sentence.
  if (/^\p{Ll}\p{Lu}/u.test(text)) return text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
