import type { OptionName } from './options.ts';

/** One value as it was found; `label` names the place for people. */
export type Reading = { name: OptionName; value: unknown; label: string; folder: string };

/** What a source holds, and what is wrong with it. */
export type Source = {
  readings: Reading[];
  problems: string[];
  /** A file that came with the working folder. */
  project?: true;
};
