/** What to tell the user about a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
