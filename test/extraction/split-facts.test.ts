import { expect, it } from 'vitest';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';

function memoriesOf(content: string): string[] {
  return extractStatements([{ role: 'user', content }]).statements.map(({ text }) => text);
}

it.each([
  ["I'm a nurse and live in Leeds.", ['User is a nurse', 'User lives in Leeds.']],
  [
    'My brother is a vet and lives in Ghent.',
    ["User's brother is a vet", "User's brother lives in Ghent."],
  ],
  [
    'My mother works in Ghent and lives in Leeds.',
    ["User's mother works in Ghent", "User's mother lives in Leeds."],
  ],
  [
    'My sports car is red and has two seats.',
    ["User's sports car is red", "User's sports car has two seats."],
  ],
  ['Irene is a vet and lives in Ghent.', ['Irene is a vet', 'Irene lives in Ghent.']],
  ['Ich bin Lehrer und wohne in Köln.', ['Ich bin Lehrer', 'Ich wohne in Köln.']],
  ['Je suis prof et habite à Lille.', ['Je suis prof', "J'habite à Lille."]],
  ['Vivo en Vigo y tengo dos hijos.', ['Vivo en Vigo', 'Tengo dos hijos.']],
  ['Я врач и живу в Туле.', ['Я врач', 'Я живу в Туле.']],
  ['我是医生，住在上海。', ['我是医生', '我住在上海。']],
])('"%s" becomes one memory a fact', (said, facts) => {
  expect(memoriesOf(said)).toEqual(facts);
});

it.each([
  'If I live in Leeds and work in York, I need a car.',
  "I can't eat nuts and drink milk.",
  'My brother juggles and lives in Ghent.',
])('"%s" stays whole, if it is stored', (said) => {
  expect(memoriesOf(said).length).toBeLessThan(2);
});
