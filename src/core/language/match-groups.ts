/** What the named groups of a pattern matched. */
export type MatchGroups = Readonly<Record<string, string | undefined>>;

/** Of the arguments of a replacer, of a pattern that has named groups: they come last. */
export function matchGroupsOf(args: readonly unknown[]): MatchGroups {
  return { ...Object(args.at(-1)) };
}
