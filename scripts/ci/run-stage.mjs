// Runs a stage of `.ci/run`, and once more those of its tests that failed, if it may.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';
import { readTestReport } from './test-report.mjs';

/**
 * `unstable` failed at first, and passed by themselves. `problem` is what else went wrong: a command
 * that failed although no test did, or that did not end.
 *
 * @typedef {import('./stages.mjs').Stage} Stage
 * @typedef {import('./test-report.mjs').TestResult} TestResult
 * @typedef {{
 *   stage: Stage,
 *   seconds: number,
 *   passed: number,
 *   failed: TestResult[],
 *   unstable: TestResult[],
 *   problem: string | null,
 *   lastLines: string[],
 * }} Outcome
 */

/** A stage that takes longer hangs: on a slow machine the longest takes half of it. */
const usualMinutesMax = 25;

/** So many files fail for a reason that a second run does not mend. */
const secondRunFilesMax = 8;

/**
 * @param {Stage} stage
 * @param {string} checkout
 * @returns {Promise<Outcome>}
 */
export async function runStage(stage, checkout) {
  const first = await runTests(stage, checkout);
  const failed = failuresOf(first.report.results);
  const files = [...new Set(failed.map(({ file }) => file))];
  const passed = first.report.results.filter(hasPassed).length;
  const problem = problemOf(first, failed);
  const outcome = { stage, passed, lastLines: first.lastLines, problem };
  const canRunAgain = failed.length > 0 && problem === null && !files.includes('');
  if (!stage.secondChance || !canRunAgain || files.length > secondRunFilesMax)
    return { ...outcome, seconds: first.seconds, failed, unstable: [] };

  console.log(`\n--- ${stage.name}: ${files.length} files with failures run once more`);
  const again = ['--', '--no-file-parallelism', ...files];
  const second = await runTests({ ...stage, command: [...stage.command, ...again] }, checkout);
  const stillFailing = new Set(failuresOf(second.report.results).map(({ file }) => file));
  const passing = new Set(second.report.results.filter(hasPassed).map(({ file }) => file));
  const isUnstable = (/** @type {TestResult} */ { file }) =>
    passing.has(file) && !stillFailing.has(file);
  return {
    ...outcome,
    seconds: first.seconds + second.seconds,
    failed: failed.filter((result) => !isUnstable(result)),
    unstable: failed.filter(isUnstable),
  };
}

async function runTests(/** @type {Stage} */ stage, /** @type {string} */ checkout) {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-ci-'));
  try {
    const ended = await runCommand(stage.command, {
      cwd: checkout,
      env: { ...stage.env, TEST_REPORT: folder },
      minutes: stage.minutesMax ?? usualMinutesMax,
    });
    return { ...ended, report: readTestReport(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One of each: a test that is tried several times reports each try. */
function failuresOf(/** @type {TestResult[]} */ results) {
  const failed = results.filter(({ state }) => state === 'failed');
  return [...new Map(failed.map((result) => [keyOf(result), result])).values()];
}

/**
 * @param {Awaited<ReturnType<typeof runTests>>} run
 * @param {TestResult[]} failed
 */
function problemOf({ code, timedOut, report }, failed) {
  const { unfinished } = report;
  const during = unfinished.length > 0 ? ` while ${unfinished.slice(0, 4).join(', ')} ran` : '';
  if (timedOut) return `it took too long, and was ended${during}`;
  if (unfinished.length > 0) return `it ended${during}`;
  return code !== 0 && failed.length === 0 ? `it ended with code ${code}` : null;
}

function hasPassed(/** @type {TestResult} */ { state }) {
  return state === 'passed';
}

function keyOf(/** @type {TestResult} */ { file, name }) {
  return `${file} > ${name}`;
}
