import { schemaName } from '../connection/row-security.ts';

/**
 * What conditions and policies call. Each names what it uses with its schema, because its text is
 * read where it is called.
 */
export function createFunctionsSql(): string[] {
  const word = wordClass();
  return [
    // Null outside of every project: no row has that.
    `create or replace function ${schemaName}.current_project() returns integer
      language sql stable parallel safe
      return nullif(current_setting('mneme.project', true), '')::integer`,
    `create or replace function ${schemaName}.fold_case(value text) returns text
      language sql immutable strict parallel safe
      return lower(normalize(value, NFC) collate "und-x-icu")`,
    `create or replace function ${schemaName}.split_words(value text) returns text[]
      language sql immutable strict parallel safe
      return array(select match[1]
        from regexp_matches(${schemaName}.fold_case(value), '[${word}]+', 'g') as match)`,
    // Two characters that JSON may hold, in an escaped form, and jsonb can't.
    `create or replace function ${schemaName}.safe_jsonb(value text) returns jsonb
      language sql immutable strict parallel safe
      return case when value ~ '\\\\u(0000|d[89a-f])'
        then regexp_replace(value, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})',
          '\\1' || chr(65533), 'g')
        else value end::jsonb`,
    // Planned anew for each term: it depends on how common the term is.
    `create or replace function ${schemaName}.find_positions(queries text[], most bigint)
      returns table (positions bigint[])
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      as $$
      declare query text;
      begin
        foreach query in array queries loop
          execute 'select array(select position from ${schemaName}.memory_fts
            where project_key = $1 and tokens @@ $2 order by position desc limit $3)'
            into positions
            using ${schemaName}.current_project(), query::tsquery, most;
          return next;
        end loop;
      end $$`,
  ];
}

/**
 * Letters, marks and numbers as ranges of characters: what the database counts among these depends
 * on its version, and what this program counts decides elsewhere too.
 */
function wordClass(): string {
  const isWord = /^[\p{L}\p{M}\p{N}]$/u;
  const ranges: string[] = [];
  let first: number | null = null;
  for (let code = 0x30; code <= 0x11_0000; code += 1) {
    const isIn = code < 0x11_0000 && isWord.test(String.fromCodePoint(code));
    if (isIn) first ??= code;
    else if (first !== null) {
      ranges.push(`${escapeCodePoint(first)}-${escapeCodePoint(code - 1)}`);
      first = null;
    }
  }
  return ranges.join('');
}

function escapeCodePoint(code: number): string {
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
