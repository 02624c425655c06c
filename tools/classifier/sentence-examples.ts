import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type SentenceContext,
  sentenceFeatures,
  textToEmbed,
} from '../../src/core/extraction/classifier/sentence-features.ts';
import { needsWhatItAnswers } from '../../src/core/extraction/judging/answers.ts';
import { contextsOf } from '../../src/core/extraction/judging/worth.ts';
import { splitSentences } from '../../src/core/extraction/sentences.ts';
import type { Example } from './logistic.ts';

/**
 * Whether a sentence will help in a month, in another conversation, and whether it says so by
 * itself or only as an answer to what the assistant said.
 */
export const sentenceLabels = ['passing', 'fact', 'answer'] as const;

/** `kind`: its language, or `plain` for a sentence without a conversation. */
export type LabelledSentence = Example & { kind: string };

/** A message of a user, cut into parts by its author, and the assistant's message before it. */
type Turn = { language: string; answered: string | null; parts: Part[] };
type Part = { label: string; text: string };
type Embed = (text: string) => Float32Array | null;

/** Examples of all that is labelled in two folders; README.md says what their files hold. */
export function sentenceExamples(
  { tools, judged }: { tools: string; judged: string },
  embed: Embed,
): LabelledSentence[] {
  const turns = [
    ...readTurns(join(tools, 'conversations')),
    ...readTurns(join(tools, 'turns')),
    ...readJudged(judged),
  ];
  const placed = turns.flatMap((turn, group) => placedParts(turn, group));
  return [...placed, ...plainSentences(join(tools, 'sentences'), placed)].map(
    ({ text, around, label, group, kind }) => ({
      features: sentenceFeatures(text, around),
      vector: embed(textToEmbed(text, around)),
      ...{ label, group, kind },
    }),
  );
}

/** A sentence or part of one, where it stands in a message, and its class. */
type Placed = {
  text: string;
  around: SentenceContext;
  label: number;
  group: number;
  kind: string;
};

/** The parts of a turn, and its sentences of several parts. */
function placedParts({ language, answered, parts }: Turn, group: number): Placed[] {
  const place = (texts: readonly string[], at: number, labels: readonly string[]) => {
    const around = contextsOf(texts, answered)[at] as SentenceContext;
    return { text: texts[at] ?? '', around, label: classOf(labels), group, kind: language };
  };
  const texts = parts.map(({ text }) => text);
  const sentences = sentencesOf(parts, language);
  const whole = sentences.map(({ text }) => text);
  const several = sentences.flatMap(({ labels }, at) =>
    labels.length < 2 ? [] : [place(whole, at, labels)],
  );
  return [...parts.map(({ label }, at) => place(texts, at, [label])), ...several];
}

/**
 * Plain facts and moods, each at some places of the messages of its language: most facts of
 * messages stand among tasks and moods, where a short one would be taken for such.
 */
function plainSentences(folder: string, placed: readonly Placed[]): Placed[] {
  const groups = 1 + Math.max(...placed.map(({ group }) => group));
  return readdirSync(folder).flatMap((file) => {
    const language = file.slice(0, 2);
    const places = placed.filter((one) => one.kind === language).map(({ around }) => around);
    const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1);
    return lines
      .map((line) => line.split('\t'))
      .filter(
        ([label = '', , role]) => role === 'user' && (label === 'state' || factLabels.has(label)),
      )
      .flatMap(([label = '', , , text = ''], index) =>
        placesOfPlain.map((step) => {
          const { previous, next } = places[(index * step) % places.length] as SentenceContext;
          const around = { answered: null, previous, next, quoted: 0 };
          return { text, around, label: classOf([label]), group: groups + index, kind: 'plain' };
        }),
      );
  });
}

/** Primes, so that they stand in different places. */
const placesOfPlain = [7, 11, 13] as const;

/** The class of what holds such parts, as an index of the labels. */
function classOf(labels: readonly string[]): number {
  if (labels.some((label) => factLabels.has(label))) return 1;
  return labels.some((label) => label === 'answer' || label === 'agreed') ? 2 : 0;
}

const factLabels: ReadonlySet<string> = new Set(['fact', 'correct', 'forget']);

/** The sentences of a turn as the program splits them, and the labels of their parts. */
function sentencesOf(
  parts: readonly Part[],
  language: string,
): { text: string; labels: string[] }[] {
  const joint = /^(?:ja|zh)$/.test(language) ? '' : ' ';
  const whole = parts.map(({ text }) => text).join(joint);
  let start = 0;
  const spans = parts.map(({ label, text }) => {
    const end = start + text.length;
    const span = { label, start, end };
    start = end + joint.length;
    return span;
  });
  let place = 0;
  return splitSentences(whole).map((text) => {
    const from = Math.max(place, whole.indexOf(text, place));
    place = from + text.length;
    const inside = spans.filter((one) => Math.min(one.end, place) - Math.max(one.start, from) > 2);
    return { text, labels: inside.map(({ label }) => label) };
  });
}

/**
 * Blocks of lines with a blank line between them: `< ` and the assistant's message, then the parts
 * of the turn, each with its label and a tab before it. `# ` begins a comment.
 */
function readTurns(folder: string): Turn[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const blocks = readFileSync(join(folder, file), 'utf8').split(/\n\n+/);
      return blocks.map((block) => readTurn(block, file.slice(0, 2)));
    })
    .filter(({ parts }) => parts.length > 0);
}

function readTurn(block: string, language: string): Turn {
  const lines = block.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# '));
  const answered = lines.find((line) => line.startsWith('< '))?.slice(2) ?? null;
  const parts = lines
    .filter((line) => !line.startsWith('< '))
    .map((line) => {
      const [label = '', text = ''] = line.split('\t');
      return { label, text };
    });
  return { language, answered, parts };
}

/** Sentences of the development conversations of `test/extraction`, which a reader judged. */
function readJudged(folder: string): Turn[] {
  const lines = <T>(file: string): T[] =>
    readFileSync(join(folder, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const conversations = lines<JudgedConversation>('development.jsonl');
  const sentences = lines<JudgedSentence>('development-sentences.jsonl');
  return conversations
    .flatMap(({ id, language, messages }) =>
      messages.map(({ content }, index) => {
        const before = messages[index - 1];
        const answered = before?.role === 'assistant' ? before.content : null;
        const lastingLabel = (sentence: string) =>
          answered !== null && needsWhatItAnswers(sentence) ? 'answer' : 'fact';
        const own = sentences.filter((one) => one.id === id && content.includes(one.sentence));
        return {
          language,
          answered: before?.role === 'assistant' ? before.content : null,
          parts: own.map(({ sentence, verdict }) => {
            return {
              label: verdict === 'passing' ? 'state' : lastingLabel(sentence),
              text: sentence,
            };
          }),
        };
      }),
    )
    .filter(({ parts }) => parts.length > 0);
}

type JudgedConversation = {
  id: string;
  language: string;
  messages: { role: string; content: string }[];
};
type JudgedSentence = { id: string; sentence: string; verdict: 'lasting' | 'passing' | 'mixed' };
