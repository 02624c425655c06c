import * as z from 'zod';

/** An edge of the knowledge graph: how two entities are related, and which memory says so. */
export const Relation = z.object({
  source: z.string(),
  source_type: z.string(),
  relationship: z.string(),
  target: z.string(),
  target_type: z.string(),
  memory_id: z.string(),
});
export type Relation = z.output<typeof Relation>;

/** Relations that the returned memories state, if `enable_graph` is set. */
export const OptionalRelations = z.array(Relation).optional();
