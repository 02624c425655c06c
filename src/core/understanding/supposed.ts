/** "If I lived in Rome, I'd walk more": what is not so, in the languages whose verbs say it. */
const supposed = new RegExp(
  '^(?:(?:well|so|haha|lol|ach|ah|oh),? )?(?:' +
    'if i (?:were|was|had|lived|worked|owned|could|won|\\p{L}+ed)(?!\\p{L}).*(?:would|' +
    "could|['’]d)|" +
    'wenn ich (?!.*früher).*(?:würde|wäre|hätte|könnte|müsste)|' +
    "si (?:j['’](?:étais|avais|habitais)|je \\p{L}+ais|on \\p{L}+ait)(?!\\p{L}).*\\p{L}+rai[st]?|" +
    'si (?:yo )?\\p{L}+(?:ara|iera|uera|uviera|ese|iese)(?!\\p{L}).*\\p{L}+ría|' +
    'se (?:io )?\\p{L}*(?:ssi|fossi)(?!\\p{L}).*\\p{L}+rei|' +
    'se (?:eu )?\\p{L}+sse(?!\\p{L}).*\\p{L}+ria|' +
    'если бы)(?!\\p{L})|^(?:もし|仮に).*(?:たら|れば|なら).*(?:のに|だろう|でしょう|なあ|な)',
  'iu',
);

/** Whether a sentence says only what would be, if something else were so. */
export function isSupposed(sentence: string): boolean {
  return supposed.test(sentence);
}
