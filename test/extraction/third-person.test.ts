import { expect, it } from 'vitest';
import { toThirdPerson } from '../../src/core/extraction/languages/en/third-person.ts';

it.each([
  ['I live in Paris and I work at Acme.', 'User lives in Paris and works at Acme.'],
  ["I live with my wife and I don't smoke.", "User lives with their wife and doesn't smoke."],
  ["I've a boat, but I'm 40 and I row.", 'User has a boat, but is 40 and rows.'],
])('a sentence that goes on about its speaker has one subject: %s', (said, told) => {
  expect(toThirdPerson(said, 'User')).toBe(told);
});

it.each([
  ['I think my wife left and I stayed.', 'User thinks their wife left and they stayed.'],
  ['My dog is old and I feed him.', "User's dog is old and they feed him."],
  ['My wife sails and I row.', "User's wife sails and they row."],
])('a sentence about others as well says who does what: %s', (said, told) => {
  expect(toThirdPerson(said, 'User')).toBe(told);
});
