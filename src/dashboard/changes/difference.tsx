import { diffWordsWithSpace } from 'diff';

type DifferenceProps = { before: string | null; after: string | null };

/** Longer texts are not compared word by word, because that would block the page. */
const comparedCharsMax = 8_000;

/** Shows what changed between two texts. */
export function Difference({ before, after }: DifferenceProps) {
  if (before === null || after === null || before === after) {
    const text = after ?? before ?? '';
    return (
      <p class="diff" dir="auto">
        {after === null ? <del>{text}</del> : <ins>{text}</ins>}
      </p>
    );
  }
  return (
    <p class="diff" dir="auto">
      {partsOf(before, after).map((part, at) => (
        <span key={at}>
          {part.before && <del>{part.before}</del>}
          {part.after && <ins>{part.after}</ins>}
          {part.common}
        </span>
      ))}
    </p>
  );
}

/** A change, and the text after it that both versions have in common. */
type Part = { before: string; after: string; common: string };

/** Splits two texts into changes; changes with only spaces between them become one. */
function partsOf(before: string, after: string): Part[] {
  if (before.length + after.length > comparedCharsMax) {
    return [{ before, after, common: '' }];
  }
  const parts: Part[] = [{ before: '', after: '', common: '' }];
  for (const { value, removed, added } of diffWordsWithSpace(before, after)) {
    let last = parts.at(-1) ?? { before: '', after: '', common: '' };
    if (!removed && !added) {
      last.common += value;
      continue;
    }
    if (last.common.trim() === '') {
      last.before += last.common;
      last.after += last.common;
      last.common = '';
    } else {
      last = { before: '', after: '', common: '' };
      parts.push(last);
    }
    if (removed) last.before += value;
    else last.after += value;
  }
  return parts;
}
