import {
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { frenchAsking } from './asking.ts';
import { frenchCategories } from './categories.ts';
import { frenchChanges } from './changes.ts';
import { frenchCorrections } from './corrections.ts';
import { frenchDates } from './dates.ts';
import { frenchFamily } from './family.ts';
import { frenchForgetting } from './forgetting.ts';
import { frenchSentences } from './sentences.ts';
import { frenchUnrecorded } from './unrecorded.ts';

const diet = '(?:végane?|vegan|végétarien(?:ne)?|végétalien(?:ne)?)';

const toCome =
  'je vais (?!bien|souvent|toujours)\\p{L}+(?:er|ir|re)|nous allons \\p{L}+(?:er|' +
  "ir|re)|on va \\p{L}+(?:er|ir|re)|je veux|je voudrais|j[’']aimerais|" +
  "je compte|je prévois|j[’']ai l[’']intention|demain|(?:la semaine|" +
  "le mois|l[’']année|l[’']été) prochaine?|prochaine?|bientôt|je dois|" +
  '\\p{L}+erai|\\p{L}+irai';

export const french: LanguageRules = {
  language: 'french',
  letters: /[çœèêàùû]/i,
  categories: frenchCategories,
  changes: frenchChanges,
  sentences: frenchSentences,
  words:
    "je j'ai suis le la les un une des et est pas ne que qui pour avec dans sur mon ma mes nous " +
    "il elle c'est au aux du de chez très mais en à ce cette depuis j'aime j'habite mange vais " +
    "me m'appelle",
  opening: leadingPhrases(
    'bonjour|salut|coucou|bonsoir|merci(?: beaucoup)?|ok|oui|super|parfait|' +
      "d[’']accord|ça y est|au fait|génial|ah|oh|bref|bon|ben|euh|haha|du coup|" +
      'petite présentation|correction|petite correction',
  ),
  smallTalk: wholeSentence(
    "(?:ça |c['’]est bon,? ça )?(?:marche|remarche|fonctionne)(?: maintenant| enfin| de nouveau)?",
    '(?:bonjour|salut|coucou|bonsoir|rebonjour)(?: à tous| tout le monde)?(?: \\p{L}+)?',
    'merci(?: beaucoup| bien| à toi| à vous| infiniment| pour (?:ton|' +
      "votre|l[’']|ta|tes|vos) ?\\p{L}+)?",
    "ok|oui|non|top|nickel|super|parfait|génial|d[’']accord|très bien|bien sûr|" +
      'cool|entendu|compris|exactement|voilà|pas de souci|pas de problème|' +
      'de rien|je vois',
    'bonne (?:journée|soirée|nuit)|bon (?:week-end|après-midi)|au revoir|' +
      'à (?:bientôt|demain|plus(?: tard)?)|à la prochaine',
    "c[’']est (?:super|bien|gentil|parfait|noté|vrai|drôle|bon|très gentil|" +
      'génial)|ça marche|moi aussi|je ne sais pas|aucune idée|haha|wow',
  ),
  question: sentenceStart(
    "est-ce que|qu[’']est-ce que|(?:peux|pourrais|veux|sais|as|es)-tu|" +
      '(?:pouvez|pourriez|avez)-vous|tu (?:peux|pourrais)|vous (?:pouvez|' +
      'pourriez)',
    '(?:quand|où|comment|pourquoi|combien|quel(?:le)?s?|qui) (?:est|' +
      'sont|faut|puis|peut|as|a|dois|fait|coûte)',
  ),
  asking: frenchAsking,
  unrecorded: frenchUnrecorded,
  request: sentenceStart(
    "(?:s[’']il te plaît,? |s[’']il vous plaît,? )?(?:dis|montre|donne|" +
      'envoie|explique|aide|raconte)(?:z)?-(?:moi|nous)',
    '(?:écris|rédige|traduis|résume|compare|trouve|cherche|recommande|' +
      'crée|fais)(?:-moi| une?| le| la| les| ce| cette)',
    'traduis (?:-moi )?(?:en|ça)',
    "j[’']ai besoin (?:d[’']aide|de conseils|de ton aide|de votre aide)",
  ),
  reminder: new RegExp(
    "^(?:(?:s['’]il te plaît|stp|et)[,\\s]+)*(?:(?:(?:peux-tu|pourrais-tu|tu peux|tu pourrais) )?" +
      '(?:souviens-toi|te souvenir|(?:te|me) rappeler|rappelle-(?:toi|moi)|' +
      "n['’]oublie pas|note(?:r)?|retiens|retenir|mémorise(?:r)?|" +
      "gard(?:e|er) (?:en (?:tête|mémoire)|à l['’]esprit))(?: (?:bien|ceci|cela|ça|stp|pour moi|" +
      "s['’]il te plaît))*(?: que\\s| qu['’]|\\s?[:,–—-]\\s)|" +
      '(?:note (?:à|pour) moi(?:-même)?|pense-bête|rappel)\\s?:)\\s*(?=\\S+\\s+\\S)',
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        "^(?:s['’]il te plaît,? |désormais,? |à partir de maintenant,? )*(?:réponds|" +
          'utilise|appelle-moi|parle|tutoie|vouvoie|écris|évite|ne .+ (?:jamais|' +
          'pas) |toujours|jamais)(?![\\p{L}])|à partir de maintenant|tu dois toujours',
        'iu',
      ),
    ],
    [
      'preference',
      anyWord(
        "préfère|préférée?s?|j[’']aime|j[’']adore|je déteste|n[’']aime pas|" +
          'favorie?s?|fan de|passionnée? (?:de|par)|supporte pas|adore|déteste',
      ),
    ],
    [
      'relation',
      new RegExp(
        `(?:^|\\s)(?:mon|ma) (?:\\p{L}+ )?${frenchFamily} (?:s['’]appelle|est|` +
          `se nomme)|mariée? (?:à|avec)|j['’]ai (?:une?|deux|trois|quatre) (?:\\p{L}+ )?(?:` +
          `${frenchFamily}s?|enfants|filles)(?![\\p{L}])`,
        'iu',
      ),
    ],
    ['plan', anyWord(toCome)],
    [
      'event',
      anyWord(
        "(?:j[’']ai|nous avons|on a|il a|elle a|il s[’']est) .{0,100}(?:é|" +
          'ée|és|ées|i|is|it|u|ue|(?<!rendez-vo)us|ert|ort)',
        '(?:je suis|je me suis|nous sommes) .{0,100}(?:\\p{L}ée?s?|venue?s?|partie?s?|sortie?s?)',
        "hier|avant-hier|la semaine dernière|dernière?|l[’']an dernier",
      ),
    ],
  ],
  slots: [
    {
      slot: 'lives_in',
      pattern: new RegExp(
        "^(?:(?:maintenant |désormais |depuis .+?)?,? ?(?:j['’](?:habite|ai déménagé)|" +
          'on a déménagé|nous avons déménagé) (?:maintenant |désormais |actuellement )?(?:de .+? )?(?:à|au|en|aux|dans)|' +
          "je (?<ended>n['’]habite plus) |je vis (?:maintenant |désormais |" +
          'actuellement )?(?:à|au|en|aux)|je me suis installée? (?:à|au|en)) ',
        'iu',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        "^j['’]ai (?:changé de|quitté mon|un nouveau) (?:boulot|travail|job|poste|emploi)|" +
          '^je (?:(?<ended>ne (?:travaille|bosse) plus) |(?:travaille|' +
          'bosse) (?:maintenant |désormais )?(?:comme .+' +
          '? )?)(?:chez|pour) ',
        'iu',
      ),
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '^je (?:travaille (?:maintenant )?comme |suis (?:maintenant )?(?:ingénieure?|' +
          'professeure?|infirmi(?:er|ère)|médecin|avocate?|étudiante?|développeu(?:r|' +
          'se)|journaliste|architecte|comptable|cuisini(?:er|ère)|graphiste|' +
          'enseignante?|dentiste|traducteur|traductrice)(?![\\p{L}]))',
        'iu',
      ),
    },
    { slot: 'name', pattern: /^(?:je m['’]appelle|mon (?:pré)?nom est) /iu },
    { slot: 'age', pattern: /^j['’]ai (?:maintenant )?\d{1,3} ans(?=[.!]?$| et)/iu },
    {
      slot: 'relationship',
      pattern: new RegExp(
        "^(?:(?:je suis|l['’]utilisat(?:eur|rice) est) (?:maintenant )?(?:célibataire|mariée?|" +
          'fiancée?|divorcée?|veuf|veuve?|séparée?)|je me suis (?:mariée?|fiancée?))',
        'iu',
      ),
    },
    {
      slot: 'diet',
      pattern: new RegExp(
        `^je (?:suis|mange) (?:maintenant |devenue? )?(?<ended>plus )?${diet}|` +
          `^je ne suis (?<over>plus) ${diet}`,
        'iu',
      ),
    },
    {
      slot: 'favourite',
      pattern: new RegExp(
        '^(?:mon|ma|mes) (?:nouve(?:au|lle) )?(?<topic>\\p{L}+) (?:préférée?s?|' +
          "favorie?t?e?s?) (?:est|sont|c['’]est)(?![\\p{L}])",
        'iu',
      ),
    },
    {
      slot: 'allergic_to',
      pattern: new RegExp(
        "^je (?:suis (?:très )?|ne suis (?<ended>plus ))allergique (?:à l['’]|" +
          'à la |aux? |à )(?<topic>[^.!,]+)',
        'iu',
      ),
    },
    {
      slot: 'attribute',
      pattern: new RegExp(
        '^(?:mon|ma) (?:nouve(?:au|lle) )?(?<topic>numéro de téléphone|adresse|' +
          'e-mail|anniversaire|taille|pointure|groupe sanguin|langue maternelle) est ',
        'iu',
      ),
    },
    // Programs write notes about "the user".
    {
      slot: 'lives_in',
      pattern: /^L['’]utilisat(?:eur|rice) (?:habite|vit) (?:à |en |au |aux )?(?=\p{Lu})/u,
    },
    { slot: 'works_at', pattern: /^L['’]utilisat(?:eur|rice) travaille chez (?=\p{Lu})/u },
  ],
  clauses: {
    age: "J'ai # ans",
    subject: /^(?:je |nous |(?:L['’]utilisat(?:eur|rice)) )/iu,
    elided: /^(?<letters>j)e (?=h?[aeiouyàâéèêîïôû])/iu,
    joint: /(?:, (?:et |mais )?|; | (?:et|mais) )/gu,
    own: /^(?:(?:je |j['’]|nous )\p{Ll}+|(?:mon|ma|mes|notre|nos) (?:\p{L}+ ){1,2}(?:est|sont|a|ont|s['’]appelle|habite|vit|travaille|aime) )/iu,
    verb: /^(?:suis|habite|vis|travaille|étudie|joue|aime|adore|déteste|préfère|parle|conduis|mange|bois|possède|enseigne) /u,
    joiners:
      'mais où qu dont car donc puis avec sans parce puisque quand lorsque lorsqu tandis ' +
      'ainsi aussi ni lequel laquelle si quoique',
    unsure: anyWord(
      "si|s['’]il|quand|lorsque|jusqu['’]à|avant|espère|souhaite|crois|pense|suppose|peut-être|probablement|serais|aurais|pourrais|devrais|voudrais|veux|veut|compte|prévois|dit|disait|raconté|entendu|soit|ni|afin",
    ),
    governing: anyWord(
      "ne|n['’]\\p{L}+|pas|jamais|plus|peux|peut|dois|doit|vais|va|sans|qui|que|qu['’]\\p{L}+|dont|où",
    ),
    reference: anyWord(
      'il|elle|ils|elles|lui|leur|leurs|son|sa|ses|ce|cet|cette|ces|ça|cela|celui|celle|là|y|en|aussi|alors|puis|autre|autres|même',
    ),
  },
  newValue: anyWord(
    "maintenant|désormais|actuellement|nouve(?:au|lle|l)|à la place|ne .{1,60} plus|n['’].{1,60} plus|changée?|déménagée?s?|devenue?|dorénavant|à partir de|récemment|depuis peu|viens de",
  ),
  beside: anyWord(
    "aussi|également|encore|toujours|de nouveau|autre|deuxième|second[e]?|parfois|souvent|temps partiel|temporairement|pour l['’]instant|peut-être|probablement|serais|pourrais|avant|autrefois|jadis|à l['’]époque|si|étais|était|avais|week-ends?|semaine|pendant|été|hiver|bientôt|presque",
  ),
  corrections: frenchCorrections,
  past: anyWord(
    "(?:j[’']ai|nous avons) (?:\\p{L}+ )?\\p{L}+(?:ée?s?|i|is|it|ue?s?|ert|ort)|était|" +
      'étais|suis (?:allée?|partie?|venue?)|' +
      'me suis|derni(?:er|ère)|hier',
  ),
  future: anyWord(
    toCome,
    'vais|allons|va|prévois|compte|dois|pars|part|partons|(?:expire|termine|périme|achève|finit|finisse)(?:nt)?|\\p{L}+rai|\\p{L}+rons|\\p{L}+ra',
  ),
  ...frenchDates,
  forgetting: frenchForgetting,
};
