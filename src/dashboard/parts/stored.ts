/** Reads and writes the storage of this origin. If a browser refuses it, nothing is kept. */
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
    // Without storage, only this page has the value.
  }
}
