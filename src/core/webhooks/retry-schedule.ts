import type { Deps } from '../ports/index.ts';

/**
 * The first retry comes after seconds, the later ones after hours: with these numbers the last one
 * comes about a day after the first attempt.
 */
export const attemptsMax = 12;
const firstRetryMs = 5_000;
const retryFactor = 3;
const retryMaxMs = 6 * 60 * 60 * 1000;

/** Spread by a fifth either way, so that what failed together does not come back together. */
const retryJitter = 0.2;

/** The longest delay before the next attempt, after so many. */
export function retryLongestMs(attempts: number): number {
  return Math.min(retryMaxMs, firstRetryMs * retryFactor ** (attempts - 1)) * (1 + retryJitter);
}

/** The delay before the next attempt, after so many. */
export function retryDelayMs(attempts: number, random: Deps['random']): number {
  const delay = Math.min(retryMaxMs, firstRetryMs * retryFactor ** (attempts - 1));
  const [byte = 0] = random(1);
  return Math.round(delay * (1 + retryJitter * ((2 * byte) / 255 - 1)));
}
