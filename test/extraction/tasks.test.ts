import { expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/models/classifiers.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';

const models = openExtractionModels(() => {});

function memoriesOf(...contents: string[]): string[] {
  const messages = contents.map((content) => ({ role: 'user' as const, content }));
  return extractStatements(messages, models).statements.map(({ text }) => text);
}

it.each([
  'And drop the second paragraph, please.',
  "Take out 'sincerely', nobody writes that.",
  'Streich bitte den letzten Absatz.',
  'Enlevez juste le dernier paragraphe.',
  'Quita el segundo párrafo.',
  'Togli il secondo paragrafo.',
  'Tira o segundo parágrafo.',
  'Убери второй абзац.',
  '二段落目を消してください。',
  '请帮我删掉第二段。',
])('a task leaves nothing: "%s"', (said) => {
  expect(memoriesOf(said)).toEqual([]);
});

it('what is stated beside a task is kept without it', () => {
  expect(memoriesOf('My daughter Mia is allergic to nuts, so suggest a cake for her.')).toEqual([
    "User's daughter Mia is allergic to nuts",
  ]);
});

it.each([
  "I'm at the gate and the flight is late, tell me a riddle.",
  'Sitze im Zug, erzähl mir was.',
])('why it is asked now passes: "%s"', (said) => {
  expect(memoriesOf(said)).toEqual([]);
});

it.each(['Always write the date first.', 'From now on, give me the short version.'])(
  'what is to hold for good stays: "%s"',
  (said) => {
    expect(memoriesOf(said)).toHaveLength(1);
  },
);

it.each([
  'Suppose I lived in Rome and had a boat.',
  'Angenommen, ich wäre Pilot in Wien.',
  'Imaginons que je vive à Rome avec mes parents.',
  'Supongamos que vivo en Lugo.',
  'Immagina che io viva a Roma.',
  'Digamos que eu more em Braga.',
  'Допустим, я живу в Риме.',
  '假设我住在罗马。',
])('what is supposed leaves nothing: "%s"', (said) => {
  expect(memoriesOf(said)).toEqual([]);
});

it('what somebody says in a part that they play is not about them', () => {
  expect(
    memoriesOf(
      "Let's play: you're a smith and I'm a knight.",
      'My name is Sir Bors, I have a horse.',
    ),
  ).toEqual([]);
});

it('what somebody says to an assistant with a part is about them', () => {
  expect(memoriesOf('Act as a career coach.', 'I am a nurse in Leeds.')).toEqual([
    'User is a nurse in Leeds.',
  ]);
});
