import { resolve } from 'node:path';
import { installPackages } from '../support/packages.ts';

export { installTimeoutMs } from '../support/packages.ts';

const target = '.build/models';

/** Installs what runs local models where that is due; answers the folder of models. */
export async function installRuntime(): Promise<string> {
  await installPackages({ source: 'test/models/packages', target });
  return resolve(target);
}
