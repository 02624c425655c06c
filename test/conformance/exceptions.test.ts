import { describe, expect, it } from 'vitest';
import { contradictions, type Exception } from './exceptions.ts';
import type { Finding, Findings } from './suite.ts';

const failure: Finding = { id: 'answers', status: 'FAILURE', message: 'no answer' };
const warning: Finding = { id: 'is-fast', status: 'WARNING', message: 'late' };
const found: Findings = new Map([
  ['passing', []],
  ['failing', [failure, warning]],
]);

const failing = (checks?: string[]): Exception => ({
  scenario: 'failing',
  ...(checks && { checks }),
  reason: 'for this test',
});

describe('the list of exceptions', () => {
  it('allows a whole scenario, or each of its checks', () => {
    expect(contradictions(found, [failing()])).toEqual([]);
    expect(contradictions(found, [failing(['answers', 'is-fast'])])).toEqual([]);
    expect(contradictions(found, [failing(['answers']), failing(['is-fast'])])).toEqual([]);
  });

  it('is contradicted by a failure or a warning that it does not name', () => {
    expect(contradictions(found, [])).toEqual([
      'failing: FAILURE of answers: no answer',
      'failing: WARNING of is-fast: late',
    ]);
    expect(contradictions(found, [failing(['answers'])])).toEqual([
      'failing: WARNING of is-fast: late',
    ]);
  });

  it('is contradicted by a scenario that passes, or that does not exist', () => {
    const passing = { scenario: 'passing', reason: 'was broken once' };
    const gone = { scenario: 'gone', reason: 'was renamed' };

    expect(contradictions(found, [failing(), passing, gone])).toEqual([
      'passing passes now: no exception any more',
      'gone passes now: no exception any more',
    ]);
  });

  it('is contradicted by a check that passes', () => {
    expect(contradictions(found, [failing(['answers', 'is-fast', 'is-right'])])).toEqual([
      'failing is-right passes now: no exception any more',
    ]);
  });
});
