import { dateSource } from './languages/date-patterns.ts';

/** "Switched from X to Y", in the languages that the rules know. */
const replacements: readonly RegExp[] = [
  new RegExp(
    '\\b(?:switch(?:ed)?|chang(?:ed|ing)|moved|convert(?:ed)?|migrated|' +
      'upgraded|went)(?: \\p{L}+)? from (?<old>.{1,60}?) to ',
    'iu',
  ),
  /\breplaced (?:my |the |our )?(?<old>.{1,60}?) (?:with|by) /iu,
  /\bvon (?<old>.{1,60}?) (?:auf|zu|nach|in) .{1,40}?(?:gewechselt|umgestiegen|umgezogen|gezogen)/iu,
  /(?:passée?|changée?|déménagée?) (?:de |du |d['’])(?<old>.{1,60}?) (?:à|au|pour) /iu,
  new RegExp(
    '(?:cambi[éo]|pasé|me mudé|nos mudamos|nos hemos mudado|he cambiado|me cambié) (?:de|del) ' +
      '(?<old>.{1,60}?) (?:a|al|por) ',
    'iu',
  ),
  new RegExp(
    '(?:passat[oa]|cambiat[oa]|trasferit[oa]) (?:da |dal |dalla )(?<old>.{1,60}?) (?:a|' +
      'al|alla) ',
    'iu',
  ),
  /(?:mudei|troquei|passei) (?:de |do |da |o |a )(?<old>.{1,60}?) (?:para|por|pelo|pela) /iu,
  /(?<!\p{L})mudamos(?:-nos)? (?:de |do |da )(?<old>.{1,60}?) para /iu,
  /(?:перешл?[аё]л?|переехала?|сменила?|перешёл) (?:с |со |из )(?<old>.{1,60}?) (?:на|в) /iu,
  /(?<old>[^、。は]{1,20})から[^、。]{1,20}(?:に|へ)(?:乗り換え|変え|引っ越|切り替え|転職)/u,
  /从(?<old>[^，。]{1,20}?)(?:换成|换到|改用|改为|搬到|搬去|跳槽到|转到)/u,
];

/** "The offsite was moved to April 2": a known plan gets another time. */
const postponements: readonly RegExp[] = [
  new RegExp(
    "^(?:the |my |our |user['’]s )?(?<old>.{3,60}?) (?:has been|have been|got|was|is|are|were) " +
      '(?:pushed|moved|rescheduled|postponed|delayed)(?: back| up| forward)?' +
      `(?: from .{2,30}?)? (?:to|until) ${dateSource}`,
    'iu',
  ),
  new RegExp(
    '^(?:der |die |das |meine? |unsere? )?(?<old>.{3,60}?) (?:wurde|ist) ' +
      `(?:von .{2,30}? )?auf ${dateSource}(?: .{1,20})? verschoben`,
    'iu',
  ),
  new RegExp(
    "^(?:l[ea] |l['’]|m(?:on|a) )?(?<old>.{3,60}?) (?:a été|est) " +
      `(?:report|décal)ée? (?:à|au) ${dateSource}`,
    'iu',
  ),
  new RegExp(
    '^(?:el |la |mi )?(?<old>.{3,60}?) se (?:ha )?(?:pospuesto|aplazado|pospuso|aplazó) ' +
      `(?:para |hasta |a )?${dateSource}`,
    'iu',
  ),
  new RegExp(
    "^(?:il |la |l['’])?(?:mi[oa] )?(?<old>.{3,60}?) è stat[oa] (?:rinvi|spost)at[oa] " +
      `(?:a |al |alla )${dateSource}`,
    'iu',
  ),
  new RegExp(
    '^(?:o |a |meu |minha )?(?<old>.{3,60}?) foi (?:adiad|remarcad|transferid)[oa] ' +
      `para ${dateSource}`,
    'iu',
  ),
  new RegExp(
    `^(?<old>.{3,60}?) (?:перенесли|перенесён|перенесена|перенесено) на ${dateSource}`,
    'iu',
  ),
  new RegExp(`^(?<old>[^，。]{2,20}?)(?:改到|推迟到|延期到)了?${dateSource}`, 'iu'),
  new RegExp(`^(?<old>[^、。]{2,20}?)は${dateSource}[^、。]{0,10}(?:に延期|に変更)`, 'iu'),
];

/** The plan that a sentence reschedules; null without one. */
export function findPostponed(sentence: string): string | null {
  for (const pattern of postponements) {
    const old = pattern.exec(sentence)?.groups?.old;
    if (old !== undefined) return old;
  }
  return null;
}

/** The thing that a sentence says was replaced; null without one. A day is no thing. */
export function findReplaced(sentence: string): string | null {
  for (const pattern of replacements) {
    const old = pattern.exec(sentence)?.groups?.old;
    if (old !== undefined) return onlyDate.test(old) ? null : old;
  }
  return null;
}

const onlyDate = new RegExp(`^(?:${dateSource})$`, 'iu');

/** "User plans to buy a couch" is not an appointment named "couch". */
export const taskPattern = new RegExp(
  '(?<!\\p{L})(?:to (?!(?:the|an?|be|go|attend|have|join|hold|my|our|their|his|her|your|this|' +
    'that|next)(?!\\p{L}))\\p{Ll}{2,}|' +
    '(?:buy|sell|order|paint|repaint|learn|study|repair|fix|clean|build|read|writ|replac|' +
    'find|look|prepar)(?:e?s|ing|e)?|kaufen|lernen|streichen|verkaufen|vorbereiten|' +
    'acheter|vendre|apprendre|peindre|préparer|comprar|vender|aprender|estudiar|estudar|' +
    'pintar|preparar|comprare|vendere|imparare|studiare|dipingere|preparare|купить|куплю|' +
    'продать|учить|выучить|покрасить|подготовить)(?!\\p{L})|買|売|学び|勉強|买|卖|学习',
  'u',
);

const endingPattern = new RegExp(
  "(?<!\\p{L})(?:no longer|not .{1,60} any ?more|\\p{L}*n['’]t .{1,60} any ?more|" +
    'stopped|gave up|quit|' +
    'nicht mehr|keine?n? .{1,40} mehr|aufgehört|' +
    "ne .{1,60} plus|n['’].{1,60} plus|arrêté|ya no|dej[éo] de|non .{1,60} più|smesso di|" +
    'não .{1,60} mais|parei de|больше не|перестала?|бросила?)(?!\\p{L})|' +
    'もう.{1,30}(?:ない|ません)|をやめ|不再|戒了|放弃了',
  'iu',
);

/** Whether a sentence says that something is moved, to another time or place. */
export function statesPostponing(sentence: string): boolean {
  return postponing.test(sentence);
}

const postponing =
  /(?<!\p{L})(?:pushed|moved|rescheduled|postponed|delayed|verschoben|report[ée]e?|décalée?|pospuesto|aplazad[oa]|rinviat[oa]|spostat[oa]|adiad[oa]|remarcad[oa]|перенес\p{L}+)(?!\p{L})|延期|変更|改到|推迟/iu;

/** Whether a sentence says that something has ended. */
export function statesEnding(sentence: string): boolean {
  return endingPattern.test(sentence);
}

const preferenceWords =
  '(?:lov|lik|enjoy|ador)(?:e?s|e|ed|ing)?|prefers?|encantan?|gustan?|adore|aime|' +
  'mag|liebe|gerne?|piac(?:e|ciono)|amo|adoro|gosto|любл[юи]т?|обожаю|нрав[ия]тся';
const unspacedPreferenceWords = '[がは]?(?:大好き|好き)(?:です|じゃ|では)?|喜欢';

/** Words of liking, articles and words of ending: they are not the thing that is liked. */
export const preferenceFiller = new RegExp(
  `(?<!\\p{L})(?:${preferenceWords}|el|los?|las?|les?|il|gli|der|die|das|the|os?|as?|` +
    'any ?more|no longer|really|honestly|actually|nicht mehr|ya no|plus|più|mais|больше не|' +
    `ich|je|n['’]|ne|pas|eu|io|me|mi|я|мне)(?!\\p{L})|${unspacedPreferenceWords}|もう|不再`,
  'giu',
);

/** Liking, eating or drinking a thing, but not "don't eat with my sister". */
export const preferencePattern = new RegExp(
  `(?<!\\p{L})(?:${preferenceWords}|(?:eat|drink|esse|trinke|mange|bois|como|tomo|bebo|mangio|bevo|` +
    'ем|пью)(?! (?:with|at|in|out|from|mit|bei|avec|chez|con|com|en|em|с|в)(?!\\p{L})))' +
    `(?!\\p{L})|${unspacedPreferenceWords}|食べ|飲|吃|喝`,
  'iu',
);
