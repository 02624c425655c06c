import { columns } from '../output.ts';
import { shownEdits } from './show.ts';
import type { Outcome, Plan } from './step.ts';
import type { Target } from './target.ts';

/** What would be done to a file, for whoever is asked. */
export function shownPlan({ title, file }: Target, plan: Plan): string {
  const heading = `${title}: ${file}`;
  if (plan.kind === 'none' || plan.kind === 'refused') return heading;
  const real = plan.config.file === file ? '' : `\n  which is ${plan.config.file}`;
  return `${heading}${real}\n${what(plan)}`;
}

function what(plan: Exclude<Plan, { kind: 'none' | 'refused' }>): string {
  if (plan.kind !== 'restore') return shownEdits(plan);
  return plan.bytes === null
    ? '  the file goes: there was none before'
    : '  comes back as it was before mneme';
}

const done: Readonly<Record<Plan['kind'], string>> = {
  none: 'nothing to do',
  add: 'connected',
  replace: 'changed',
  remove: 'removed',
  restore: 'as it was before',
  refused: 'left as it is',
};

const open: Readonly<Record<Plan['kind'], string>> = {
  ...done,
  add: 'not connected',
  replace: 'not changed',
  remove: 'not removed',
  restore: 'not undone',
};

/** One line for each file, and what to do next. */
export function summary(
  outcomes: readonly Outcome[],
  targets: readonly Target[],
  { undo }: { undo: boolean },
): string {
  const rows = outcomes.map((outcome, index) => {
    const { change, file, backup, problem } = outcome;
    const isThere = change === 'none' && !undo;
    const status = isThere ? 'already connected' : (outcome.done ? done : open)[change];
    const kept = backup === null ? '' : ` (before: ${backup})`;
    const reason = problem === null ? '' : `: ${problem}`;
    return [targets[index]?.title ?? '', status, `${file}${reason}${kept}`];
  });
  const isDone = outcomes.some((outcome) => outcome.done);
  const byHand = outcomes.flatMap(({ problem }, index) => {
    const target = targets[index];
    return problem === null || target === undefined ? [] : [handwork(target)];
  });
  const restart = 'Restart the clients that are running: they read these files when they start.';
  return [columns(rows), ...byHand, ...(isDone ? ['', restart] : [])].join('\n');
}

function handwork({ title, byHand = 'Edit the file yourself.' }: Target): string {
  return `\n${title} by hand: ${byHand} docs/clients.md has the entry.`;
}
