/** A file in a folder or an archive; `size` is in bytes. */
export type ContainedFile = { path: string; size: number; read: () => Promise<Buffer> };
