import {
  anyOf,
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { germanAsking } from './asking.ts';
import { germanCategories } from './categories.ts';
import { germanChanges } from './changes.ts';
import { germanCorrections } from './corrections.ts';
import { germanDates } from './dates.ts';
import { germanFamily } from './family.ts';
import { germanForgetting } from './forgetting.ts';
import { germanSentences } from './sentences.ts';
import { germanUnrecorded } from './unrecorded.ts';

const diet =
  '(?:vegan(?:er(?:in)?)?|vegetarisch|vegetarier(?:in)?|(?<topic>laktoseintolerant|glutenfrei))';

const toCome =
  'werde|werden|will|möchte|plane|planen|habe vor|vorhabe|beabsichtige|' +
  'morgen|übermorgen|nächste[rsn]?|kommende[rsn]?|demnächst|muss|bald';

const done = anyOf(
  'war|waren|wurde|wurden|endeten?|erlosch|verfiel|lief(?:en)? .{0,60}(?:ab|aus)|hatte|hatten|gestern|vorgestern|letzte[rsnm]?|ging|kam|kaufte',
  '(?:habe|hab|bin|haben|sind|hat|ist) .{0,100}ge\\p{L}{2,20}(?:t|en)',
  '(?:habe|hab|bin|haben|sind|hat|ist) .{0,100}(?:be|ver|er|ent|zer)\\p{L}{3,20}(?:t|en)',
);

export const german: LanguageRules = {
  language: 'german',
  letters: /[ßäöü]/i,
  categories: germanCategories,
  changes: germanChanges,
  sentences: germanSentences,
  words:
    'ich und ist nicht ein eine der die das mein meine meinen wir sie er mit für auf von ' +
    'zu im in ' +
    'den dem habe hab bin hat war wurde am aber auch sehr gern gerne nach bei seit mir mich es',
  opening: leadingPhrases(
    'hallo|hi|hey|moin|servus|guten (?:morgen|tag|abend)|danke(?: schön)?|' +
      'vielen dank|okay|ok|ja',
    'super|toll|klar|prima|ach so|übrigens|genau|perfekt|alles klar|jedenfalls|egal|na ?ja|ach|oh|' +
      'hm+|nee|nein|puh|haha|kurz zu mir|kurze vorstellung|korrektur|kleine korrektur',
  ),
  smallTalk: wholeSentence(
    '(?:es )?(?:geht|läuft|funktioniert|klappt)(?: jetzt| wieder| nun)+',
    '(?:hallo|hi|hey|moin|servus|grüß gott)(?: zusammen| nochmal)?(?: \\p{L}+)?',
    'guten? (?:morgen|tag|abend|nacht)|schönen? (?:tag|abend|wochenende)(?: noch)?',
    '(?:vielen |herzlichen |tausend )?dank(?:e)?(?: schön| dir| ihnen|' +
      ' sehr| für (?:die|deine|ihre) \\p{L}+)?',
    'ok(?:ay)?|ja|nein|gut|super|toll|klar|prima|genau|perfekt|alles klar|' +
      'verstehe|verstanden|stimmt|richtig',
    'das (?:ist|war|klingt) (?:gut|toll|super|prima|klasse|nett|hilfreich|' +
      'richtig|lustig|schön)',
    "tschüss?|bis (?:bald|später|morgen|dann)|auf wiedersehen|mach[’']?s gut|" +
      'gern geschehen|kein problem|bitte(?: schön)?|na gut|mal sehen|keine ahnung|' +
      'weiß nicht|ich auch|wow|haha',
  ),
  question: sentenceStart(
    '(?:kannst|könntest|können|könnten|würdest|hast|bist|weißt|magst|' +
      'soll|sollte|darf) (?:du|sie|ich|mir|wir|man)',
    '(?:was|wann|wo|wer|warum|wieso|weshalb|wie|welche[rsn]?|woher|wohin) (?:ist|' +
      'sind|war|kann|soll|hast|hat|machst|muss|geht|heißt|viel|lange|oft|' +
      'kostet)',
  ),
  asking: germanAsking,
  unrecorded: germanUnrecorded,
  request: sentenceStart(
    '(?:bitte )?(?:zeig|sag|gib|hilf|erklär|nenn|schick)e? (?:mir|uns)',
    '(?:bitte )?(?:schreib|erstell|übersetz|fass|such|finde|vergleich|' +
      'mach|empfiehl)e? (?:mir|uns|eine?n?|den|die|das|diesen?)',
    '(?:bitte )?übersetze? (?:mir )?(?:ins|auf|in|nach)',
    'ich (?:brauche|hätte gern) (?:deine |ihre )?(?:hilfe|einen rat|tipps)',
  ),
  reminder: new RegExp(
    '^(?:(?:bitte|und|ach)[,\\s]+)*(?:(?:merk(?:e)? dir|merken sie sich|vergiss(?: bitte)? nicht|' +
      'denk(?:e)? (?:bitte )?daran|notier(?:e)?(?: dir)?|schreib(?:e)? dir(?: das)? auf|' +
      '(?:kannst|könntest) du (?:dir |mich )?(?:(?:bitte|das|daran|mal) )*(?:merken|notieren|' +
      'aufschreiben|erinnern)|erinner(?:e)? mich(?: bitte)?(?: daran)?|nicht vergessen|' +
      'behalt(?:e)? (?:bitte )?im (?:hinter)?kopf)(?: (?:bitte|das|dies|folgendes|mal))*' +
      '(?:,? dass|\\s?[:,–—-])|(?:notiz|merkzettel|erinnerung)(?: an mich(?: selbst)?| für mich)?:)' +
      '\\s+(?=\\S+\\s+\\S)',
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        '^(?:bitte |ab jetzt |ab sofort |künftig |in zukunft )*(?:antworte|' +
          'nenn|verwende|benutze|nutze|schreib|sprich|duze|sieze|halte|bitte|' +
          'immer|nie|niemals|keine?)\\b|\\bab (?:jetzt|sofort)\\b|\\bdu sollst (?:immer|' +
          'nie)',
        'iu',
      ),
    ],
    [
      'preference',
      anyWord(
        'lieblings\\p{L}+|am liebsten|lieber|mag|liebe|hasse|bevorzuge|gern|' +
          'gerne|ungern|stehe auf',
        'kann .{1,200} nicht (?:leiden|ausstehen)|ziehe .{1,200} vor|gefällt mir|schmeckt mir',
      ),
    ],
    [
      'relation',
      new RegExp(
        `\\bmeine?(?:r|s)? (?:\\p{L}+ )?${germanFamily} (?:heißt|ist)\\b|\\bverheiratet mit\\b|` +
          `\\bich habe (?:eine?n?|zwei|drei|vier|keine?n?) (?:\\p{L}+ )?(?:${germanFamily}(?:er|` +
          `n|en)?|kinder|söhne|töchter|geschwister|schwestern|brüder)\\b`,
        'iu',
      ),
    ],
    ['plan', anyWord(toCome)],
    ['event', anyWord(done)],
  ],
  slots: [
    {
      slot: 'lives_in',
      pattern: new RegExp(
        '^(?:ich (?:wohne|lebe) (?:seit \\S+ |jetzt |nun |inzwischen |derzeit |mittlerweile |' +
          'zurzeit )?(?:in|bei)|(?:jetzt|inzwischen|mittlerweile|seit .+?) (?:wohne|' +
          'lebe) ich (?:in|bei)|ich wohne (?<ended>nicht mehr) in|ich bin .{0,100}?nach \\p{Lu}\\p{L}' +
          '+ (?:um)?gezogen)',
        'iu',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        '^ich arbeite (?<ended>nicht mehr )?(?:jetzt |nun |inzwischen |derzeit )?(?:als .+? )' +
          '?(?:bei|für) |^(?:ich )?hab(?:e)? (?:(?:heute|gestern|gerade|jetzt|endlich|' +
          'kurzfristig|schon|meinen (?:alten )?job|meine (?:alte )?stelle) )*' +
          '(?:gekündigt|den job gewechselt)|' +
          '^ich habe (?:\\p{L}+ )?(?:einen neuen job|eine neue stelle) bei ',
        'iu',
      ),
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '^ich (?:arbeite (?:jetzt )?als |bin (?:jetzt |von beruf )?(?!vegan|' +
          'vegetarier)\\p{Lu}\\p{L}*(?:in|er|ent|ist|eur|or|arzt|ärztin|frau|' +
          'mann)\\b(?=[.!]?$| (?:von beruf|bei|in|und)))',
        'u',
      ),
    },
    { slot: 'name', pattern: /^(?:ich heiße|mein name ist) /iu },
    {
      slot: 'age',
      pattern: /^ich (?:bin (?:jetzt )?\d{1,3}(?: jahre alt)?(?=[.!]?$| und)|werde .*\d{1,3}$)/iu,
    },
    {
      slot: 'relationship',
      pattern: new RegExp(
        '^(?:(?:ich bin|(?:d(?:er|ie) )?(?:be)?nutzer(?:in)? ist) (?:jetzt |seit .+ )?(?:ledig|single|' +
          'verheiratet|verlobt|geschieden|verwitwet|getrennt)|ich habe .{0,100}?geheiratet)',
        'iu',
      ),
    },
    {
      slot: 'diet',
      pattern: new RegExp(
        `^ich (?:bin|lebe|esse|ernähre mich) (?<ended>nicht mehr |kein )?(?:jetzt |` +
          `seit .+ )?${diet}`,
        'iu',
      ),
    },
    {
      slot: 'favourite',
      pattern: new RegExp(
        '^(?:mein|meine) (?:neue[rs]? |absolute[rs]? )?lieblings(?<topic>\\p{L}+) (?:ist|' +
          'sind|war)\\b',
        'iu',
      ),
    },
    {
      slot: 'allergic_to',
      pattern: new RegExp(
        '^ich bin (?:\\p{L}+ )?(?<ended>nicht mehr )?allergisch (?:gegen|' +
          'auf) (?<topic>[^.!,]+)',
        'iu',
      ),
    },
    {
      slot: 'attribute',
      pattern: new RegExp(
        '^meine? (?:neue |aktuelle )?(?<topic>telefonnummer|handynummer|' +
          'adresse|e-mail-adresse|e-mail|geburtstag|größe|schuhgröße|blutgruppe|' +
          'muttersprache) (?:ist|lautet)',
        'iu',
      ),
    },
    // Programs write notes about "the user".
    {
      slot: 'lives_in',
      pattern:
        /^(?:(?:Der|Die) )?(?:Be)?[Nn]utzer(?:in)? (?:wohnt|lebt) (?:jetzt |seit .{1,20} )?in (?=\p{Lu})/u,
    },
    {
      slot: 'works_at',
      pattern:
        /^(?:(?:Der|Die) )?(?:Be)?[Nn]utzer(?:in)? arbeitet (?:jetzt |seit .{1,20} )?bei (?=\p{Lu})/u,
    },
  ],
  clauses: {
    age: 'Ich bin # Jahre alt',
    subject: /^(?:ich|wir|(?:Der |Die )?(?:Be)?[Nn]utzer(?:in)?) /iu,
    joint: /(?:, (?:und |aber )?|; | (?:und|aber) )/gu,
    own: /^(?:(?:ich|wir) \p{Ll}+ |(?:meine?|unsere?) (?:\p{L}+ ){1,2}(?:ist|sind|hat|haben|heißt|heißen|wohnt|lebt|arbeitet|studiert|mag) )/iu,
    verb: /^(?:bin|habe|hab|wohne|lebe|arbeite|studiere|spiele|liebe|mag|hasse|spreche|fahre|esse|trinke|komme|heiße|besitze|unterrichte) /u,
    joiners:
      'sowie sowohl sondern doch denn mit samt ohne weil dass wobei während obwohl wenn ' +
      'außerdem auch bzw inklusive noch',
    unsure: anyWord(
      'wenn|falls|ob|sobald|bis|bevor|hoffe|hofft|wünschte|glaube|denke|meine|vermute|vielleicht|wahrscheinlich|würde|könnte|sollte|möchte|will|wollte|plane|sagte|sagt|erzählte|gehört|entweder|weder|damit|angeblich',
    ),
    governing: anyWord(
      'nicht|nie|niemals|kein|keine|keinen|kann|muss|werde|wird|soll|zu|ohne|der|die|das|dass',
    ),
    reference: anyWord(
      'er|sie|es|ihn|ihm|ihr|ihnen|sein|seine|seinen|ihre|ihren|dies|diese|dieser|dieses|das|dort|da|damals|dann|beide|auch|dabei|davon|damit|dafür|darin|dazu|solche|andere|anderen',
    ),
  },
  newValue: anyWord(
    'jetzt|nun|inzwischen|mittlerweile|neue[rsnm]?|neuerdings|nicht mehr|keine?n? .{1,40} mehr|stattdessen|gewechselt|umgezogen|gezogen|geworden|ab sofort|ab jetzt|seit kurzem|seit neuestem',
  ),
  beside: anyWord(
    'auch|außerdem|noch|wieder|zweite[rsnm]?|andere[rsnm]?|manchmal|meistens|oft|teilzeit|vorübergehend|erstmal|vielleicht|wahrscheinlich|vermutlich|würde|könnte|früher|damals|ursprünglich|einst|wenn|falls|war|waren|hatte|wochenende|wochenenden|unter der woche|während|sommer|winter|nebenbei|bald|fast',
  ),
  corrections: germanCorrections,
  past: anyWord(
    done,
    // "Dass er am 8. Mai gestorben ist".
    '(?:\\p{L}{0,5}ge|ver|be|er|ent)\\p{L}{2,20}(?:t|en) (?:habe|hab|bin|haben|sind|hat|ist)',
  ),
  future: anyWord(
    toCome,
    '(?:fliege|fahre|ziehe|fange|beginne|komm[et]|kommen)[nt]?|fängt|fährt',
    '(?:ende|erlösch|verf[aä]ll)(?:t|en)|erlischt|(?:läuft|laufen) .{0,60}(?:ab|aus)',
  ),
  ...germanDates,
  forgetting: germanForgetting,
};
