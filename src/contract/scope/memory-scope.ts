import { type EntityIds, entityIdFields } from '../schemas/entity.ts';

/** Fields that say whose memories a call concerns. */
export const scopeFields = [
  'org_id',
  'project_id',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
] as const;
export type ScopeField = 'org_id' | 'project_id' | keyof EntityIds;

/** Whose memories a call concerns, as far as it is known. */
export type MemoryScope = { [field in ScopeField]?: string | undefined };

/** What a configuration says about the scope of calls. */
export type ScopeConfig = {
  /** Where a call goes that names no scope of its own. */
  scope: MemoryScope;
  /** The configured scope is all there is: its fields disappear and can't be overridden. */
  lock_scope: boolean;
};

/** Scope fields that calls can't choose because the configuration fixed them. */
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

/** The scope that a parsed input names, as results echo it. */
export function scopeOfInput(input: Readonly<Record<string, unknown>>): MemoryScope {
  const named = scopeFields.filter((field) => typeof input[field] === 'string');
  return Object.fromEntries(named.map((field) => [field, input[field]]));
}
