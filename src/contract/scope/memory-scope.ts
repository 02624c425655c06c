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

/** Scope fields that calls can't set, because the configuration locks them. */
export function lockedFields({ lock_scope, scope }: ScopeConfig): ScopeField[] {
  return lock_scope ? scopeFields.filter((field) => scope[field] !== undefined) : [];
}

/** What the configuration locks, worked out once for all calls. */
export type ScopeLock = {
  /** Scope fields that calls can't choose. */
  fields: readonly ScopeField[];
  /** The ids of entities among them. */
  entities: Partial<EntityIds>;
};

export function createScopeLock(config: ScopeConfig): ScopeLock {
  const fields = lockedFields(config);
  const names = entityIdFields.filter((field) => fields.includes(field));
  const entities = Object.fromEntries(names.map((field) => [field, config.scope[field]]));
  return { fields, entities };
}

/** The scope that a parsed input names; results repeat it. */
export function scopeOfInput(input: Readonly<Record<string, unknown>>): MemoryScope {
  const present = scopeFields.filter((field) => typeof input[field] === 'string');
  return Object.fromEntries(present.map((field) => [field, input[field]]));
}
