import { defaultSeed } from '../../scripts/test-seed.mjs';

/** The number of rounds in nightly tests: `npm run test:long`. */
const atNight = 20;

/** How often a test repeats what depends on chance, such as the moment of a kill. */
export const rounds = numberOf('MNEME_TEST_ROUNDS', 3);

const isAsked = process.env['MNEME_TEST_ROUNDS'] !== undefined;

/** The seed of random inputs: the same in every run that names no other. */
export const seed = numberOf('MNEME_TEST_SEED', defaultSeed);

/** The share of a nightly amount for this number of rounds. */
export function shareOf(amount: number, least = 1): number {
  return Math.max(least, Math.ceil((amount * rounds) / atNight));
}

/** The settings of a property with this number of random inputs in nightly tests. */
export function tries(amount: number, least = 10): { numRuns: number; seed: number } {
  return { numRuns: shareOf(amount, least), seed };
}

/** Of inputs that take long, so many where no rounds are asked for; by day and night their share. */
export function longTries(amount: number, usually: number): { numRuns: number; seed: number } {
  return isAsked ? tries(amount) : { numRuns: usually, seed };
}

/** Enough time for the rounds of a nightly test, or for more. */
export function timeFor(ms: number): number {
  return shareOf(ms, ms);
}

function numberOf(name: string, usual: number): number {
  const given = Number(process.env[name] ?? usual);
  if (!Number.isSafeInteger(given) || given < 1) throw new Error(`${name} must be a count above 0`);
  return given;
}
