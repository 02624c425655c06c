/** `Omit` accepts keys that the type does not have, and hides that one was renamed. */
export type StrictOmit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
