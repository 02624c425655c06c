import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, escapeHidden, Id } from '../../src/contract/schemas/text.ts';

describe('text as stored', () => {
  it.each([
    ['a control character', 'a\u0007b'],
    ['a C1 control, which steers terminals', 'a\u009bb'],
    ['DEL', 'a\u007fb'],
    ['a zero-width space', 'a\u200bb'],
    ['a joiner between Latin letters', 'a\u200db'],
    ['a soft hyphen', 'a\u00adb'],
    ['a byte order mark', 'a\ufeffb'],
    ['an invisible sign of mathematics', 'a\u2063b'],
    ['a reversed direction', 'a\u202eb'],
    ['an isolate', 'a\u2066b'],
    ['a mark of direction among Latin letters', 'a\u200fb'],
    ['a filler of Hangul', 'a\u3164b'],
    ['a variation selector', 'a\ufe0fb'],
    ['letters as tags', 'a\u{e0049}\u{e0047}\u{e004e}b'],
    ['a blank of Braille among Latin letters', 'a\u2800b'],
    ['a blank note', 'a\u{1d159}b'],
    ['marks of annotations', 'a\ufff9\ufffa\ufffbb'],
    ['a character for private use', 'a\ue000\u{f0000}\u{10fffd}b'],
    ['a code point that is no character', 'a\ufdd0\u{1ffff}b'],
    ['bytes as variation selectors', 'a\u{e0120}\u{e0121}b'],
  ])('holds no %s', (_, text) => {
    expect(cleanText(text)).toBe('ab');
  });

  it('holds one variation selector behind an emoji and no more', () => {
    expect(cleanText('\u2764\ufe0f\ufe0e\u{e0100}\u{e0101}')).toBe('\u2764\ufe0f');
  });

  it.each([
    ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
    ['a profession with a skin tone', '\u{1f469}\u{1f3fd}\u200d\u{1f680}'],
    ['the rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['Hindi', '\u0915\u094d\u200d\u0937'],
    ['Sinhala', '\u0d9a\u0dca\u200d\u0dbb'],
    ['a form of a Han character', '\u845b\u{e0100}'],
    ['Mongolian', '\u182d\u180b\u1820'],
    ['old Hangul', '\u1112\u1160\u11ab'],
    ['Hebrew beside Latin letters', '\u05d6\u05d4 C++\u200e \u05d8\u05d5\u05d1'],
    ['a tab and a new line', 'a\tb\nc'],
    ['words of Braille', '\u281e\u2801\u2800\u281e\u2801'],
    ['the sign before an Arabic number', '\u0600\u0661\u0662'],
    ['a picture that Unicode has only reserved', '\u{1faff}'],
    ['a rare Han character', '\u{323b0}'],
    ['what a later version of Unicode may draw', '\u0378'],
  ])('keeps %s', (_, text) => {
    expect(cleanText(text)).toBe(text);
  });

  it.each(['\r\n', '\r', '\u0085', '\u2028', '\u2029'])('has one kind of line end: %j', (end) => {
    expect(cleanText(`a${end}b`)).toBe('a\nb');
  });

  it('stays as it is when it is stored again', () => {
    const part = fc.oneof(
      fc.constantFrom(...'\u200b\u200d\ufe0f\u200e\u00ad\u115f\u1160\u1161\u11ab\u0645\u2764a'),
      fc.constantFrom('\u{1f468}', '\u{1f3f4}', '\u{e0067}', '\u{e007f}', '\u845b', '\u{e0100}'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const once = cleanText(parts.join(''));
        expect(cleanText(once)).toBe(once);
      }),
    );
  });
});

it('an id holds no hidden characters', () => {
  expect(Id.safeParse('ali\u200bce').error?.issues[0]?.message).toBe(
    'must not hold control or hidden characters',
  );
  expect(Id.safeParse('\u{1f468}\u200d\u{1f469}').success).toBe(true);
});

it('JSON for a terminal has what is hidden as escapes, and says the same', () => {
  const value = { 'a\u009b\u202e': 'b\u2028\u200b\u{e0049}', family: '\u{1f468}\u200d\u{1f469}' };

  const json = escapeHidden(JSON.stringify(value));

  expect(json).not.toMatch(/[\u009b\u202e\u2028\u200b\u{e0049}]/u);
  expect(json).toContain(value.family);
  expect(JSON.parse(json)).toEqual(value);
});
