/** A text in parts of at most so many characters, which end at white space where there is any. */
export function textParts(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + partLength(text.slice(from, from + maxChars + 1), maxChars);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

/** Up to the last white space that is not at its beginning; never through a surrogate pair. */
function partLength(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  for (let end = maxChars; end > 0; end -= 1) if (/\s/.test(text.charAt(end))) return end;
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1));
  return cutsPair && maxChars > 1 ? maxChars - 1 : maxChars;
}
