// Runs the stages of `.ci/run`, the later ones also after one that failed, so that one run tells
// everything, and says at the end what happened.
import { describeMachine, findShortage, listTemporaryFiles, needsOfRun } from './machine.mjs';
import { runStage } from './run-stage.mjs';
import { describeFailures, describeStages, describeUnstable, hasFailed, seed } from './summary.mjs';

/** @type {[signal: NodeJS.Signals, code: number][]} */
const endings = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/**
 * Returns the exit code.
 *
 * @param {readonly import('./stages.mjs').Stage[]} stages
 * @param {string} checkout
 * @param {import('./machine.mjs').Needs} needs
 */
export async function runStages(stages, checkout, needs = needsOfRun) {
  const start = performance.now();
  const before = listTemporaryFiles();
  const machine = describeMachine(checkout);
  console.log(`at the start: ${machine}; ${before.length} temporary files`);
  /** @type {import('./run-stage.mjs').Outcome[]} */
  const outcomes = [];
  let reason = findShortage(checkout, needs);
  for (const [signal, code] of endings)
    process.once(signal, () => {
      tell(`a ${signal}`);
      process.exit(code);
    });

  for (const stage of stages) {
    if (reason !== null) break;
    console.log(`\n=== ${stage.name}`);
    const outcome = await runStage(stage, checkout);
    outcomes.push(outcome);
    if (hasFailed(outcome) && stage.required) reason = `${stage.name} failed`;
    else reason = findShortage(checkout, needs);
  }
  const isWhole = outcomes.length === stages.length;
  return tell(isWhole ? null : reason);

  /** @param {string | null} stopped what ended the run before its last stage */
  function tell(stopped) {
    const left = listTemporaryFiles().filter((path) => !before.includes(path));
    const isGreen = stopped === null && !outcomes.some(hasFailed);
    const minutes = Math.ceil((performance.now() - start) / 60_000);
    const rest = stages.slice(outcomes.length).map(({ name }) => name);
    const lines = [
      '',
      ...describeStages(outcomes),
      `at the start: ${machine}`,
      `at the end: ${describeMachine(checkout)}`,
      `temporary files left: ${describeFiles(left)}`,
      ...describeUnstable(outcomes),
      `seed of random inputs: ${seed}`,
      ...(stopped === null ? [] : [`STOPPED by ${stopped}; not run: ${rest.join(', ')}`]),
      ...describeFailures(outcomes),
      `${isGreen ? 'GREEN' : 'RED'} after ${minutes} minutes`,
    ];
    console.log(lines.join('\n'));
    return isGreen ? 0 : 1;
  }
}

/** @param {string[]} paths */
function describeFiles(paths) {
  const shown = paths.slice(0, 10);
  const more = paths.length - shown.length;
  return paths.length === 0 ? 'none' : [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
