import type { Selectable } from 'kysely';
import type { StoredHistoryEntry } from '../../../core/ports/index.ts';
import { fromJson } from '../../sql/json.ts';
import type { HistoryRow } from '../../sql/schema.ts';

export function toChange(row: Selectable<HistoryRow>): StoredHistoryEntry {
  const { position: _, project_key: __, short_id: ___, ...entry } = row;
  return {
    ...entry,
    input: fromJson<StoredHistoryEntry['input']>(row.input),
    metadata: row.metadata === null ? null : fromJson<Record<string, unknown>>(row.metadata),
    categories: fromJson<string[]>(row.categories),
  };
}
