import type { Relation } from '../../contract/schemas/relation.ts';
import type { Deps, StoredProject } from '../ports/index.ts';

type RelationsRequest = { enable_graph: boolean; output_format?: string | undefined };

/**
 * The relations of the memories in an answer, in their order, where a call or its project asks for
 * the graph; else nothing.
 */
export async function listAnswerRelations(
  { store }: Pick<Deps, 'store'>,
  { input, project }: { input: RelationsRequest; project: StoredProject },
  memory_ids: readonly string[],
): Promise<{ relations?: Relation[] }> {
  const { enable_graph, output_format } = input;
  const isWanted = enable_graph || project.settings.enable_graph || output_format === 'v1.1';
  if (!isWanted) return {};
  const places = new Map(memory_ids.map((id, place) => [id, place]));
  const placeOf = ({ memory_id }: Relation) => places.get(memory_id) ?? 0;
  const relations = await store.relations.list(project, memory_ids);
  return { relations: relations.sort((one, other) => placeOf(one) - placeOf(other)) };
}
