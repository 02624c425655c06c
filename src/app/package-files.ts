import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The path of a file that ships with the package: next to the program or the library; in the
 * sources, where the tool that makes it puts it.
 */
export function packageFile(folder: string, name: string): string {
  const places = [`../${folder}/`, `./${folder}/`, `../../assets/${folder}/`].map((place) =>
    fileURLToPath(new URL(`${place}${name}`, import.meta.url)),
  );
  return places.find((place) => existsSync(place)) ?? name;
}
