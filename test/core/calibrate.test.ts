import { describe, expect, it } from 'vitest';
import { calibrateScores } from '../../src/core/search/rank/calibrate.ts';

function results(...scores: number[]) {
  return scores.map((score, index) => {
    const parts = { semantic: score / 2, keyword: score / 2, entity: 0, temporal: 0 };
    return { id: `m${index}`, score, parts };
  });
}

function scores(sums: number[], best: { isStandalone: boolean; among: number }): number[] {
  return calibrateScores(results(...sums), best).map(({ score }) => score);
}

const fact = { isStandalone: true, among: 60 };
const turn = { isStandalone: false, among: 500 };

describe('the score of a result', () => {
  it('keeps the order, the share of the best and the sum of its parts', () => {
    const calibrated = calibrateScores(results(0.8, 0.6, 0.2), turn);

    expect(calibrated.map(({ id }) => id)).toEqual(['m0', 'm1', 'm2']);
    const [best = 0, ...others] = calibrated.map(({ score }) => score);
    expect(others.map((one) => one / best)).toEqual([
      expect.closeTo(0.75, 3),
      expect.closeTo(0.25, 3),
    ]);
    for (const { score, parts } of calibrated) {
      const { semantic, keyword, entity, temporal } = parts;
      expect(semantic + keyword + entity + temporal).toBeCloseTo(score, 4);
    }
  });

  it('passes the default threshold for a fact with weak evidence, not for one of many turns', () => {
    expect(scores([0.24], fact)[0]).toBeGreaterThan(0.3);
    expect(scores([0.24], { ...turn, among: 20 })[0]).toBeGreaterThan(0.3);
    expect(scores([0.5, 0.48], turn)[0]).toBeLessThan(0.3);
    expect(scores([0.7, 0.68], turn)[0]).toBeGreaterThan(0.3);
  });

  it('reaches .9 for a turn only if it is clearly ahead of the others', () => {
    expect(scores([1, 0.99], turn)[0]).toBeLessThan(0.9);
    expect(scores([1, 0.8], turn)[0]).toBeGreaterThan(0.9);
    expect(scores([0.65, 0.4], turn)[0]).toBeLessThan(0.5);
  });

  it('is at most 1, and grows with the evidence', () => {
    for (const best of [fact, turn, { ...turn, among: 100 }]) {
      const grown = Array.from({ length: 21 }, (_, step) => scores([step / 20 || 0.01], best)[0]);
      expect(grown).toEqual([...grown].sort((one = 0, other = 0) => one - other));
      expect(grown.at(-1)).toBeLessThanOrEqual(1);
    }
    expect(calibrateScores([], turn)).toEqual([]);
  });
});
