import { type Expression, sql } from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { Column, Condition, FilterDialect, JsonPlace, Order } from './dialect.ts';
import type { SqliteDatabase, SqliteValue } from './sqlite-driver.ts';
import { fold, isUnspaced, splitWords } from './words.ts';

/** Lists travel as one JSON parameter, so that neither length nor content alters the SQL. */
export const filterDialect: FilterDialect = {
  isIn: (column, values) => sql`${column} in (${each(values)})`,
  contains: (column, text) => sql`instr(${column}, ${text}) > 0`,
  icontains: (column, text) => sql`instr(fold(${column}), ${fold(text)}) > 0`,
  holdsWords: (column, values) => sql`holds_words(${column}, ${JSON.stringify(values)})`,
  // In the words of the index of those memories whose list is not empty.
  listHas: (column, values) =>
    sql`${column} <> '[]' and ${mayHold(column, values)} and (
      ${column} in (${each(values.map((value) => JSON.stringify([value])))})
      or exists (select 1 from json_each(${column}) as item
        where item.value in (${each(values)})))`,
  listIcontains: (column, text) =>
    sql`${column} <> '[]' and exists (select 1 from json_each(${column}) as item
      where instr(fold(item.value), ${fold(text)}) > 0)`,
  json: {
    exists: (place) => sql`coalesce(${typeAt(place)}, 'null') <> 'null'`,
    isIn: isInJson,
    compare: compareJson,
    contains: (place, text) =>
      holdsText(place, {
        isText: sql`instr(${valueAt(place)}, ${text}) > 0`,
        isItem: sql`item.value = ${text}`,
      }),
    icontains: (place, text) =>
      holdsText(place, {
        isText: sql`instr(fold(${valueAt(place)}), ${fold(text)}) > 0`,
        isItem: sql`fold(item.value) = ${fold(text)}`,
      }),
  },
};

/** Lists are read one by one, which takes ten times as long as to see that a text is not in one. */
function mayHold(column: Column, values: readonly string[]): Condition {
  if (values.length === 0 || values.length > lookedForMax) return sql`true`;
  const held = values.map((value) => sql`instr(${column}, ${JSON.stringify(value)}) > 0`);
  return sql`(${sql.join(held, sql` or `)})`;
}

/** With more of them it would not pay. */
const lookedForMax = 8;

function isInJson(place: JsonPlace, values: readonly FilterScalar[]): Condition {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number');
  const flags = values.filter((value) => typeof value === 'boolean').map(String);
  const nulls = values.includes(null) ? ['null'] : [];
  return sql`case coalesce(${typeAt(place)}, 'null')
    when 'text' then ${valueAt(place)} in (${each(texts)})
    when 'integer' then ${valueAt(place)} in (${each(numbers)})
    when 'real' then ${valueAt(place)} in (${each(numbers)})
    else coalesce(${typeAt(place)}, 'null') in (${each([...flags, ...nulls])}) end`;
}

const signs: Record<Order, Expression<unknown>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

function compareJson(place: JsonPlace, order: Order, value: string | number): Condition {
  const types = each(typeof value === 'number' ? ['integer', 'real'] : ['text']);
  // As JSON: read by the same code as the stored value, so that equal numbers stay equal.
  const operand = sql`json_extract(${JSON.stringify([value])}, '$[0]')`;
  return sql`(${typeAt(place)} in (${types}) and ${valueAt(place)} ${signs[order]} ${operand})`;
}

function holdsText(
  place: JsonPlace,
  { isText, isItem }: { isText: Condition; isItem: Condition },
): Condition {
  return sql`case ${typeAt(place)}
    when 'text' then ${isText}
    when 'array' then exists (select 1 from json_each(${place.column}, ${pathOf(place)}) as item
      where item.type = 'text' and ${isItem})
    else 0 end`;
}

function typeAt(place: JsonPlace): Column {
  return sql`json_type(${place.column}, ${pathOf(place)})`;
}

function valueAt(place: JsonPlace): Column {
  return sql`json_extract(${place.column}, ${pathOf(place)})`;
}

/** Keys hold no quotes and no backslashes: the filter's parser sees to that. */
function pathOf({ path }: JsonPlace): string {
  return `$${path.map((key) => `."${key}"`).join('')}`;
}

function each(values: readonly (string | number)[]): Column {
  return sql`select value from json_each(${JSON.stringify(values)})`;
}

/** Functions that the conditions call: SQLite itself knows the case of ASCII letters only. */
export function registerFunctions(sqlite: SqliteDatabase): void {
  const options = { deterministic: true };
  sqlite.function('fold', options, (text) => (text === null ? null : fold(String(text))));
  const wordsOf = remembering((json) => readWords(JSON.parse(json)));
  sqlite.function('holds_words', options, (text, json) => holdsWords(text, wordsOf(String(json))));
}

type Words = { text: string; words: string[] };

function readWords(values: string[]): Words[] {
  return values.map((value) => ({ text: fold(value), words: splitWords(fold(value)) }));
}

function holdsWords(value: SqliteValue | undefined, wanted: readonly Words[]): number {
  const text = fold(String(value));
  const words = new Set(splitWords(text));
  const holds = (word: string) => words.has(word) || (isUnspaced(word) && text.includes(word));
  const holdsOne = wanted.some((entry) =>
    // A value without words, such as an emoji, is looked for as it is.
    entry.words.length === 0 ? text.includes(entry.text) : entry.words.every(holds),
  );
  return holdsOne ? 1 : 0;
}

/** A query calls with the same argument for each row. */
function remembering<T>(read: (text: string) => T): (text: string) => T {
  let last: { text: string; value: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) };
    return last.value;
  };
}
