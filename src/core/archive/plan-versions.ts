import type { ArchiveLineOf } from '../../contract/archive/archive-line.ts';
import { ApiError } from '../../contract/errors.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { contentHash } from '../memory/content-hash.ts';
import type { UnindexedMemory } from '../memory/index-terms.ts';
import type { Instant, MemoryVersion, StoredMemory, VersionTimes } from '../ports/index.ts';
import {
  createTally,
  type ImportTally,
  type LocatedLine,
  type RefusedLine,
} from './import-report.ts';
import type { ImportedOrigin } from './imported-origin.ts';

/** An earlier version, whose index terms are made when it is stored. */
export type PlannedVersion = UnindexedMemory & VersionTimes;
export type PlannedVersions = { put: PlannedVersion[]; tally: ImportTally };

export type VersionPlanning = {
  /** All versions that are stored of these memories. */
  stored: readonly MemoryVersion[];
  /** Since when the memories that come with them are held as they are. */
  heldSince: ReadonlyMap<string, Instant>;
  known: ReadonlyMap<string, StrictOmit<StoredMemory, 'position'>>;
  /** Ids of another project. */
  elsewhere: ReadonlySet<string>;
  refused: RefusedLine[];
  /** Why the file may not bring a version of this memory; null if it may. */
  problemOf(line: VersionLine): string | null;
  originOf(line: VersionLine): ImportedOrigin;
};

type VersionLine = ArchiveLineOf<'version'>;
type Held = { from: Instant; until: Instant | null; memory: string };

/** At each time a memory has one version: what is stored stays, and what overlaps it goes. */
export function planVersions(
  lines: readonly LocatedLine<VersionLine>[],
  { stored, heldSince, known, elsewhere, refused, problemOf, originOf }: VersionPlanning,
): PlannedVersions {
  const held = new Map<string, Held[]>();
  const hold = (id: string, one: Held) => held.set(id, [...(held.get(id) ?? []), one]);
  for (const { memory, recorded_from: from, recorded_until: until } of stored)
    hold(memory.id, { from, until, memory: memory.memory });
  for (const [id, from] of heldSince) hold(id, { from, until: null, memory: '' });
  const put: PlannedVersion[] = [];
  const tally = createTally();
  for (const { place, line } of lines) {
    const { kind: _, ...version } = line;
    const { recorded_from: from, recorded_until: until, memory } = line;
    const untrusted = problemOf(line);
    if (elsewhere.has(line.id)) {
      const problem = `memory ${line.id} is in another project of this store`;
      refused.push({ place, error: new ApiError('conflict', problem) });
    } else if (held.get(line.id)?.some((one) => overlaps(one, { from, until, memory }))) {
      tally.unchanged += 1;
    } else if (untrusted !== null) {
      refused.push({ place, error: new ApiError('conflict', untrusted) });
    } else {
      hold(line.id, { from, until, memory });
      const owner = known.get(line.id) ?? line;
      const ids = Object.fromEntries(entityIdFields.map((field) => [field, owner[field]]));
      put.push({ ...version, ...ids, hash: contentHash(memory), ...originOf(line) });
      tally.added += 1;
    }
  }
  return { put, tally };
}

/** Two that begin and end at one time are two changes of it, unless they say the same. */
function overlaps(one: Held, other: Held & { until: Instant }): boolean {
  if (one.from === other.from && one.until === other.until) {
    return one.from !== one.until || one.memory === other.memory;
  }
  return one.from < other.until && (one.until === null || one.until > other.from);
}
