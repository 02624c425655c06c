/** What the named groups of a pattern matched. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** Of the arguments of a replacer, of a pattern that has named groups: they come last. */
export function groupsOf(found: readonly unknown[]): Groups {
  return { ...Object(found.at(-1)) };
}
