import { sql } from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { FilterDialect, JsonColumnPath, SqlColumn, SqlCondition } from '../sql/dialect.ts';
import { scalarsByType } from '../sql/json.ts';
import { foldCase, isUnspacedScript, splitWords } from '../sql/text-folding.ts';

/** Uses functions of the schema `mneme`, which `schema/functions.ts` creates. */
export const postgresFilterDialect: FilterDialect = {
  isIn: (column, values) => sql`${column} = any(${arrayOf(values)})`,
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  icontains: (column, text) => sql`strpos(${folded(column)}, ${foldCase(text)}) > 0`,
  containsWords: (column, values) => anyOf(values.map((value) => containsWords(column, value))),
  // Most lists are empty: that check is cheaper than reading JSON.
  listContains: (column, values) =>
    sql`(${column} <> '[]' and safe_jsonb(${column}) ?| ${textArray(values)})`,
  listIcontains: (column, text) =>
    sql`exists (select 1 from jsonb_array_elements_text(safe_jsonb(${column})) as item(value)
      where strpos(${folded(sql`item.value`)}, ${foldCase(text)}) > 0)`,
  json: {
    exists: (path) => sql`coalesce(${typeAt(path)}, 'null') <> 'null'`,
    isIn: isInJson,
    compare: compareJson,
    contains: (path, text) =>
      textOrItemCondition(path, {
        isText: sql`strpos(${textAt(path)}, ${text}) > 0`,
        isItem: sql`item.value #>> '{}' = ${text}`,
      }),
    icontains: (path, text) =>
      textOrItemCondition(path, {
        isText: sql`strpos(${folded(textAt(path))}, ${foldCase(text)}) > 0`,
        isItem: sql`${folded(sql`item.value #>> '{}'`)} = ${foldCase(text)}`,
      }),
  },
};

/** As `foldCase` does it. */
function folded(text: SqlColumn): SqlColumn {
  return sql`replace(replace(fold_case(${text}), 'i\u0307', 'i'), 'ß', 'ss')`;
}

/** One array parameter for any number of values, so that the statement stays the same. */
function arrayOf(values: readonly (string | number)[]): SqlColumn {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return textArray(values.map(String));
  if (numbers.length < values.length) return textArray(values.map(String));
  return values.every(Number.isSafeInteger)
    ? sql`${numbers}::bigint[]`
    : sql`${numbers}::double precision[]`;
}

function textArray(values: readonly string[]): SqlColumn {
  return sql`${values}::text[]`;
}

/** A value without words, such as an emoji, is searched as a substring. */
function containsWords(column: SqlColumn, value: string): SqlCondition {
  const words = splitWords(foldCase(value));
  if (words.length === 0) return sql`strpos(${folded(column)}, ${foldCase(value)}) > 0`;
  const spaced = words.filter((word) => !isUnspacedScript(word));
  const parts = words.filter(isUnspacedScript).map((word) => {
    return sql<boolean>`strpos(${folded(column)}, ${word}) > 0`;
  });
  const whole =
    spaced.length === 0
      ? []
      : [sql<boolean>`split_words(${folded(column)}) @> ${textArray(spaced)}`];
  return sql`(${sql.join([...whole, ...parts], sql` and `)})`;
}

function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

/** A list is in there where one of its items is. */
function isInJson(path: JsonColumnPath, values: readonly FilterScalar[]): SqlCondition {
  const item = { type: sql`jsonb_typeof(item.value)`, text: sql`(item.value #>> '{}')` };
  return sql`case coalesce(${typeAt(path)}, 'null')
    when 'array' then exists (select 1 from jsonb_array_elements(${valueAt(path)}) as item(value)
      where ${isAmongJson(item, values)})
    else ${isAmongJson({ type: typeAt(path), text: textAt(path) }, values)} end`;
}

function isAmongJson(
  { type, text }: { type: SqlColumn; text: SqlColumn },
  values: readonly FilterScalar[],
): SqlCondition {
  const { texts, numbers, flags, nulls } = scalarsByType(values);
  return sql`case coalesce(${type}, 'null')
    when 'string' then ${text} = any(${textArray(texts)})
    when 'number' then ${text}::numeric = any(${numbers.map(String)}::numeric[])
    when 'boolean' then ${text} = any(${textArray(flags)})
    when 'null' then 'null' = any(${textArray(nulls)})
    else false end`;
}

/** In a `case`, so that text is not cast to a number before its type is checked. */
function compareJson(
  path: JsonColumnPath,
  operator: SqlColumn,
  value: string | number,
): SqlCondition {
  return typeof value === 'number'
    ? sql`case ${typeAt(path)} when 'number'
        then ${textAt(path)}::numeric ${operator} ${String(value)}::numeric else false end`
    : sql`case ${typeAt(path)} when 'string'
        then ${textAt(path)} collate "C" ${operator} ${value} else false end`;
}

function textOrItemCondition(
  path: JsonColumnPath,
  { isText, isItem }: { isText: SqlCondition; isItem: SqlCondition },
): SqlCondition {
  return sql`case ${typeAt(path)}
    when 'string' then ${isText}
    when 'array' then exists (select 1 from jsonb_array_elements(${valueAt(path)}) as item(value)
      where jsonb_typeof(item.value) = 'string' and ${isItem})
    else false end`;
}

function typeAt(path: JsonColumnPath): SqlColumn {
  return sql`jsonb_typeof(${valueAt(path)})`;
}

function textAt(path: JsonColumnPath): SqlColumn {
  return sql`(${valueAt(path)} #>> '{}')`;
}

/** Strict: matches keys of objects only, where other operators would index into arrays. */
function valueAt({ column, path }: JsonColumnPath): SqlColumn {
  const keys = path.map((key) => `.${JSON.stringify(key)}`).join('');
  const at = `strict $${keys}`;
  return sql`jsonb_path_query_first(safe_jsonb(${column}), ${at}::jsonpath, '{}', true)`;
}
