import { describe, expect, it } from 'vitest';
import { extractRuleRelations } from '../../src/core/graph/rule-relations.ts';

function edges(text: string, subject = 'ann'): string[] {
  return extractRuleRelations(text, subject).map((edge) => {
    return `${edge.source} ${edge.relationship} ${edge.target}`;
  });
}

describe('the relations that a text states', () => {
  it.each([
    ['I live in Lisbon with my two cats.', ['ann lives_in Lisbon']],
    ["I'm living in Porto now", ['ann lives_in Porto']],
    ['User lives in Rome.', ['ann lives_in Rome']],
    ['Bob works at Acme Corp as an engineer.', ['Bob works_at Acme Corp']],
    ['I work as a nurse', ['ann works_as nurse']],
    ['I am a vegan chef', ['ann is_a vegan chef']],
    [
      "I'm allergic to peanuts and shellfish.",
      ['ann allergic_to peanuts', 'ann allergic_to shellfish'],
    ],
    ['I really love hiking in the Alps', ['ann loves hiking']],
    ["I can't stand coriander", ['ann dislikes coriander']],
    ['I moved from Paris to Rome in May', ['ann moved_to Rome']],
    ['Maria speaks Spanish, and I speak German', ['Maria speaks Spanish', 'ann speaks German']],
    ['I have a dog called Rex.', ['ann dog Rex']],
    ['My older sister Anna lives in Oslo', ['ann sister Anna', 'Anna lives_in Oslo']],
    ["My brother's name is Tom", ['ann brother Tom']],
    ['Tom is my best friend', ['ann friend Tom']],
    ["Bob's wife Eva plays the violin", ['Bob wife Eva', 'Eva plays violin']],
    ['My name is Ann Lee', ['ann name Ann Lee']],
    ['My favourite food is ramen', ['ann favorite_food ramen']],
    ['I was born in São Paulo.', ['ann born_in São Paulo']],
  ])('%s', (text, expected) => {
    expect(edges(text)).toEqual(expected);
  });

  it.each([
    'Do I live in Lisbon?',
    "I don't live in Lisbon",
    'I no longer work at Acme',
    'I might move to Rome',
    'If I lived in Rome, I would love it',
    'I used to play chess',
    'The weather is nice',
    'I like it',
    'My sister is tall',
    'Yesterday was long',
    '私は東京に住んでいます',
    '',
  ])('are none in: %s', (text) => {
    expect(edges(text)).toEqual([]);
  });

  it('have types', () => {
    expect(extractRuleRelations('My dog Rex loves cheese', 'ann')).toEqual([
      ...[{ source: 'ann', source_type: 'person' }].map((from) => {
        return { ...from, relationship: 'dog', target: 'Rex', target_type: 'animal' };
      }),
      ...[{ source: 'Rex', source_type: 'animal' }].map((from) => {
        return { ...from, relationship: 'loves', target: 'cheese', target_type: 'thing' };
      }),
    ]);
  });

  it('are found once, and in a bounded time in a long hostile text', () => {
    expect(edges('I live in Rome. I live in Rome.')).toEqual(['ann lives_in Rome']);
    expect(edges(`I like ${'a and '.repeat(20_000)}`).length).toBeLessThanOrEqual(20);
    expect(edges('My '.repeat(10_000))).toEqual([]);
    expect(edges(`I moved from ${'a '.repeat(10_000)}`)).toEqual([]);
  });
});
