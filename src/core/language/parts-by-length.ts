/** A text in parts of at most so many characters, which end at white space where there is any. */
export function textParts(text: string, maxChars: number): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const part = firstPart(text.slice(from, from + maxChars + 1), maxChars);
    parts.push(part);
    from += part.length;
  }
  return parts;
}

/** The first of the parts: never through a surrogate pair. */
export function firstPart(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // White space at its beginning would make it empty.
  for (let end = maxChars; end > 0; end -= 1)
    if (/\s/.test(text.charAt(end))) return text.slice(0, end);
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1));
  return text.slice(0, cutsPair && maxChars > 1 ? maxChars - 1 : maxChars);
}

/** How a text begins, in one line: enough to know it by. */
export function shownBeginning(text: string): string {
  const line = text.slice(0, 2 * shownMaxChars).replace(/\s+/g, ' ');
  return line.length <= shownMaxChars
    ? line
    : `${line.slice(0, shownMaxChars - 1).toWellFormed()}…`;
}

const shownMaxChars = 60;
