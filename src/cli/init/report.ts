import { formatColumns } from '../io/output.ts';
import type { InitOutcome, InitPlan } from './apply-plan.ts';
import { formatEdits } from './format-edits.ts';
import type { InitTarget } from './target.ts';

/** Describes the planned change of a file to the user. */
export function formatPlan({ title, file }: InitTarget, plan: InitPlan): string {
  const heading = `${title}: ${file}`;
  if (plan.kind === 'none' || plan.kind === 'refused') return heading;
  const real = plan.config.file === file ? '' : `\n  which is ${plan.config.file}`;
  return `${heading}${real}\n${describePlan(plan)}`;
}

function describePlan(plan: Exclude<InitPlan, { kind: 'none' | 'refused' }>): string {
  if (plan.kind !== 'restore') return formatEdits(plan);
  return plan.bytes === null
    ? '  the file is removed: it did not exist before'
    : '  the file is restored to its state before mneme';
}

const doneStatus: Readonly<Record<InitPlan['kind'], string>> = {
  none: 'nothing to do',
  add: 'connected',
  replace: 'changed',
  remove: 'removed',
  restore: 'restored',
  refused: 'left unchanged',
};

const openStatus: Readonly<Record<InitPlan['kind'], string>> = {
  ...doneStatus,
  add: 'not connected',
  replace: 'not changed',
  remove: 'not removed',
  restore: 'not undone',
};

/** One line for each file, and what to do next. */
export function formatOutcomes(
  outcomes: readonly InitOutcome[],
  targets: readonly InitTarget[],
  { undo, choosesTools }: { undo: boolean; choosesTools: boolean },
): string {
  const rows = outcomes.map((outcome, index) => {
    const { change, file, backup, problem } = outcome;
    const isThere = change === 'none' && !undo;
    const status = isThere ? 'already connected' : (outcome.done ? doneStatus : openStatus)[change];
    const backupNote = backup === null ? '' : ` (before: ${backup})`;
    const reason = problem === null ? '' : `: ${problem}`;
    return [targets[index]?.title ?? '', status, `${file}${reason}${backupNote}`];
  });
  const isDone = outcomes.some((outcome) => outcome.done);
  const byHand = outcomes.flatMap(({ problem }, index) => {
    const target = targets[index];
    return problem === null || target === undefined ? [] : [manualSteps(target)];
  });
  const isConnected = outcomes.some(({ change, done }) => change === 'add' && done);
  return [
    formatColumns(rows),
    ...byHand,
    ...(isDone ? ['', restart] : []),
    ...(isConnected ? firstWords : []),
    ...(isConnected && !choosesTools ? fewerTools : []),
  ].join('\n');
}

const restart = 'Restart the clients that are running: they read these files when they start.';

const firstWords = [
  'Then type in one of them: Remember that I am allergic to hazelnuts.',
  'And in a new conversation: What am I allergic to?',
];

/** Shown to those who took all tools. */
const fewerTools = [
  'Seven of the tools are enough for most, at about a third of the tokens:',
  'mneme init --toolsets core',
];

function manualSteps({ title, byHand = 'Edit the file yourself.' }: InitTarget): string {
  return `\n${title} by hand: ${byHand} docs/clients.md has the entry.`;
}
