/** The version of the tables as `sql/schema/` describes them. */
export const schemaVersion = 18;

/** The oldest version that can be upgraded; no release ever wrote an older one. */
export const oldestVersion = 8;

/** What is wrong with a store of this version and what to do; null if it is usable. */
export function versionProblem(version: number, otherwise: string): string | null {
  if (version > schemaVersion) {
    return (
      `was written by a newer mneme (schema ${version}; this one knows up to ${schemaVersion}); ` +
      `nothing was changed: update mneme, or ${otherwise}`
    );
  }
  if (version > 0 && version < oldestVersion) {
    return (
      `was written by a mneme that is too old (schema ${version}; this one upgrades ` +
      `${oldestVersion} or later); nothing was changed: export it with the mneme that wrote it and ` +
      `import that into a new store, or ${otherwise}`
    );
  }
  return null;
}

/** The first one with earlier versions of memories. */
export const firstWithVersions = 11;
