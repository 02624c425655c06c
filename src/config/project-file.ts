import type { ConfigEntry, ConfigSource } from './config-source.ts';
import type { FromProject, Option } from './option.ts';
import { type OptionName, options, variableName } from './options.ts';

/** Why a file in the working folder may not set an option to this value; null if it may. */
export function projectFileProblem(name: OptionName, value: unknown): string | null {
  const fromProject = fromProjectOf(name);
  if (fromProject === 'refused') {
    return `is not allowed in a file of the working folder; ${ownPlaces(name)}`;
  }
  if (typeof fromProject === 'string') return null;
  const [widest, ...narrower] = fromProject.narrows;
  if (value !== widest) return null;
  const allowed = narrower.join(' or ');
  return `may only be ${allowed} in a file of the working folder; ${ownPlaces(name)}`;
}

function ownPlaces(name: OptionName): string {
  return (
    "set it in your own file (--config FILE or the user's configuration folder), " +
    `in ${variableName(name)} or as a flag`
  );
}

function fromProjectOf(name: OptionName): FromProject {
  const option: Option = options[name];
  return option.fromProject;
}

/**
 * The entries of all sources, the last of a name being the one that counts. A file in the working
 * folder narrows what the user's own file says and never widens it.
 */
export function effectiveEntries(sources: readonly ConfigSource[]): ConfigEntry[] {
  const own = ownEntries(sources);
  return sources.flatMap(({ entries, inProject }) =>
    inProject ? entries.flatMap((entry) => narrowedEntry(entry, own)) : entries,
  );
}

function ownEntries(sources: readonly ConfigSource[]): ConfigEntry[] {
  return sources.filter(({ inProject }) => !inProject).flatMap(({ entries }) => entries);
}

function narrowedEntry(entry: ConfigEntry, own: readonly ConfigEntry[]): ConfigEntry[] {
  const fromProject = fromProjectOf(entry.name);
  if (fromProject === 'tools') return narrowedTools(entry, own);
  if (typeof fromProject === 'string') return [entry];
  const { narrows } = fromProject;
  const owned = own.findLast(({ name }) => name === entry.name);
  const isWider =
    owned !== undefined && narrows.indexOf(owned.value) > narrows.indexOf(entry.value);
  // A value that is none of them stays, so that it is refused.
  return isWider && narrows.includes(entry.value) ? [] : [entry];
}

/** The user's choice of tools stays, and so does what the user leaves out. */
function narrowedTools(entry: ConfigEntry, own: readonly ConfigEntry[]): ConfigEntry[] {
  if (entry.name !== 'exclude_tools') {
    return own.some(({ name }) => name === 'toolsets' || name === 'tools') ? [] : [entry];
  }
  const leftOut = own.findLast(({ name }) => name === 'exclude_tools')?.value;
  if (!Array.isArray(leftOut) || !Array.isArray(entry.value)) return [entry];
  return [{ ...entry, value: [...new Set([...leftOut, ...entry.value])] }];
}

/** A scope locked by the user stays locked, whichever folder the program starts in. */
export function lockedScopeProblems(sources: readonly ConfigSource[]): string[] {
  const lock = ownEntries(sources).findLast(({ name }) => name === 'lock_scope');
  if (lock?.value !== true) return [];
  return sources
    .filter(({ inProject }) => inProject)
    .flatMap(({ entries }) => entries)
    .filter(({ name }) => name === 'lock_scope' || name.endsWith('_id'))
    .map(({ label }) => `${label}: the scope is locked by ${lock.label}`);
}
