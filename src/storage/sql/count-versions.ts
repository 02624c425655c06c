/** How many earlier versions a store has, and how many of them ended before a time. */
export type VersionCounts = { all: number; old: number };

/** Null for `before` counts none as old. The parameter is the only one of the statement. */
export function countVersionsSql(table: string, parameter: string): string {
  return `select count(*) as "all",
    coalesce(sum(case when recorded_until < ${parameter} then 1 else 0 end), 0) as old
    from ${table}`;
}
