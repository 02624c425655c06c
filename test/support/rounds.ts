/** How many rounds a test does at night: `npm run test:long`. */
const atNight = 20;

/** How often a test repeats what chance decides, such as the moment of a kill. */
export const rounds = numberOf('MNEME_TEST_ROUNDS', 3);

/** What random inputs are made from: the same at every run that names no other. */
export const seed = numberOf('MNEME_TEST_SEED', 20_260_314);

/** The part of a night's amount that is due with these rounds. */
export function shareOf(amount: number, least = 1): number {
  return Math.max(least, Math.ceil((amount * rounds) / atNight));
}

/** The settings of a property that tries so many random inputs at night. */
export function tries(amount: number, least = 10): { numRuns: number; seed: number } {
  return { numRuns: shareOf(amount, least), seed };
}

/** A time that is enough for a night's rounds, and for more of them. */
export function timeFor(ms: number): number {
  return shareOf(ms, ms);
}

function numberOf(name: string, usual: number): number {
  const given = Number(process.env[name] ?? usual);
  if (!Number.isSafeInteger(given) || given < 1) throw new Error(`${name} must be a count above 0`);
  return given;
}
