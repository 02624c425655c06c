import type { Parsed } from '../../contract/index.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { StoredProject } from '../ports.ts';
import type { AddScope } from './add-scope.ts';
import { wishesOf } from './wishes.ts';

type AddInput = Parsed<'add_memory'>;

/** All that was said, for results that are about no single fact. */
export function textOf({ messages = [] }: AddInput): string {
  return messages.map(({ content }) => content).join('\n');
}

/** What all memories of an add have in common, read from its input. */
export function scopeOf(input: AddInput, { settings }: Pick<StoredProject, 'settings'>): AddScope {
  return {
    ...entityIdsOf(input),
    metadata: input.metadata ?? {},
    immutable: input.immutable,
    expiration_date: input.expiration_date ?? null,
    categories: wishesOf(input, settings).categories,
    graph: input.enable_graph || settings.enable_graph,
    timestamp: input.timestamp ?? null,
  };
}

export function entityIdsOf({ user_id, agent_id, app_id, run_id }: AddInput): EntityIds {
  return {
    user_id: user_id ?? null,
    agent_id: agent_id ?? null,
    app_id: app_id ?? null,
    run_id: run_id ?? null,
  };
}
