import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Parsed } from '../../contract.ts';
import type { AddContext } from '../extraction/add-context.ts';
import { extractionSettingsOf } from '../extraction/settings.ts';
import type { StoredProject } from '../ports/index.ts';

type AddContextInput = Parsed<'add_memory'>;

/** All that was said, for results that are about no single fact. */
export function conversationText({ messages = [] }: AddContextInput): string {
  return messages.map(({ content }) => content).join('\n');
}

/** What all memories of an add have in common, read from its input. */
export function addContextOf(
  input: AddContextInput,
  { settings }: Pick<StoredProject, 'settings'>,
): AddContext {
  return {
    ...entityIdsOfInput(input),
    metadata: input.metadata ?? {},
    immutable: input.immutable,
    expiration_date: input.expiration_date ?? null,
    categories: extractionSettingsOf(input, settings).categories,
    graph: input.enable_graph || settings.enable_graph,
    timestamp: input.timestamp ?? null,
  };
}

export function entityIdsOfInput({
  user_id,
  agent_id,
  app_id,
  run_id,
}: AddContextInput): EntityIds {
  return {
    user_id: user_id ?? null,
    agent_id: agent_id ?? null,
    app_id: app_id ?? null,
    run_id: run_id ?? null,
  };
}
