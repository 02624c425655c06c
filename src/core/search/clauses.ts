import { questionTermsOf } from '../language/question-terms.ts';
import { englishQuery } from '../language/resolve-languages.ts';

/** More things are seldom asked at once, and each is a search of its own. */
const clausesMax = 4;

/**
 * The things that a text asks, each as a question that can be searched for by itself: "Where does
 * Ann live, and what does she eat?" asks two. What only refers to the thing asked before it, by a
 * pronoun or without a word of its own, is searched for together with it.
 */
export function clausesOf(query: string): string[] {
  const clauses: string[] = [];
  for (const part of query.split(boundary)) {
    const text = part.trim();
    if (text === '') continue;
    const last = clauses.at(-1);
    if (isAboutNothing(text)) {
      if (last === undefined) clauses.push(text);
      else clauses[clauses.length - 1] = `${last} ${text}`;
    } else clauses.push(last !== undefined && reference.test(text) ? `${last} ${text}` : text);
  }
  return clauses.length > clausesMax ? [query] : clauses;
}

/** What a question begins with, in the languages whose meaning the tables of the package know. */
const questionWord =
  'what|who|whom|whose|where|when|which|why|how|do|does|did|is|are|was|were|can|has|have|' +
  'was|wer|wen|wem|wessen|wo|wohin|woher|wann|welche[rmns]?|warum|wie|' +
  "qui|que|quoi|où|quand|quel(?:le)?s?|pourquoi|comment|combien|qu'|" +
  'qué|quién|quiénes|dónde|cuándo|cuáles|cuál|cómo|cuánto|' +
  'chi|che|cosa|dove|quando|quale|quali|perché|come|quanto|' +
  'quem|onde|qual|quais|como|por que|' +
  'кто|что|где|когда|какой|какая|какие|как|почему|сколько';

/** The end of a sentence, and "and" before a word that begins a question. */
const boundary = new RegExp(
  '(?<=[?!。？！])\\s*|(?<=\\p{L}{3}\\.)\\s+|;\\s+|' +
    '(?:,\\s{0,3})?(?<=[\\s,])(?:and|und|et|y|e|и)\\s{1,3}(?:also\\s|auch\\s)?' +
    `(?=(?:${questionWord})[\\s'’]\\s{0,3}\\p{L})`,
  'iu',
);

/** Whether a question is not complete without the one before it. */
export function refersBack(text: string): boolean {
  return reference.test(text) || continued.test(text) || isAboutNothing(text);
}

function isAboutNothing(text: string): boolean {
  return questionTermsOf(text, englishQuery).length === 0;
}

/** "And in March?" */
const continued = /^(?:and|und|et|y|e|и|what about|how about)(?!\p{L})/iu;

const reference =
  /(?<!\p{L})(?:he|him|his|she|her|hers|it|its|they|them|their|there|er|ihn|ihm|sein\p{L}{0,2}|ihr\p{L}{0,2}|il|elle|ils|elles|lui|leurs?|ella|ellos|lei|loro|ele|eles|он|она|они|его|её|их)(?!\p{L})/iu;
