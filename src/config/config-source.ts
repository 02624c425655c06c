import type { OptionName } from './options.ts';

/** One value as it was found; `label` names the place for people. */
export type ConfigEntry = { name: OptionName; value: unknown; label: string; folder: string };

/** What a source holds, and what is wrong with it. */
export type ConfigSource = {
  entries: ConfigEntry[];
  problems: string[];
  /** A file that came with the working folder. */
  inProject?: true;
};
