import type { Memory } from '../../client.ts';

/** Somebody or something whose memories they are. */
export type EntityRef = { entity_type: 'user' | 'agent' | 'app' | 'run'; entity_id: string };

export function ownerOf({ user_id, agent_id, app_id, run_id }: Memory): EntityRef | null {
  if (user_id !== null) return { entity_type: 'user', entity_id: user_id };
  if (agent_id !== null) return { entity_type: 'agent', entity_id: agent_id };
  if (app_id !== null) return { entity_type: 'app', entity_id: app_id };
  return run_id === null ? null : { entity_type: 'run', entity_id: run_id };
}
