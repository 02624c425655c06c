import { sql } from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { Column, Condition, FilterDialect, JsonPlace, Order } from './dialect.ts';
import { fold, isUnspaced, splitWords } from './words.ts';

/** Functions of the schema `mneme` are made by `postgres-functions.ts`. */
export const filterDialect: FilterDialect = {
  isIn: (column, values) => sql`${column} = any(${listOf(values)})`,
  contains: (column, text) => sql`strpos(${column}, ${text}) > 0`,
  icontains: (column, text) => sql`strpos(folded(${column}), ${fold(text)}) > 0`,
  holdsWords: (column, values) => anyOf(values.map((value) => holdsWords(column, value))),
  // Most lists are empty: looking at that is cheaper than reading JSON.
  listHas: (column, values) => sql`(${column} <> '[]' and json_of(${column}) ?| ${texts(values)})`,
  listIcontains: (column, text) =>
    sql`exists (select 1 from jsonb_array_elements_text(json_of(${column})) as item(value)
      where strpos(folded(item.value), ${fold(text)}) > 0)`,
  json: {
    exists: (place) => sql`coalesce(${typeAt(place)}, 'null') <> 'null'`,
    isIn: isInJson,
    compare: compareJson,
    contains: (place, text) =>
      holdsText(place, {
        isText: sql`strpos(${textAt(place)}, ${text}) > 0`,
        isItem: sql`item.value #>> '{}' = ${text}`,
      }),
    icontains: (place, text) =>
      holdsText(place, {
        isText: sql`strpos(folded(${textAt(place)}), ${fold(text)}) > 0`,
        isItem: sql`folded(item.value #>> '{}') = ${fold(text)}`,
      }),
  },
};

/** A list of one parameter, however many values: the length does not alter the statement. */
function listOf(values: readonly (string | number)[]): Column {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === 0) return texts(values.map(String));
  if (numbers.length < values.length) return texts(values.map(String));
  return values.every(Number.isSafeInteger)
    ? sql`${numbers}::bigint[]`
    : sql`${numbers}::double precision[]`;
}

function texts(values: readonly string[]): Column {
  return sql`${values}::text[]`;
}

/** A value without words, such as an emoji, is looked for as it is. */
function holdsWords(column: Column, value: string): Condition {
  const words = splitWords(fold(value));
  if (words.length === 0) return sql`strpos(folded(${column}), ${fold(value)}) > 0`;
  const spaced = words.filter((word) => !isUnspaced(word));
  const parts = words.filter(isUnspaced).map((word) => {
    return sql<boolean>`strpos(folded(${column}), ${word}) > 0`;
  });
  const whole = spaced.length === 0 ? [] : [sql<boolean>`words_of(${column}) @> ${texts(spaced)}`];
  return sql`(${sql.join([...whole, ...parts], sql` and `)})`;
}

function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`;
}

function isInJson(place: JsonPlace, values: readonly FilterScalar[]): Condition {
  const numbers = values.filter((value) => typeof value === 'number').map(String);
  const flags = values.filter((value) => typeof value === 'boolean').map(String);
  const nulls = values.includes(null) ? ['null'] : [];
  return sql`case coalesce(${typeAt(place)}, 'null')
    when 'string' then ${textAt(place)}
      = any(${texts(values.filter((value) => typeof value === 'string'))})
    when 'number' then ${textAt(place)}::numeric = any(${numbers}::numeric[])
    when 'boolean' then ${textAt(place)} = any(${texts(flags)})
    when 'null' then 'null' = any(${texts(nulls)})
    else false end`;
}

const signs: Record<Order, Column> = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` };

/** Within a `case`: else a text might be read as a number before its type was looked at. */
function compareJson(place: JsonPlace, order: Order, value: string | number): Condition {
  return typeof value === 'number'
    ? sql`case ${typeAt(place)} when 'number'
        then ${textAt(place)}::numeric ${signs[order]} ${String(value)}::numeric else false end`
    : sql`case ${typeAt(place)} when 'string'
        then ${textAt(place)} collate "C" ${signs[order]} ${value} else false end`;
}

function holdsText(
  place: JsonPlace,
  { isText, isItem }: { isText: Condition; isItem: Condition },
): Condition {
  return sql`case ${typeAt(place)}
    when 'string' then ${isText}
    when 'array' then exists (select 1 from jsonb_array_elements(${valueAt(place)}) as item(value)
      where jsonb_typeof(item.value) = 'string' and ${isItem})
    else false end`;
}

function typeAt(place: JsonPlace): Column {
  return sql`jsonb_typeof(${valueAt(place)})`;
}

function textAt(place: JsonPlace): Column {
  return sql`(${valueAt(place)} #>> '{}')`;
}

/** Strict: keys of objects only, where other operators would count the items of a list. */
function valueAt({ column, path }: JsonPlace): Column {
  const keys = path.map((key) => `.${JSON.stringify(key)}`).join('');
  const at = `strict $${keys}`;
  return sql`jsonb_path_query_first(json_of(${column}), ${at}::jsonpath, '{}', true)`;
}
