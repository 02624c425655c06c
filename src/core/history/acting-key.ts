import { AsyncLocalStorage } from 'node:async_hooks';

const keys = new AsyncLocalStorage<string | null>();

/** Carries out a call; the events that it records name the key that made it. */
export function withActingKey<T>(key_id: string | undefined, call: () => T): T {
  return keys.run(key_id ?? null, call);
}

/** The key of the call in progress; null for the local user, and outside calls. */
export function actingKey(): string | null {
  return keys.getStore() ?? null;
}
