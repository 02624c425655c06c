/** The storage of this origin; a browser may refuse it, and then nothing is kept. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`mneme.${name}`);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`mneme.${name}`);
    else localStorage.setItem(`mneme.${name}`, value);
  } catch {
    // Only this page knows it then.
  }
}
