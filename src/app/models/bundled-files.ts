import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of a file that ships with the package: next to the program or the library; for sources,
 * and programs that `scripts/run-ts.mjs` makes of them, where the tool that makes it puts it.
 */
export function packageFile(folder: string, name: string): string {
  const places = ['../', './', '../../../assets/', '../../assets/'].map((place) =>
    fileURLToPath(new URL(`${place}${folder}/${name}`, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? name;
}
