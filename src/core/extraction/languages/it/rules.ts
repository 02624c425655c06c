import {
  anyOf,
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { italianAsking } from './asking.ts';
import { italianCategories } from './categories.ts';
import { italianChanges } from './changes.ts';
import { italianCorrections } from './corrections.ts';
import { italianDates } from './dates.ts';
import { italianFamily } from './family.ts';
import { italianForgetting } from './forgetting.ts';
import { italianSentences } from './sentences.ts';
import { italianUnrecorded } from './unrecorded.ts';

const diet = '(?:vegan[oa]|vegetarian[oa]|(?<topic>celiac[oa]|intollerante al lattosio))';

const toCome =
  'voglio|vorrei|ho intenzione|sto (?:per|pensando|pianificando)|ho in programma|' +
  'devo|domani|dopodomani|prossim[oa]|presto|\\p{L}+erò|\\p{L}+irò|' +
  '\\p{L}+eremo|andrò|andremo|farò|sarò|avrò';

const done = anyOf(
  "ieri|l[’']altro ieri|scors[oa]|passat[oa]|(?:ho|abbiamo|ha|hanno) .{0,100}\\p{L}(?:ato|" +
    'uto|ito|sto|tto|so|rto|nto)',
  '(?:sono|siamo|è|mi sono) .{0,100}\\p{L}(?:at[oaie]|ut[oaie]|it[oaie])',
);

export const italian: LanguageRules = {
  language: 'italian',
  letters: /[èìòù]/i,
  categories: italianCategories,
  changes: italianChanges,
  sentences: italianSentences,
  words:
    'io sono il lo la gli le un una e è non che di in con per mio mia miei mie mi ho ha del della nel ' +
    'nella al alla molto ma da anche questo abito vivo lavoro piace come sto sempre anni domani fino dal dai alle andiamo settimana ' +
    'ieri',
  opening: leadingPhrases(
    'ciao|salve|buongiorno|buonasera|grazie(?: mille)?|ok|sì|perfetto|' +
      'va bene|certo|bene|ah|comunque|a proposito|dai|beh|insomma|vabb[eè]|boh|haha|' +
      'breve presentazione|correzione',
  ),
  smallTalk: wholeSentence(
    '(?:ora |adesso )?(?:funziona|va)(?: ora| adesso| di nuovo)?|risolto',
    '(?:ciao|salve|buongiorno|buonasera|buonanotte)(?: a tutti)?(?: \\p{L}+)?|' +
      'buona (?:giornata|serata|notte)|buon (?:weekend|fine settimana)',
    '(?:molte |mille |tante )?grazie(?: mille| tante| molte| a te| per (?:il|' +
      "la|l[’']|i|tutto|tuo)(?: ?\\p{L}{1,60}){0,2})?|prego|di niente|figurati",
    'ok|okay|sì|no|perfetto|va bene|certo|bene|benissimo|capito|capisco|' +
      "d[’']accordo|esatto|esattamente|ottimo|fantastico|giusto|bello|" +
      'certamente|nessun problema',
    'arrivederci|a (?:presto|domani|dopo|più tardi)|ci vediamo(?: dopo)?|alla prossima',
    "anch[’']io|anche a me|non (?:lo )?so|non saprei|ahah(?:ah)*|haha|" +
      'wow|per favore|che bello|suona bene',
  ),
  question: sentenceStart(
    '(?:puoi|potresti|può|potrebbe|sai|hai|mi (?:puoi|potresti)) ',
    '(?:cosa|che cosa|quando|dove|come|perché|quale|quali|quant[oaie]|' +
      "chi) (?:è|sono|c[’']è|posso|devo|fai|significa|costa|si)",
  ),
  asking: italianAsking,
  unrecorded: italianUnrecorded,
  request: sentenceStart(
    '(?:per favore,? )?(?:dimmi|mostrami|dammi|mandami|spiegami|aiutami|' +
      'raccontami|consigliami|insegnami)',
    '(?:per favore,? )?(?:scrivi|traduci|riassumi|confronta|cerca|trova|' +
      'crea|fai|genera) (?:mi|una?|il|la|lo|i|le|questo)',
    '(?:per favore,? )?traduci in',
    '(?:ho bisogno|avrei bisogno) (?:di aiuto|del tuo aiuto|di un consiglio)',
  ),
  reminder: new RegExp(
    '^(?:(?:per favore|e)[,\\s]+)*(?:(?:ricorda(?:ti|mi)?|non (?:dimenticare|scordare)|annota(?:ti)?|' +
      'prendi nota|tieni (?:presente|a mente)|segna(?:ti)?|memorizza|(?:mi |ti )?(?:puoi|potresti) ' +
      '(?:ricordar(?:e|ti|mi)|annotare|segnar(?:e|ti)|memorizzare))(?: (?:questo|bene|di|' +
      'per favore|quanto segue))*(?: che|\\s?[:,–—-])|(?:nota (?:per me|a me stess[oa])|' +
      'promemoria)\\s?:)\\s+(?=\\S+\\s+\\S)',
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        "^(?:per favore,? |d['’]ora in poi,? )*(?:rispondi|rispondimi|usa|" +
          'chiamami|parlami|dammi del tu|scrivi|evita|sempre|mai|non (?:usare|' +
          "scrivere|rispondere|includere|chiamarmi))(?![\\p{L}])|d['’]ora in poi",
        'iu',
      ),
    ],
    [
      'preference',
      anyWord(
        'preferisco|preferit[oaie]|mi piac(?:e|ciono)|adoro|amo|odio|detesto|' +
          'non sopporto|non mi piac(?:e|ciono)|vado matt[oa] per|appassionat[oa] di',
      ),
    ],
    [
      'relation',
      new RegExp(
        `(?:^|\\s)(?:mi[oa] )(?:\\p{L}+ )?${italianFamily} (?:si chiama|è)(?![\\p{L}])|` +
          `sposat[oa] con|ho (?:una?|due|tre|quattro) (?:\\p{L}+ )?(?:${italianFamily}|` +
          `figli[eo]?|sorelle|fratelli|gatti|cani)(?![\\p{L}])`,
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
        '^(?:ora |adesso |attualmente |da .+? )?(?:(?<ended>non )?(?:abito|' +
          'vivo) (?:più |ora |adesso |attualmente )?(?:a|in|nel|nella|ad)|' +
          '(?:mi sono|ci siamo) trasferit[oaie] (?:da .+? )?(?:a|in|ad|nel)) ',
        'iu',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        '^ho (?:appena )?(?:cambiato|trovato un nuovo|iniziato un nuovo) lavoro|' +
          '^(?:ora |adesso )?(?<ended>non )?lavoro (?:più |ora |adesso )?(?:come .+? )?(?:alla ' +
          "|all['’]|al |in |per |presso )(?!casa|remoto)",
        'iu',
      ),
    },
    {
      slot: 'job',
      pattern: new RegExp(
        "^(?:ora |adesso )?(?:lavoro (?:ora )?come |faccio (?:l['’]|il |" +
          "la )|sono (?:ora )?(?:un['’]?a? )?(?:ingegnere|professore(?:ssa)?|" +
          'infermier[ea]|medic[oa]|avvocat[oa]|student(?:e|essa)|programmat(?:ore|' +
          'rice)|giornalista|architett[oa]|contabile|cuoc[oa]|insegnante|dentista|' +
          'tradutt(?:ore|rice)|svilupp(?:atore|atrice)|grafic[oa])(?![\\p{L}]))',
        'iu',
      ),
    },
    { slot: 'name', pattern: /^(?:mi chiamo|il mio nome è) /iu },
    {
      slot: 'age',
      pattern: /^(?:ora |adesso )?ho (?:ora |appena compiuto )?\d{1,3} anni(?=[.!]?$| e)/iu,
    },
    {
      slot: 'relationship',
      pattern: new RegExp(
        "^(?:(?:ora |adesso )?sono|l['’]utente è) (?:ora |adesso )?" +
          '(?:single|sposat[oa]|fidanzat[oa]|' +
          'divorziat[oa]|vedov[oa]|separat[oa])|^mi sono (?:sposat[oa]|fidanzat[oa])',
        'iu',
      ),
    },
    {
      slot: 'diet',
      pattern: new RegExp(
        `^(?:ora |adesso )?(?<ended>non )?(?:sono (?:più )?|sono diventat[oa] )${diet}`,
        'iu',
      ),
    },
    {
      slot: 'favourite',
      pattern:
        /^(?:il mio|la mia|i miei|le mie) (?:nuov[oa] )?(?<topic>\p{L}+) preferit[oaie] (?:ora )?(?:è|sono)(?![\p{L}])/iu,
    },
    {
      slot: 'allergic_to',
      pattern: new RegExp(
        '^(?<ended>non )?sono (?:più )?(?:molto )?allergic[oa] (?:al |alla |' +
          "alle |agli |ai |all['’]|a )(?<topic>[^.!,]+)",
        'iu',
      ),
    },
    {
      slot: 'attribute',
      pattern: new RegExp(
        '^(?:il mio|la mia) (?:nuov[oa] )?(?<topic>numero di telefono|telefono|' +
          'indirizzo|e-?mail|compleanno|altezza|taglia|gruppo sanguigno|lingua madre) (?:nuov[oa] )?è ',
        'iu',
      ),
    },
    // Programs write notes about "the user".
    { slot: 'lives_in', pattern: /^L['’]utente (?:vive|abita) (?:a|in) (?=\p{Lu})/u },
    { slot: 'works_at', pattern: /^L['’]utente lavora (?:in|per|alla|da) (?=\p{Lu})/u },
  ],
  clauses: {
    age: 'Ho # anni',
    subject: /^(?:io |noi |L['’]utente )/iu,
    joint: /(?:, (?:e |ma )?|; | (?:e|ed|ma) )/gu,
    own: /^(?:io \p{Ll}+|(?:sono|ho|vivo|abito|lavoro|studio|parlo|gioco|suono|mi chiamo|mi (?:piace|piacciono)|odio|preferisco|insegno|guido|abbiamo|siamo|viviamo) |(?:mi[oa]|il mio|la mia|i miei|le mie|nostr[oa]) (?:\p{L}+ ){1,2}(?:è|sono|ha|hanno|si chiama|vive|abita|lavora) )/iu,
    verb: /^(?:vive|abita|lavora|studia|parla|ha|suona|gioca|preferisce|odia) /u,
    joiners:
      'ed o oppure ma cui con col senza perché dove quando mentre anche inoltre né però ' +
      'quindi chi poiché sebbene',
    unsure: anyWord(
      'se|quando|finché|prima|spero|spera|credo|penso|suppongo|forse|probabilmente|sarei|avrei|potrei|dovrei|vorrei|voglio|vuole|conto|detto|dice|raccontato|sentito|né|affinché',
    ),
    governing: anyWord('non|mai|posso|può|devo|deve|sto per|senza|che|chi|cui|dove'),
    reference: anyWord(
      'lui|lei|loro|egli|gli|le|suo|sua|suoi|sue|questo|questa|questi|queste|quello|quella|ciò|lì|là|ci|ne|anche|allora|poi|altro|altra|stesso|stessa|entrambi',
    ),
  },
  newValue: anyWord(
    "ora|adesso|attualmente|oggi|nuov[oa]|invece|non .{1,60} più|cambiat[oa]|trasferit[oaie]|diventat[oa]|d['’]ora in poi|da poco|appena",
  ),
  beside: anyWord(
    "anche|inoltre|ancora|di nuovo|altr[oa]|second[oa]|a volte|di solito|part-time|temporaneamente|per ora|forse|probabilmente|sarei|potrei|prima|una volta|all['’]epoca|se|ero|era|avevo|fine settimana|weekend|settimana|durante|estate|inverno|presto|quasi",
  ),
  corrections: italianCorrections,
  past: anyWord(done, 'siamo \\p{L}+[ts][ie]|mi sono|fa'),
  future: anyWord(
    toCome,
    'parto|vado|partiamo|andiamo|scad(?:e|ono)|finisc(?:e|ono)|termina(?:no)?',
  ),
  ...italianDates,
  forgetting: italianForgetting,
};
