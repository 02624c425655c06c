import type { TranscriptTurn } from './transcript.ts';

/**
 * Finds the sentences of the user that matter later, without a model: general rules, preferences,
 * decisions, facts about "my" and "our" things, and requests to remember. Most other sentences are
 * about the current task. The rules know English words.
 */
export function durableTurns(turns: readonly TranscriptTurn[]): TranscriptTurn[] {
  return turns
    .filter(({ role }) => role === 'user')
    .map((turn) => ({ ...turn, content: durableSentences(turn.content) }))
    .filter(({ content }) => content !== '');
}

function durableSentences(text: string): string {
  const sentences = withoutCode(text).split(/(?<=[.!?])\s+|\n+/);
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => isDurable(sentence))
    .join('\n');
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, '\n');
}

/** Longer sentences are probably pasted. */
const sentenceMaxChars = 400;

function isDurable(sentence: string): boolean {
  if (sentence.length > sentenceMaxChars || /\?["')\]]*$/.test(sentence)) return false;
  return durableCues.some((cue) => cue.test(sentence));
}

const speakerState = "(?:['’](?:m|re|ve)| am| are| have| had)?(?: \\w+)?";
const speakerVerb =
  '(?:like|love|hate|use|work|live|own|speak|avoid|vegan|vegetarian|allergic|called)';
const ownedThing = "(?: [\\w'’.-]+){1,4}";
const stateVerb = '(?:is|are|was|were|has|have|runs?|uses?|lives?|belongs?)';

const durableCues = [
  /\b(?:remember|keep in mind|note that|don['’]t forget|for (?:the )?future|from now on)\b/i,
  /\b(?:always|never|by default|every time|whenever|as a rule)\b/i,
  /\b(?:prefer|preference|convention|policy|deadline|decided|decision|agreed)\b/i,
  new RegExp(`\\b(?:i|we)${speakerState} ${speakerVerb}\\b`, 'i'),
  new RegExp(`\\b(?:my|our)${ownedThing} ${stateVerb}\\b`, 'i'),
  /\b(?:call me|my name)\b/i,
];
