import { ApiError } from '../../contract/errors.ts';
import { type Change, planEntry } from './change.ts';
import type { Target } from './target.ts';
import { planUndo, type Undo } from './undo.ts';
import { restoreConfig, writeConfig } from './write.ts';

/** What is to be done to one file. */
export type Plan = Change | Undo | { kind: 'refused'; problem: string };

/** What became of one file; printed as JSON for programs. */
export type Outcome = {
  client: string;
  file: string;
  change: Plan['kind'];
  done: boolean;
  /** The copy of what was there before. */
  backup: string | null;
  problem: string | null;
};

export async function planOf(target: Target, { undo }: { undo: boolean }): Promise<Plan> {
  try {
    return await (undo ? planUndo(target) : planEntry(target));
  } catch (error) {
    return { kind: 'refused', problem: problemOf(error) };
  }
}

/** Carries out a plan. What cannot be done to one file is no reason to leave out the others. */
export async function carryOut(target: Target, plan: Plan): Promise<Outcome> {
  try {
    if (plan.kind === 'none' || plan.kind === 'refused') return outcomeOf(target, plan);
    return outcomeOf(target, plan, { done: true, backup: await write(plan) });
  } catch (error) {
    return outcomeOf(target, { kind: 'refused', problem: problemOf(error) });
  }
}

export function outcomeOf(
  { client, file }: Target,
  plan: Plan,
  { done = false, backup = null }: { done?: boolean; backup?: string | null } = {},
): Outcome {
  const problem = plan.kind === 'refused' ? plan.problem : null;
  return { client, file, change: plan.kind, done, backup, problem };
}

async function write(plan: Exclude<Plan, { kind: 'none' | 'refused' }>): Promise<string | null> {
  if (plan.kind === 'restore') {
    await restoreConfig(plan.config, plan.bytes, plan.backups);
    return null;
  }
  return (await writeConfig(plan.config, plan.text, { now: new Date() })).backup;
}

function problemOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}
