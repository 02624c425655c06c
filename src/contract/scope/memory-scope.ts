import { type EntityIds, entityIdFields } from '../schemas/entity.ts';

/** Input fields that say whose memories a call concerns. */
export const scopeFields = [
  'org_id',
  'project_id',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
] as const;
export type ScopeField = 'org_id' | 'project_id' | keyof EntityIds;

/** The ids that say whose memories a call concerns; unknown ones are absent. */
export type MemoryScope = { [field in ScopeField]?: string | undefined };

/** The scope that a configuration sets for calls. */
export type ScopeConfig = {
  /** The scope of calls that name none. */
  scope: MemoryScope;
  /** The configured scope is the only one: its fields are hidden and can't be overridden. */
  lock_scope: boolean;
};

/** The ids that a configuration sets. */
export function configuredScope(config: Readonly<Record<ScopeField, string | null>>): MemoryScope {
  const set = scopeFields.filter((field) => config[field] !== null);
  return Object.fromEntries(set.map((field) => [field, config[field]]));
}

/** Scope fields that calls can't set, because the configuration locks them. */
export function lockedFields({ lock_scope, scope }: ScopeConfig): ScopeField[] {
  return lock_scope ? scopeFields.filter((field) => scope[field] !== undefined) : [];
}

/** The caller under a configuration, which may lock the caller's scope. */
export function inConfiguredScope<C extends { lock?: MemoryScope }>(
  caller: C,
  { lock_scope, scope }: ScopeConfig,
): C {
  const fields = lockedFields({ lock_scope, scope });
  if (fields.length === 0) return caller;
  const lock = Object.fromEntries(fields.map((field) => [field, scope[field]]));
  return { ...caller, lock: { ...lock, ...caller.lock } };
}

/** The entities that a caller is locked to. */
export function lockedEntities({ lock = {} }: { lock?: MemoryScope }): Partial<EntityIds> {
  const names = entityIdFields.filter((field) => lock[field] !== undefined);
  return Object.fromEntries(names.map((field) => [field, lock[field]]));
}

/** Operations that are of no entity: a lock of entities leaves them open. */
export const ofNoEntity: readonly string[] = ['ping', 'create_snapshot', 'list_snapshots'];

/** Whether an input names owners elsewhere than in its fields, as the lines of an archive do. */
export function namesOwnersWithin({ format }: Readonly<Record<string, unknown>>): boolean {
  return format === 'mneme';
}

/** The scope that a parsed input names; results repeat it. */
export function scopeOfInput(input: Readonly<Record<string, unknown>>): MemoryScope {
  const present = scopeFields.filter((field) => typeof input[field] === 'string');
  return Object.fromEntries(present.map((field) => [field, input[field]]));
}
