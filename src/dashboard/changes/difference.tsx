import { diffWordsWithSpace } from 'diff';

type DifferenceProps = { before: string | null; after: string | null };

/** Beyond this the words of both texts are not compared: it would keep the page waiting. */
const comparedCharsMax = 8_000;

/** What a text was and is, as one text where most of it stayed. */
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
      {partsOf(before, after).map(({ kept, removed, added }, at) => (
        <span key={at}>
          {removed && <del>{removed}</del>}
          {added && <ins>{added}</ins>}
          {kept}
        </span>
      ))}
    </p>
  );
}

/** A change, and what follows it unchanged. */
type Part = { removed: string; added: string; kept: string };

/** Changes with nothing but a space between them are one. */
function partsOf(before: string, after: string): Part[] {
  if (before.length + after.length > comparedCharsMax) {
    return [{ removed: before, added: after, kept: '' }];
  }
  const parts: Part[] = [{ removed: '', added: '', kept: '' }];
  for (const { value, removed, added } of diffWordsWithSpace(before, after)) {
    let last = parts.at(-1) ?? { removed: '', added: '', kept: '' };
    if (!removed && !added) {
      last.kept += value;
      continue;
    }
    if (last.kept.trim() === '') {
      last.removed += last.kept;
      last.added += last.kept;
      last.kept = '';
    } else {
      last = { removed: '', added: '', kept: '' };
      parts.push(last);
    }
    if (removed) last.removed += value;
    else last.added += value;
  }
  return parts;
}
