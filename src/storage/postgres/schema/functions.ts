import { schemaName } from '../connection/row-security.ts';

/**
 * Functions for filters and policies. Each qualifies all names, because its body is resolved with
 * the caller's search path.
 */
export function createFunctionsSql(): string[] {
  const word = wordClass();
  return [
    // Null outside a project, which matches no row.
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
    // JSON may contain two escaped characters that jsonb rejects.
    `create or replace function ${schemaName}.safe_jsonb(value text) returns jsonb
      language sql immutable strict parallel safe
      return case when value ~ '\\\\u(0000|d[89a-f])'
        then regexp_replace(value, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f][0-9a-f]{2})',
          '\\1' || chr(65533), 'g')
        else value end::jsonb`,
    // Planned for each term, because the best plan depends on how common the term is.
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
 * Letters, marks and numbers as character ranges, because the database's own classes depend on its
 * version and must agree with those of this program.
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
