// What `.ci/run` says at its end. Of a failed run the last 60 lines name each stage that failed, its
// failed tests with their errors, the seed, and the command that repeats them.

import { defaultSeed } from '../test-seed.mjs';

/**
 * @typedef {import('./run-stage.mjs').Outcome} Outcome
 * @typedef {import('./test-report.mjs').TestResult} TestResult
 */

/** Of the tests' random inputs. */
export const seed = process.env.MNEME_TEST_SEED ?? String(defaultSeed);

/** Of the last 60 lines, what the failures may take; the others name the verdict and the rest. */
const failureLinesMax = 54;
/** Of the output of a stage without tests, such as `check`. */
const outputLinesMax = 30;

/** Has failed, as a whole. */
export function hasFailed(/** @type {Outcome} */ { failed, problem }) {
  return failed.length > 0 || problem !== null;
}

/** A line for each stage: how long it took, and how many tests passed. */
export function describeStages(/** @type {readonly Outcome[]} */ outcomes) {
  return outcomes.map((outcome) => {
    const { stage, seconds, passed, failed, unstable } = outcome;
    const counts = stage.tests
      ? `, ${passed} passed, ${failed.length} failed, ${unstable.length} unstable`
      : '';
    const verdict = hasFailed(outcome) ? 'FAILED' : 'passed';
    return `${stage.name.padEnd(12)} ${verdict} in ${inMinutes(seconds)}${counts}`;
  });
}

/** A line for each test that failed at first and passed by itself. */
export function describeUnstable(/** @type {readonly Outcome[]} */ outcomes) {
  return outcomes.flatMap(({ unstable }) =>
    unstable.map((result) => `unstable: ${describeTest(result)}: ${result.error}`),
  );
}

/** What failed, in at most 54 lines. */
export function describeFailures(/** @type {readonly Outcome[]} */ outcomes) {
  const failures = outcomes.filter(hasFailed);
  const wanted = failures.map((outcome) => describeFailure(outcome, failureLinesMax).length);
  return failures.flatMap((outcome) => describeFailure(outcome, fairShare(wanted)));
}

/** The most lines that each may take: those that need fewer leave theirs to the others. */
function fairShare(/** @type {readonly number[]} */ wanted) {
  let left = failureLinesMax;
  const ascending = [...wanted].sort((a, b) => a - b);
  for (const [index, lines] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (lines > share) return share;
    left -= lines;
  }
  return failureLinesMax;
}

/**
 * @param {Outcome} outcome
 * @param {number} linesMax
 */
function describeFailure({ stage, failed, problem, lastLines }, linesMax) {
  const head = `FAILED: ${stage.name}${problem === null ? '' : `: ${problem}`}`;
  const files = [...new Set(failed.map(({ file }) => file))];
  const repeat = `repeat: ${repeatCommand(stage, files)}`;
  const room = linesMax - 2;
  if (failed.length === 0) {
    const output = lastLines.slice(-Math.min(outputLinesMax, room));
    return [head, ...output.map((line) => `  ${line}`), repeat];
  }
  const tests = failed.map((result) => `  ${describeTest(result)}: ${result.error}`);
  const shown = tests.slice(0, tests.length > room ? room - 1 : room);
  const hidden = tests.length - shown.length;
  const more = hidden > 0 ? [`  and ${hidden} more, which its output above names`] : [];
  return [head, ...shown, ...more, repeat];
}

/**
 * @param {Outcome['stage']} stage
 * @param {string[]} files
 */
function repeatCommand({ command, env, tests }, files) {
  const seeded = tests ? { ...env, MNEME_TEST_SEED: seed } : env;
  const variables = Object.entries(seeded ?? {}).map(([name, value]) => `${name}=${value}`);
  const named = files.filter((file) => file !== '');
  const args = named.length === 0 || named.length > 5 ? [] : ['--', ...named];
  return [...variables, ...command, ...args].join(' ');
}

function describeTest(/** @type {TestResult} */ { file, name }) {
  return [file, name].filter((part) => part !== '').join(' > ');
}

function inMinutes(/** @type {number} */ seconds) {
  const rounded = Math.round(seconds);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, '0')}`;
}
