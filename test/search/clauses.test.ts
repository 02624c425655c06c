import { expect, it } from 'vitest';
import { clausesOf } from '../../src/core/search/query/clauses.ts';

it.each([
  ['Where does Tom live and what did Mia buy?', ['Where does Tom live', 'what did Mia buy?']],
  ['Any news on Heron? Which port is open?', ['Any news on Heron?', 'Which port is open?']],
  ['Book a table. Where does Tom eat?', ['Book a table.', 'Where does Tom eat?']],
  ['Wo wohnt Tom und was kauft Mia?', ['Wo wohnt Tom', 'was kauft Mia?']],
  ['Où habite Tom et que fait Mia ?', ['Où habite Tom', 'que fait Mia ?']],
  ['トムはどこ？ミアは何を買った？', ['トムはどこ？', 'ミアは何を買った？']],
])('%s asks two things', (query, clauses) => {
  expect(clausesOf(query)).toEqual(clauses);
});

it.each([
  'Who likes salt and pepper?',
  'What did Mr. Bean say and do?',
  'port 3.5 and 4.2 of Node.js',
  'x',
])('%s asks one thing', (query) => {
  expect(clausesOf(query)).toEqual([query]);
});

it('what refers back is asked together with what it refers to', () => {
  expect(clausesOf('Where does Tom live, and what does he eat?')).toEqual([
    'Where does Tom live',
    'Where does Tom live what does he eat?',
  ]);
  expect(clausesOf('What did Tom buy? And why?')).toEqual(['What did Tom buy? And why?']);
});

it('more than four things are asked as one', () => {
  const query = 'Who is Al? Who is Bo? Who is Cy? Who is Di? Who is Ed?';

  expect(clausesOf(query)).toEqual([query]);
});

it('a text of 2,000 characters is read at once, whatever it holds', () => {
  for (const unit of ['? ', 'and ', ', and what', '. ', 'a.', ',   ']) {
    expect(clausesOf(unit.repeat(2000 / unit.length)).length).toBeGreaterThan(0);
  }
});
