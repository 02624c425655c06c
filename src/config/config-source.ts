import type { OptionName } from './options.ts';

/** One value as its source spells it; `label` names the source in messages. */
export type ConfigEntry = { name: OptionName; value: unknown; label: string; folder: string };

/** The values of one source and its problems. */
export type ConfigSource = {
  entries: ConfigEntry[];
  problems: string[];
  /** The source is a file in the working folder. */
  inProject?: true;
};
