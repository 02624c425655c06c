import { ApiError } from '../../contract/errors.ts';
import { type ConfigChange, planEntry } from './plan-entry.ts';
import { planUndo, type UndoPlan } from './plan-undo.ts';
import type { InitTarget } from './target.ts';
import { restoreConfig, writeConfig } from './write-config.ts';

/** The planned change of one file. */
export type InitPlan = ConfigChange | UndoPlan | { kind: 'refused'; problem: string };

/** The result for one file; printed as JSON for programs. */
export type InitOutcome = {
  client: string;
  file: string;
  change: InitPlan['kind'];
  done: boolean;
  /** The copy of the file before the change. */
  backup: string | null;
  problem: string | null;
};

export async function createPlan(
  target: InitTarget,
  { undo }: { undo: boolean },
): Promise<InitPlan> {
  try {
    return await (undo ? planUndo(target) : planEntry(target));
  } catch (error) {
    return { kind: 'refused', problem: problemText(error) };
  }
}

/** Applies a plan. A failure of one file does not stop the others. */
export async function applyPlan(target: InitTarget, plan: InitPlan): Promise<InitOutcome> {
  try {
    if (plan.kind === 'none' || plan.kind === 'refused') return toOutcome(target, plan);
    return toOutcome(target, plan, { done: true, backup: await writePlan(plan) });
  } catch (error) {
    return toOutcome(target, { kind: 'refused', problem: problemText(error) });
  }
}

export function toOutcome(
  { client, file }: InitTarget,
  plan: InitPlan,
  { done = false, backup = null }: { done?: boolean; backup?: string | null } = {},
): InitOutcome {
  const problem = plan.kind === 'refused' ? plan.problem : null;
  return { client, file, change: plan.kind, done, backup, problem };
}

async function writePlan(
  plan: Exclude<InitPlan, { kind: 'none' | 'refused' }>,
): Promise<string | null> {
  if (plan.kind === 'restore') {
    await restoreConfig(plan.config, plan.bytes, plan.backups);
    return null;
  }
  return (await writeConfig(plan.config, plan.text, { now: new Date() })).backup;
}

function problemText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}
