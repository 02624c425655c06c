import { formatCount } from '../contract/format-count.ts';

const kinds = {
  image: ['image', 'images'],
  voice: ['voice note', 'voice notes'],
  video: ['video', 'videos'],
  document: ['document', 'documents'],
  archive: ['archive', 'archives'],
  other: ['file without a conversation', 'files without a conversation'],
} as const;

export type LeftOutKind = keyof typeof kinds;

/** How much of each kind an import does not read. */
export type ChatLeftOut = Partial<Record<LeftOutKind, number>>;

export function countLeftOut(tally: ChatLeftOut, kind: LeftOutKind | null): void {
  if (kind !== null) tally[kind] = (tally[kind] ?? 0) + 1;
}

/** Messages name pictures whose files are in the archive too: those are counted once. */
export function sameLeftOut(one: ChatLeftOut, other: ChatLeftOut): ChatLeftOut {
  const all = kindNames.map((kind) => [kind, Math.max(one[kind] ?? 0, other[kind] ?? 0)] as const);
  return Object.fromEntries(all.filter(([, count]) => count > 0));
}

/** `3 images, 1 voice note`; empty for nothing. */
export function describeLeftOut(tally: ChatLeftOut): string {
  return kindNames
    .filter((kind) => (tally[kind] ?? 0) > 0)
    .map((kind) => formatCount(tally[kind] ?? 0, kinds[kind][0], kinds[kind][1]))
    .join(', ');
}

const kindNames = Object.keys(kinds) as LeftOutKind[];

/** The kind of a file, by its name or media type; null for pages and for data about them. */
export function mediaKind(name: string): LeftOutKind | null {
  const match = mediaPatterns.find(([, pattern]) => pattern.test(name));
  return match === undefined ? null : match[0];
}

const mediaPatterns: readonly (readonly [LeftOutKind, RegExp])[] = [
  ['image', /^image(?:\/|$)|\.(?:png|jpe?g|gif|webp|heic|bmp|svg)$/i],
  ['voice', /^audio(?:\/|$)|\.(?:wav|mp3|m4a|ogg|opus|aac|flac)$/i],
  ['video', /^video(?:\/|$)|\.(?:mp4|mov|webm|mkv)$/i],
  ['document', /\.(?:pdf|docx?|xlsx?|pptx?|odt|csv|epub)$/i],
];
