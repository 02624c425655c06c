import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output } from '../../contract.ts';
import type { Instant } from './time.ts';

/** What the program knows of the machine and the configuration that it runs with. */
export type Installation = {
  models(): Promise<StrictOmit<Output<'list_models'>, 'tokens_today'>>;
  /** Without secrets. */
  configuration: Output<'get_configuration'>;
  /** Copies the store into a new file, which is named after the time. */
  backUp(now: Instant): Promise<{ file: string; bytes: number }>;
};
