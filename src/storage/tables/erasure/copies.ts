import { sql } from 'kysely';
import { entityIdField } from '../../../contract/schemas/entity.ts';
import type { ErasureSubject, ProjectRef } from '../../../core/ports/index.ts';
import { createTurns } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { packId } from '../work/packed-hits.ts';
import { messagesOf, namesEnds, rowMentions, type TextRow, withoutMentions } from './mentions.ts';
import { readInParts } from './read-in-parts.ts';
import { scansFor } from './scans.ts';
import type { ErasableTable } from './tables.ts';

type CopySearch = { table: ErasableTable; subject: ErasureSubject };

/** Counts the rows of a table whose copies of text tell of the subject. */
export async function countMentions(
  at: DbContext,
  project: ProjectRef,
  search: CopySearch,
): Promise<number> {
  let count = 0;
  for await (const rows of mentioningRows(at, project, search)) count += rows.length;
  return count;
}

/** Fingerprints of the messages in rows that tell of the subject. */
export async function findMessages(
  at: DbContext,
  project: ProjectRef,
  search: CopySearch,
): Promise<string[]> {
  const messages: string[] = [];
  for await (const rows of mentioningRows(at, project, search)) {
    messages.push(...rows.flatMap((row) => messagesOf(row, search.table.columns.emptied)));
  }
  return messages;
}

/** Erases what such rows tell; returns the ids of the rows. */
export async function eraseMentions(
  at: DbContext,
  project: ProjectRef,
  search: CopySearch,
): Promise<string[]> {
  const { table, subject } = search;
  const ids: string[] = [];
  for await (const rows of mentioningRows(at, project, search)) {
    for (const row of rows) {
      ids.push(String(row.id));
      const key = table.primaryKey.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
      const isRow = sql`where ${sql.join(key, sql` and `)}`;
      const statement =
        table.columns.row.length > 0
          ? sql`delete from ${sql.table(table.name)} ${isRow}`
          : sql`update ${sql.table(table.name)} set ${sql.join(changes(table, row, subject))}
              ${isRow}`;
      await statement.execute(at.db);
    }
  }
  return ids;
}

function changes(table: ErasableTable, row: TextRow, subject: ErasureSubject) {
  const emptied = table.columns.emptied.map((column) => {
    return sql`${sql.ref(column)} = ${emptyValue(row[column], table.nullable.has(column))}`;
  });
  const { entity } = subject;
  const cleared = table.named
    .filter((column) => entity !== null && column === entityIdField(entity.type))
    .filter((column) => row[column] === entity?.id)
    .map((column) => sql`${sql.ref(column)} = null`);
  const cut = table.columns.items
    .filter((column) => row[column] !== null)
    .map((column) => {
      return sql`${sql.ref(column)} = ${withoutMentions(String(row[column]), row, subject)}`;
    });
  return [...emptied, ...cleared, ...cut];
}

function emptyValue(value: unknown, isNullable: boolean): string | null {
  if (isNullable) return null;
  return String(value).startsWith('[') ? '[]' : '{}';
}

/** Rows that tell of the subject, each once. */
async function* mentioningRows(
  at: DbContext,
  project: ProjectRef,
  { table, subject }: CopySearch,
): AsyncGenerator<TextRow[]> {
  if (subject.ids.size === 0 && subject.entity === null) return;
  const { row, ends, items, emptied } = table.columns;
  const columns = [...row, ...items, ...emptied, ...table.named];
  if (columns.length === 0) return;
  const erased = new Set(ends.length === 0 ? [] : [...subject.ids].map(packId));
  const more = [
    ...(table.hasId ? ['id'] : []),
    ...(table.memory === undefined ? [] : [table.memory]),
  ];
  const read = [...new Set([...table.primaryKey, ...more, ...table.owners, ...columns, ...ends])];
  const texts = [...new Set([...columns, ...ends])];
  const isOther = (one: TextRow) => !isOwnRow(one, table, subject);
  const mentions = (one: TextRow) =>
    rowMentions(one, columns, subject) || namesEnds(one, ends, erased);
  const yieldTurn = createTurns();
  const seen = new Set<string>();
  for (const scan of await scansFor(at, project, { table, subject })) {
    for await (const rows of readInParts(at, project, { table, scan, read, texts })) {
      const copies: TextRow[] = [];
      for (const one of rows) {
        await yieldTurn();
        const key = table.primaryKey.map((column) => one[column]).join();
        if (seen.has(key) || !isOther(one) || !mentions(one)) continue;
        seen.add(key);
        copies.push(one);
      }
      if (copies.length > 0) yield copies;
    }
  }
}

/** Such a row goes as a whole, and is counted there. */
function isOwnRow(row: TextRow, { memory }: ErasableTable, { ids, entity }: ErasureSubject) {
  if (memory === undefined) return false;
  return (
    ids.has(String(row[memory])) ||
    (entity !== null && row[entityIdField(entity.type)] === entity.id)
  );
}
