/** What the named groups of a pattern matched. */
export type MatchGroups = Readonly<Record<string, string | undefined>>;

/** The named groups among the arguments of a replacer: they come last. */
export function matchGroupsOf(args: readonly unknown[]): MatchGroups {
  return { ...Object(args.at(-1)) };
}
