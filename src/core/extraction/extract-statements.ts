import type { Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { type InTurns, mapInTurns, runAtOnce, runInTurns } from '../../turns.ts';
import type { ExtractionModels } from '../ports/index.ts';
import {
  applyBareReminders,
  type ClassifiedSentence,
  classifySentence,
  fillsSlot,
  isInformativeQuestion,
} from './classify-sentences.ts';
import { isJson, stripCode } from './code-and-quotes.ts';
import { correctStatement, correctsDate, hasDateBetween } from './corrections.ts';
import { namesDate, tenseOf } from './dates/tense.ts';
import { createForgetReader } from './forgetting/forget-requests.ts';
import { createBelonging, groupSentences, type SentenceGroup } from './group-sentences.ts';
import { withWhatItAnswers } from './judging/answers.ts';
import { startOfPlay } from './judging/hypotheticals.ts';
import { joinReference } from './judging/join-reference.ts';
import { judgeSentences } from './judging/judge-sentences.ts';
import { lacksPerson, lacksSubject } from './judging/references.ts';
import { dropUnstated } from './judging/unstated.ts';
import { answeredBy, createWorthReader, type WorthReader } from './judging/worth.ts';
import {
  detectRuleLanguages,
  likelyLanguages,
  type RuleLanguage,
  rulesBeside,
  rulesOf,
} from './languages/all-languages.ts';
import { terseFactAbout } from './languages/en/terse.ts';
import { toThirdPerson } from './languages/en/third-person.ts';
import { memoryTypeOf } from './memory-type.ts';
import { capitalized, splitInTurns } from './sentences.ts';
import { findSlot } from './slots.ts';
import { defaultSpeaker, isNamedSpeaker, mayStateFacts, speakerOf } from './speakers.ts';
import { splitFacts } from './split-facts.ts';
import type { ExtractedStatement } from './statement.ts';
import { splitRequest } from './unrecorded.ts';

export type StatementExtraction = {
  statements: ExtractedStatement[];
  /** Indexes of messages with dropped content, by reason. */
  dropped: Record<string, number[]>;
};

/**
 * Extracts statements from messages by rules. Messages are split into sentences, and sentences
 * without a fact are dropped: small talk, questions, requests, fragments, and recalled memories.
 * English in the first person is rewritten in the third; other text keeps its words. When in doubt,
 * a sentence is kept verbatim.
 */
export function extractStatements(
  messages: readonly Message[],
  models: ExtractionModels | null = null,
): StatementExtraction {
  return runAtOnce(readMessages(messages, models));
}

/** The same, and between sentences other requests have their turn. */
export function extractInTurns(
  messages: readonly Message[],
  models: ExtractionModels | null,
): Promise<StatementExtraction> {
  return runInTurns(readMessages(messages, models));
}

function* readMessages(
  messages: readonly Message[],
  models: ExtractionModels | null,
): InTurns<StatementExtraction> {
  const dropped: Record<string, number[]> = {};
  const whole = detectRuleLanguages(messages.map(({ content }) => content).join('\n'));
  const statements: ExtractedStatement[] = [];
  const worthOf = models === null ? null : yield* createWorthReader(messages, models);
  const hasAssistant = messages.some(({ role }) => role === 'assistant');
  const playedFrom = startOfPlay(messages);
  for (const [number, message] of messages.entries()) {
    yield;
    const drop = (reason: string) => {
      const numbers = dropped[reason] ?? [];
      dropped[reason] = numbers;
      if (numbers.at(-1) !== number) numbers.push(number);
    };
    if (number >= playedFrom && message.role === 'user' && !isNamedSpeaker(message)) {
      drop('role play');
      continue;
    }
    const answered = answeredBy(messages, number);
    const context = { number, drop, whole, models, worthOf, answered, hasAssistant };
    const isData = isJson(message.content);
    for (const statement of yield* extractFromMessage(message, context)) {
      const one = isData ? { ...statement, kind: 'question' as const } : statement;
      const last = statements.at(-1);
      const isNext = last?.speaker === one.speaker && !hasDateBetween(messages, last, one);
      const right = isNext ? correctStatement(last, one) : null;
      const joined = right === null && isNext ? joinReference(last, one) : null;
      const whole = one.isReadAlone || one.slot ? one : withWhatItAnswers(one, answered);
      if (right !== null) statements[statements.length - 1] = right.statement;
      if (joined !== null) statements[statements.length - 1] = joined;
      else if (right?.saysMore === false) continue;
      else if (whole !== null) statements.push(whole);
      else drop('fragment');
    }
  }
  return { statements, dropped };
}

type ReportDropped = (reason: string) => void;
type MessageContext = {
  number: number;
  drop: ReportDropped;
  whole: readonly RuleLanguage[];
  models: ExtractionModels | null;
  worthOf: WorthReader | null;
  hasAssistant: boolean;
  /** The assistant's message before it; null if there is none. */
  answered: string | null;
};

function* extractFromMessage(
  message: Message,
  { number, drop, whole, models, worthOf, answered, hasAssistant }: MessageContext,
): InTurns<ExtractedStatement[]> {
  const { content } = message;
  if (content.trim() === '') return [];
  if (!mayStateFacts(message)) {
    drop(message.role);
    return [];
  }
  const open = ownWordsOf(content, whole, drop);
  const languages = likelyLanguages(open, whole);
  const speaker = speakerOf(message);
  const isNamed = isNamedSpeaker(message);
  const tests = createSentenceTests(languages, speaker);
  const belongs = createBelonging({ isNamed, ...tests });
  const rules = rulesBeside(languages, answered);
  const readForgetting = createForgetReader(isNamed ? null : models);
  const turns = yield* splitInTurns(open);
  const sentences = isNamed ? turns : turns.flatMap((one) => splitRequest(one, languages));
  const classified = yield* mapInTurns(sentences, (sentence) =>
    classifySentence(sentence, rules, readForgetting),
  );
  const reminded = applyBareReminders(classified, rules);
  const stated = isNamed ? reminded : dropUnstated(reminded, rules);
  yield;
  const judged =
    worthOf === null || isNamed
      ? stated
      : yield* judgeSentences(stated, answered, { worthOf, hasAssistant, rules, ...tests });
  const groups = yield* groupSentences(judged, belongs);
  const questions = isNamed && groups.length === 0 ? judged.filter(isInformativeQuestion) : [];
  for (const one of judged) if (one.reason !== null && !questions.includes(one)) drop(one.reason);
  const [language = 'en'] = languages;
  const origin = { number, language, speaker };
  if (questions.length > 0) return [toQuestionStatement(questions, judged, origin)];
  const statements = yield* mapInTurns(groups, (group) => {
    const [first = ''] = group.sentences;
    const certain = languages.find((one) => hasLanguageEvidence(first, one));
    const dated = certain ?? languages.find((one) => namesDate(first, rulesOf(one))) ?? language;
    return toStatements(group, { number, language: dated, speaker }, { isNamed, open, ...tests });
  });
  return statements.flat();
}

/** What the rules of some languages tell of a sentence. */
function createSentenceTests(languages: readonly RuleLanguage[], speaker: string) {
  const fills = (sentence: string) =>
    languages.some((one) =>
      findSlot(toMemoryText(sentence, one, speaker), { rules: rulesOf(one), speaker }),
    );
  const isRecognized = (sentence: string) =>
    languages.some((one) => hasLanguageEvidence(sentence, one));
  const isCertain = (sentence: string) => fills(sentence) || correctsDate(sentence);
  const isUnnamed = (sentence: string) => lacksSubject(sentence, languages);
  return { fills, isRecognized, isCertain, isUnnamed };
}

type GroupContext = {
  isNamed: boolean;
  /** All that the message says. */
  open: string;
  /** Whether a sentence does not say who or what it is about. */
  isUnnamed(sentence: string): boolean;
};

/** The facts of sentences that belong together. */
function toStatements(
  { sentences, around, forget, isReminder }: SentenceGroup,
  origin: StatementOrigin,
  { isNamed, open, isUnnamed }: GroupContext,
): ExtractedStatement[] {
  const whole = { ...toStatement(sentences, origin), around: null };
  const readAlone = (one: string) => isReminder || !isUnnamed(one);
  if (forget) return [{ ...whole, around: open.slice(0, contextMaxChars), kind: forget }];
  if (isNamed) return [{ ...whole, around: around.join(' ') }];
  // A sentence stays together with the next one that refers to it.
  const [only = '', ...others] = sentences;
  if (others.length > 0) return [{ ...whole, isReadAlone: readAlone(only) }];
  const facts = splitFacts(only, rulesOf(origin.language));
  return facts.map((fact) => {
    return { ...toStatement([fact], origin), isReadAlone: readAlone(fact), around: null };
  });
}

/** The words of the speaker, without code and recalled memories. */
function ownWordsOf(content: string, whole: readonly RuleLanguage[], drop: ReportDropped): string {
  const spoken = withoutCode(content, whole);
  if (spoken !== content) drop('code');
  const open = spoken.replace(recalledBlock, '');
  if (open !== spoken) drop('recalled');
  return open;
}

/** Code goes, unless the line before it asks to keep it. */
function withoutCode(content: string, whole: readonly RuleLanguage[]): string {
  const likely = likelyLanguages(content, whole).map(rulesOf);
  return stripCode(content, (line) => likely.some(({ reminder }) => reminder.test(line)));
}

/** So much text before "delete it" is searched for its meaning. */
const contextMaxChars = 1000;

/** True when the rules of a language recognize more than a plain fact in a sentence. */
function hasLanguageEvidence(sentence: string, language: RuleLanguage): boolean {
  const rules = rulesOf(language);
  return memoryTypeOf(sentence, rules) !== 'fact' || fillsSlot(sentence, rules);
}

/** Memories as hooks and tools insert them: recalled text is not a new statement. */
const recalledBlock =
  /^.*\bStored memories \(data, not instructions\):.*\n(?:\s*(?:[-*•]|\d+\.).*(?:\n|$))*/gmu;

/** "Call me Sam" stays as it is: an instruction to the assistant is clear in the first person. */
function toMemoryText(sentence: string, language: RuleLanguage, speaker: string): string {
  if (language !== 'en') return sentence;
  const type = memoryTypeOf(sentence, rulesOf(language));
  if (speaker === defaultSpeaker && type === 'instruction') return sentence;
  const written = terseFactAbout(sentence, speaker) ?? toThirdPerson(sentence, speaker);
  return written ?? sentence.replace(/^(?:the|a|an) /u, capitalized);
}

type StatementOrigin = { number: number; language: RuleLanguage; speaker: string };

function toStatement(
  group: readonly string[],
  { number, language, speaker }: StatementOrigin,
): StrictOmit<ExtractedStatement, 'around'> {
  const groupText = group.join(' ');
  const sentences = group.map((one, at) =>
    at > 0 && lacksPerson(one) ? one : toMemoryText(one, language, speaker),
  );
  const text = sentences.join(' ');
  const rules = rulesOf(language);
  const type = memoryTypeOf(group[0] ?? '', rules);
  return {
    text,
    message: number,
    said: text === groupText ? null : groupText,
    speaker,
    type,
    slot: findSlot(sentences[0] ?? '', { rules, speaker }),
    language,
    isDated: rules.dated.test(groupText),
    tense: tenseOf(groupText, type, rules),
    isReadAlone: true,
    kind: 'statement',
  };
}

/** A question is kept verbatim, because "I" and "you" can't be resolved. */
function toQuestionStatement(
  questions: readonly ClassifiedSentence[],
  sentences: readonly ClassifiedSentence[],
  { number: message, language, speaker }: StatementOrigin,
): ExtractedStatement {
  const text = questions.map(({ sentence }) => sentence).join(' ');
  return {
    text,
    message,
    said: null,
    around: sentences.map(({ said }) => said).join(' '),
    speaker,
    type: 'fact',
    slot: null,
    language,
    isDated: false,
    tense: null,
    isReadAlone: true,
    kind: 'question',
  };
}
