import type { Message } from '../../contract/schemas/message.ts';
import { allRules } from './languages/all-languages.ts';

/**
 * "If I lived in Rome, I'd walk more", by language: the condition, the consequence, and words that
 * introduce a fact after it: "..., but I live in Bonn".
 */
const hypotheticalPatterns: readonly (readonly [supposed: RegExp, then: RegExp, fact: RegExp])[] = [
  // "If I skipped breakfast, I would get a migraine" is a fact, and so it is with most verbs.
  [
    atSentenceStart(
      'if i (?:were(?! (?:to|honest))|lived|owned|won|could(?! (?:choose|pick))|' +
        'had (?:more|enough|\\p{N}+|two|three)|was (?:rich|you))',
    ),
    asWholeWord("(?:i would|i['’]d|i could|would i)(?! (?:say|pick|choose|go (?:for|with)|call))"),
    asWholeWord('but|because|since|though|although|while'),
  ],
  [
    atSentenceStart('wenn ich (?!ehrlich)[^,]*(?:würde|wäre|hätte|könnte)(?=,)'),
    asWholeWord('(?:würde|wäre|hätte|könnte|müsste)[nt]?'),
    asWholeWord('aber|weil|denn|doch|obwohl'),
  ],
  [
    atSentenceStart(
      "si (?:j['’](?:étais|avais(?! à)|habitais)|je (?:vivais|gagnais|pouvais|travaillais))",
    ),
    /\p{L}r(?:ais|ait)(?!\p{L})/iu,
    asWholeWord('mais|car|parce|puisque'),
  ],
  [
    atSentenceStart(
      'si (?:yo )?(?:fuera|fuese|tuviera(?! que)|tuviese(?! que)|viviera|viviese|pudiera|' +
        'ganara|trabajara)',
    ),
    /\p{L}ría(?!\p{L})/iu,
    asWholeWord('pero|porque|aunque'),
  ],
  [
    atSentenceStart(
      'se (?:io )?(?:fossi|avessi(?! da)|vivessi|abitassi|potessi|vincessi|lavorassi)',
    ),
    /\p{L}rei(?!\p{L})/iu,
    asWholeWord('ma|però|perché'),
  ],
  [
    atSentenceStart(
      'se (?:eu )?(?:fosse|tivesse(?! (?:que|de))|vivesse|morasse|pudesse|ganhasse|trabalhasse)',
    ),
    /\p{L}ria(?!\p{L})/iu,
    asWholeWord('mas|porque|embora'),
  ],
  [
    atSentenceStart('если бы (?:я|у меня)(?! (?:выбирал|должен))'),
    /(?<!\p{L})я бы(?!\p{L})/iu,
    asWholeWord('но|потому|хотя|а'),
  ],
  [/^(?:もし|仮に)/u, /のに(?:なあ?|ね)?[。！!]*$/u, /だけど|ですが|けれど/u],
];

/** Whether a sentence is only hypothetical. */
export function isHypothetical(sentence: string): boolean {
  if (allRules.some(({ asking }) => asking.supposing.test(sentence))) return true;
  return hypotheticalPatterns.some(([supposed, then, fact]) => {
    const found = supposed.exec(sentence);
    if (found === null) return false;
    const rest = sentence.slice(found[0].length);
    return then.test(rest) && !fact.test(rest);
  });
}

/** The number of the message from which on the user plays a part; infinite if there is none. */
export function startOfPlay(messages: readonly Message[]): number {
  const found = messages.findIndex(({ role, content }) => {
    return role === 'user' && allRules.some(({ asking }) => asking.play.test(content));
  });
  return found < 0 ? Number.POSITIVE_INFINITY : found;
}

function atSentenceStart(source: string): RegExp {
  return new RegExp(`^(?:(?:well|so|haha|lol|ach|ah|oh),? )?${source}(?!\\p{L})`, 'iu');
}

function asWholeWord(source: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${source})(?!\\p{L})`, 'iu');
}
