import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/models/classifiers.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
import { splitClauses } from '../../src/core/extraction/judging/clauses.ts';

const models = openExtractionModels(() => {});

type Said = string | readonly [assistant: string, user: string];

/** The memories of a message of a user, and of what the assistant said before it. */
function remembered(said: Said): string[] {
  const [assistant, user] = typeof said === 'string' ? [null, said] : said;
  const before = assistant === null ? [] : [{ role: 'assistant' as const, content: assistant }];
  const { statements } = extractStatements([...before, { role: 'user', content: user }], models);
  return statements.map(({ text }) => text);
}

/** The English facts of `test/search/paraphrase/development`, which no classifier learned from. */
function plainFacts(): string[] {
  const folder = 'test/search/paraphrase/development';
  return readdirSync(folder)
    .filter((file) => /\d\.jsonl$/.test(file))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .map((line): { type: string; text: string } => JSON.parse(line))
    .filter(({ type, text }) => type === 'fact' && /^\p{Lu}/u.test(text))
    .map(({ text }) => `${text.replace(/[.!?]$/, '')}.`);
}

describe('a fact that stands in a request', () => {
  it.each([
    [
      'Which trail is easy enough, since my knee was operated on in March?',
      "User's knee was operated on in March",
    ],
    [
      'What can I cook tonight, because my son is allergic to nuts and eggs?',
      "User's son is allergic to nuts and eggs",
    ],
  ])('is cut out of "%s"', (said, fact) => {
    expect(remembered(said)).toEqual([fact]);
  });

  it.each([
    'Which trail is easy enough, and how long does it take?',
    'Make the title smaller, please.',
  ])('is not found in "%s"', (said) => {
    expect(remembered(said)).toEqual([]);
  });
});

describe('a short answer', () => {
  it.each([
    ['Which editor do you use?', 'Helix', 'User uses Helix as their editor'],
    ['Nice! And where do you live?', 'luton', 'User lives in luton'],
    ['How many cats do you have?', 'three', 'User has three cats'],
    ['Do you have any allergies?', 'none', 'User has no allergies'],
    [
      "What's your sister called, and what is your blood type?",
      'O neg',
      "User's blood type is O neg",
    ],
  ])('to "%s" becomes a whole fact: "%s"', (asked, answer, fact) => {
    expect(remembered([asked, answer])).toEqual([fact]);
  });

  it('is kept with what it answers where no form is certain', () => {
    expect(remembered(['How far would you travel for the course?', '20 min by bike'])).toEqual([
      'Assistant: "How far would you travel for the course?" User: "20 min by bike"',
    ]);
  });
});

it.each([
  "Ugh. I'm so tired today.",
  'aaand the build is red again. what now?',
  'Right. I am looking at the error now.',
])('passing words among others are not memories: "%s"', (said) => {
  expect(remembered(['Here is the draft.', said])).toEqual([]);
});

describe('a plain fact', () => {
  it.each([
    ['I am vegan. Thanks!', 'User is vegan.'],
    ['Hi! I drink green tea.', 'User drinks green tea.'],
    ['I work nights. Cheers', 'User works nights.'],
  ])('is a memory beside a greeting or thanks: "%s"', (said, fact) => {
    expect(remembered(said)).toEqual([fact]);
  });

  it('is kept beside another, whatever both are about', () => {
    const facts = plainFacts();
    const kept = facts.filter((fact, index) => {
      const next = facts[(index + 1) % facts.length] as string;
      return remembered(`${next} ${fact}`).length > 1;
    });

    expect(facts.length).toBeGreaterThan(200);
    expect(kept.length / facts.length).toBeGreaterThan(0.9);
  });
});

it('one sentence alone is what somebody wants to be remembered', () => {
  expect(remembered('Now it compiles with Clang.')).toEqual(['Now it compiles with Clang.']);
});

it('an answer about the task at hand is not a memory', () => {
  expect(remembered(['Do you want a list?', 'no'])).toEqual([]);
});

it('clauses are the whole sentence again when joined', () => {
  const sentence =
    'We moved (in May), and my knee, which was operated on - twice - hurts; so what?';

  expect(splitClauses(sentence).join('')).toBe(sentence);
});

describe('what a program wrote', () => {
  it.each([
    '[ERROR] 2024-02-11 03:12:44 worker-7 OOMKilled exit=137 restarting in 5s',
    "thread 'main' panicked at src/main.rs:41:17: index out of bounds: the len is 3",
    'java.lang.IllegalStateException: the pool is closed and nothing is left',
    'Traceback (most recent call last): the file is gone',
  ])('is not stored: "%s"', (said) => {
    expect(remembered(said)).toEqual([]);
  });

  it.each([
    'Error messages in our app are written in German by my team.',
    'I fixed ECONNREFUSED by binding my server to 127.0.0.1.',
  ])('is told from what is said about it: "%s"', (said) => {
    expect(remembered(said)).toHaveLength(1);
  });
});
