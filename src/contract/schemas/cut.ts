import * as z from 'zod';

/**
 * Which results of a search are left out, compared to the best one: none, those with less than half
 * of its score, or those with less than .85 of it, and all where the best one is not sure.
 */
export const cuts = ['off', 'relaxed', 'strict'] as const;
export type Cut = (typeof cuts)[number];

export const CutField = z
  .enum(cuts, { error: `must be one of ${cuts.join(', ')}` })
  .describe('Drop weak results: off, relaxed, strict');
