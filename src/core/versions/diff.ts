import { invalid } from '../../contract/errors.ts';
import type { MemoryDifference } from '../../contract/operations/changes.ts';
import type { Output, Parsed } from '../../contract.ts';
import { selectAllMatching } from '../memory/selection.ts';
import type { Deps, ProjectCall, StoredMemory } from '../ports/index.ts';
import { resolveAsOf } from './resolve-time.ts';

/** What could be recalled at one time but not, or differently, at the other. */
export async function diffChanges(
  deps: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  input: Parsed<'diff_changes'>,
  { project }: ProjectCall,
): Promise<Output<'diff_changes'>> {
  const { versions } = deps.store;
  const from = await resolveAsOf(deps, project, { from: input.from });
  const to =
    input.to === undefined ? deps.clock.now() : await resolveAsOf(deps, project, { to: input.to });
  if (from > to) throw invalid('to', `${to} is before from, ${from}`);
  const within = { from, until: to, limit: input.limit + 1 };
  const changedIds = await versions.listChanged(project, selectAllMatching(input), within);
  const ids = changedIds.slice(0, input.limit);
  const [then, later] = await Promise.all(
    [from, to].map(async (as_of) =>
      byId(await versions.findMany(project, ids, { as_of, valid_at: null })),
    ),
  );
  const changes = ids.flatMap((id) => compare(then?.get(id), later?.get(id)));
  const ofKind = (kind: MemoryDifference['event']) => changes.filter(({ event }) => event === kind);
  return {
    from,
    to,
    added: ofKind('ADD'),
    changed: ofKind('UPDATE'),
    removed: ofKind('DELETE'),
    has_more: changedIds.length > input.limit,
  };
}

/** A memory that awaits review is not recalled, so it counts as absent. */
function byId(memories: readonly StoredMemory[]): ReadonlyMap<string, StoredMemory> {
  const active = memories.filter(({ status }) => status === 'active');
  return new Map(active.map((memory) => [memory.id, memory]));
}

function compare(then?: StoredMemory, later?: StoredMemory): MemoryDifference[] {
  const id = (later ?? then)?.id;
  if (id === undefined) return [];
  const event = then === undefined ? 'ADD' : later === undefined ? 'DELETE' : 'UPDATE';
  return [{ id, event, old_memory: then?.memory ?? null, memory: later?.memory ?? null }];
}
