import { sql } from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { FilterDialect, JsonColumnPath, SqlColumn, SqlCondition } from '../sql/dialect.ts';
import { scalarsByType } from '../sql/json.ts';
import type { TextCondition } from '../sql/text-condition.ts';
import { foldCase } from '../sql/text-folding.ts';

/** Lists are passed as one JSON parameter, so that they do not change the SQL. */
export const sqliteFilterDialect: FilterDialect = {
  isIn: (column, values) => sql`${column} in (${jsonValues(values)})`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  icontains: (column, text) => sql`instr(fold_case(${column}), ${foldCase(text)}) > 0`,
  matchesText,
  containsWords: (column, values) => matchesText(column, { look: 'words', values }),
  // First checks the text of the list, which is empty for most memories.
  listContains: (column, values) =>
    sql`${column} <> '[]' and ${mayContain(column, values)} and (
      ${column} in (${jsonValues(values.map((value) => JSON.stringify([value])))})
      or exists (select 1 from json_each(${column}) as item
        where item.value in (${jsonValues(values)})))`,
  listIcontains: (column, text) =>
    sql`${column} <> '[]' and exists (select 1 from json_each(${column}) as item
      where instr(fold_case(item.value), ${foldCase(text)}) > 0)`,
  json: {
    exists: (path) => sql`coalesce(${typeAt(path)}, 'null') <> 'null'`,
    isIn: isInJson,
    compare: compareJson,
    contains: (path, text) =>
      textOrItemCondition(path, {
        isText: sql`instr(${valueAt(path)}, ${text}) > 0`,
        isItem: sql`item.value = ${text}`,
      }),
    icontains: (path, text) =>
      textOrItemCondition(path, {
        isText: sql`instr(fold_case(${valueAt(path)}), ${foldCase(text)}) > 0`,
        isItem: sql`fold_case(item.value) = ${foldCase(text)}`,
      }),
  },
};

/** The condition is a statement of its own, which SQLite carries out once. */
function matchesText(column: SqlColumn, condition: TextCondition): SqlCondition {
  return sql`matches_text(${column}, (select text_test(${JSON.stringify(condition)})))`;
}

/** Parsing a list takes ten times as long as seeing that its text does not contain a value. */
function mayContain(column: SqlColumn, values: readonly string[]): SqlCondition {
  if (values.length === 0 || values.length > prefilterValuesMax) return sql`true`;
  const held = values.map((value) => sql`instr(${column}, ${JSON.stringify(value)}) > 0`);
  return sql`(${sql.join(held, sql` or `)})`;
}

/** With more values the check would not pay off. */
const prefilterValuesMax = 8;

/** A list is in there where one of its items is. */
function isInJson(path: JsonColumnPath, values: readonly FilterScalar[]): SqlCondition {
  const type = sql`coalesce(${typeAt(path)}, 'null')`;
  return sql`case ${type}
    when 'array' then exists (select 1 from json_each(${path.column}, ${pathOf(path)}) as item
      where ${isAmongJson({ type: sql`item.type`, value: sql`item.value` }, values)})
    else ${isAmongJson({ type, value: valueAt(path) }, values)} end`;
}

function isAmongJson(
  { type, value }: { type: SqlCondition | SqlColumn; value: SqlColumn },
  values: readonly FilterScalar[],
): SqlCondition {
  const { texts, numbers, flags, nulls } = scalarsByType(values);
  return sql`case ${type}
    when 'text' then ${value} in (${jsonValues(texts)})
    when 'integer' then ${value} in (${jsonValues(numbers)})
    when 'real' then ${value} in (${jsonValues(numbers)})
    else ${type} in (${jsonValues([...flags, ...nulls])}) end`;
}

function compareJson(
  path: JsonColumnPath,
  operator: SqlColumn,
  value: string | number,
): SqlCondition {
  const types = jsonValues(typeof value === 'number' ? ['integer', 'real'] : ['text']);
  // As JSON: parsed by the same code as the stored value, so that equal numbers are equal.
  const operand = sql`json_extract(${JSON.stringify([value])}, '$[0]')`;
  return sql`(${typeAt(path)} in (${types}) and ${valueAt(path)} ${operator} ${operand})`;
}

function textOrItemCondition(
  path: JsonColumnPath,
  { isText, isItem }: { isText: SqlCondition; isItem: SqlCondition },
): SqlCondition {
  return sql`case ${typeAt(path)}
    when 'text' then ${isText}
    when 'array' then exists (select 1 from json_each(${path.column}, ${pathOf(path)}) as item
      where item.type = 'text' and ${isItem})
    else 0 end`;
}

function typeAt(path: JsonColumnPath): SqlColumn {
  return sql`json_type(${path.column}, ${pathOf(path)})`;
}

function valueAt(path: JsonColumnPath): SqlColumn {
  return sql`json_extract(${path.column}, ${pathOf(path)})`;
}

/** Keys contain no quotes or backslashes: the filter parser rejects them. */
function pathOf({ path }: JsonColumnPath): string {
  return `$${path.map((key) => `."${key}"`).join('')}`;
}

function jsonValues(values: readonly (string | number)[]): SqlColumn {
  return sql`select value from json_each(${JSON.stringify(values)})`;
}
