import {
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { spanishAsking } from './asking.ts';
import { spanishCategories } from './categories.ts';
import { spanishChanges } from './changes.ts';
import { spanishCorrections } from './corrections.ts';
import { spanishDates } from './dates.ts';
import { spanishFamily } from './family.ts';
import { spanishForgetting } from './forgetting.ts';
import { spanishSentences } from './sentences.ts';
import { spanishUnrecorded } from './unrecorded.ts';

const diet = '(?:vegan[oa]|vegetarian[oa]|(?<topic>celíac[oa]|intolerante a la lactosa))';

const toCome =
  'voy a|vamos a|quiero|quisiera|me gustaría|planeo|pienso \\p{L}+r|' +
  'tengo que|debo|mañana(?! por la mañana,? fui)|próxim[oa]s?|que viene|' +
  'pronto|\\p{L}+(?:ar|er|ir)é|\\p{L}+remos';

const done =
  'fui|fue|fuimos|ayer|anteayer|pasad[oa]|(?!(?:est|v)amos)\\p{L}{2,}(?:é|ó|aron|ieron|' +
  'amos|imos)|estuve|tuve|hice|vi|hizo|tuvo|compré|nació|(?:he|hemos|' +
  'ha) \\p{L}+(?:ado|ido|to|cho)';

export const spanish: LanguageRules = {
  language: 'spanish',
  letters: /[ñ¿¡]/i,
  categories: spanishCategories,
  changes: spanishChanges,
  sentences: spanishSentences,
  words:
    'yo soy el la los las un una y es no que en con por para mi mis me de del al se lo muy pero más ' +
    'tengo estoy fui vivo trabajo gusta como está este esta desde hace nos mañana hasta semana ',
  opening: leadingPhrases(
    'hola|buenas|buenos días|buenas (?:tardes|noches)|gracias|muchas gracias|' +
      'vale|ok|sí|genial|perfecto|claro|bueno|por cierto|oye|ah|en fin|pues|(?:ja){2,9}|ay|uf|' +
      'presentación rápida|sobre mí|corrección|mejor dicho',
  ),
  smallTalk: wholeSentence(
    '(?:ya (?:está|funciona|va)|ahora (?:sí )?(?:funciona|va)|funciona(?: de nuevo)?)',
    'hola(?: a todos| de nuevo| qué tal)?(?: \\p{L}+)?|buenas|buenos días|' +
      'buenas (?:tardes|noches)|buen día',
    '(?:muchas |mil |muchísimas )?gracias(?: por (?:tu|la|el|todo|su)(?: \\p{L}+)?|' +
      ' a ti)?|de nada|no hay de qué',
    'vale|ok|okay|sí|no|genial|perfecto|claro(?: que sí)?|bueno|bien|' +
      'muy bien|entendido|de acuerdo|exacto|exactamente|estupendo|ya veo|' +
      'por supuesto|qué (?:bien|bueno|guay|lindo)|suena bien',
    'adiós|hasta (?:luego|mañana|pronto)|nos vemos(?: luego)?|chao|cuídate|' +
      'que tengas (?:un )?buen (?:día|fin de semana)',
    'está bien|yo también|no sé|ni idea|jaja(?:ja)*|guau|por favor|no hay problema|' +
      'ningún problema',
  ),
  question: sentenceStart(
    '(?:puedes|podrías|puede|podría|sabes|tienes|me (?:puedes|podrías)) ',
    '(?:qué|cuándo|dónde|cómo|por qué|cuál(?:es)?|cuánt[oa]s?|quién) (?:es|' +
      'son|está|hay|puedo|debo|tengo|haces|significa|cuesta)',
  ),
  asking: spanishAsking,
  unrecorded: spanishUnrecorded,
  request: sentenceStart(
    '(?:por favor,? )?(?:dime|muéstrame|dame|envíame|explícame|ayúdame|' +
      'cuéntame|recomiéndame|enséñame)',
    '(?:por favor,? )?(?:escribe|redacta|traduce|resume|compara|busca|' +
      'encuentra|crea|haz|genera) (?:me|una?|el|la|los|las|esto|este)',
    '(?:por favor,? )?traduce al?',
    'necesito (?:tu |su )?(?:ayuda|consejos?)',
  ),
  reminder: new RegExp(
    '^[¿¡]?(?:(?:por favor|y|oye)[,\\s]+)*(?:(?:recuerda|recuérdame|acuérdate|no (?:te )?olvides|anota|' +
      'apunta|toma nota|ten (?:en cuenta|presente)|guarda|memoriza|(?:me )?(?:puedes|podrías) ' +
      '(?:recordar(?:me)?|anotar|apuntar|guardar|memorizar))(?: (?:esto|eso|bien|por favor|de|' +
      'lo siguiente))*(?: que|\\s?[:,–—-])|(?:nota (?:mental|personal|para mí)|recordatorio)\\s?:)' +
      '\\s+(?=\\S+\\s+\\S)',
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        '^(?:por favor,? |a partir de ahora,? |de ahora en adelante,? )*(?:responde|' +
          'respóndeme|contesta|usa|llámame|háblame|tutéame|escribe|evita|siempre|' +
          'nunca|no (?:uses|me|escribas|respondas|incluyas))(?![\\p{L}])|a partir de ahora|' +
          'de ahora en adelante',
        'iu',
      ),
    ],
    [
      'preference',
      anyWord(
        'prefiero|favorit[oa]s?|preferid[oa]s?|me (?:gustan?|encantan?|fascinan?)|' +
          'odio|detesto|no soporto|adoro|no me gustan?|me apasionan?|amo',
      ),
    ],
    [
      'relation',
      new RegExp(
        `(?:^|\\s)mi (?:\\p{L}+ )?${spanishFamily} (?:\\p{L}+ )?(?:se llama|es)(?![\\p{L}])|` +
          `casad[oa] con|tengo (?:una?|dos|tres|cuatro) (?:\\p{L}+ )?(?:${spanishFamily}s?|` +
          `hij[oa]s|herman[oa]s)(?![\\p{L}])`,
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
        '^(?:ahora |actualmente |desde .+? )?(?:yo )?(?:(?<ended>ya no )?vivo (?:ahora |' +
          'actualmente )?en|me (?:he )?mud(?:é|ado) (?:de .+? )?a|me fui a vivir a) ',
        'iu',
      ),
    },
    {
      // "We moved" must be about a home: teams move to tools as well.
      slot: 'lives_in',
      pattern: new RegExp(
        '^[Nn]os (?:hemos )?muda(?:mos|do) a (?:una?|otra|otro|nuestra|nuestro) (?:nuev[oa] )?' +
          '(?:casa|piso|apartamento|departamento) en \\p{Lu}|' +
          '^[Nn]os (?:hemos )?muda(?:mos|do) con (?:mi|toda la) familia a \\p{Lu}',
        'u',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        '^(?:ahora |actualmente )?(?:yo )?(?<ended>ya no )?trabajo (?:ahora |' +
          'actualmente )?(?:como .+? )?(?:en|para) (?!casa|remoto)\\p{Lu}',
        'u',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        '^(?:Ahora |Actualmente |Yo )?(?:[Tt]rabajo|(?<ended>[Yy]a no trabajo)) (?:ahora )?(?' +
          ':como .+? )?(?:en|para) (?!casa|remoto)\\p{Lu}',
        'u',
      ),
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '^(?:ahora )?(?:yo )?(?:trabajo (?:ahora )?(?:como|de) |soy (?:ahora )?(?:ingenier[oa' +
          ']|profesora?|enfermer[oa]|médic[oa]|abogad[oa]|estudiante|programadora?|' +
          'periodista|arquitect[oa]|contadora?|cociner[oa]|diseñadora?|maestr[oa]|' +
          'dentista|traductora?|desarrolladora?|camarer[oa])(?![\\p{L}]))',
        'iu',
      ),
    },
    { slot: 'name', pattern: /^(?:me llamo|mi nombre es) /iu },
    {
      slot: 'age',
      pattern: /^(?:ahora )?(?:tengo (?:ahora )?|cumplí )\d{1,3} años(?=[.!]?$| y)/iu,
    },
    {
      slot: 'relationship',
      pattern: new RegExp(
        '^(?:ahora )?(?:estoy|soy|(?:el |la )?usuari[oa] (?:está|es)) (?:ahora )?(?:solter[oa]|' +
          'casad[oa]|(?:com)?prometid[oa]|divorciad[oa]|viud[oa]|separad[oa])|^me (?:casé|divorcié|comprometí)(?![\\p{L}])',
        'iu',
      ),
    },
    {
      slot: 'diet',
      pattern: new RegExp(
        `^(?:ahora )?(?<ended>ya no )?(?:soy|me (?:he vuelto|hice|volví)) (?:ahora )?${diet}`,
        'iu',
      ),
    },
    {
      slot: 'favourite',
      pattern: new RegExp(
        '^mis? (?:nuev[oa] )?(?<topic>\\p{L}+) (?:favorit[oa]s?|preferid[oa]s?)(?: ahora)? (?' +
          ':es|son)(?![\\p{L}])',
        'iu',
      ),
    },
    {
      slot: 'allergic_to',
      pattern: new RegExp(
        '^(?<ended>ya no )?(?:soy|tengo) (?:muy )?(?:alérgic[oa]|alergia) (?:al |' +
          'a la |a los |a las |a )(?<topic>[^.!,]+)',
        'iu',
      ),
    },
    {
      slot: 'attribute',
      pattern: new RegExp(
        '^mi (?:nuev[oa] )?(?<topic>número de teléfono|teléfono|dirección|' +
          'correo(?: electrónico)?|cumpleaños|altura|talla|grupo sanguíneo|' +
          'lengua materna)(?: nuev[oa])? es ',
        'iu',
      ),
    },
    // Programs write notes about "the user".
    { slot: 'lives_in', pattern: /^(?:El |La )?[Uu]suari[oa] vive en (?=\p{Lu})/u },
    { slot: 'works_at', pattern: /^(?:El |La )?[Uu]suari[oa] trabaja (?:en|para) (?=\p{Lu})/u },
  ],
  clauses: {
    age: 'Tengo # años',
    subject: /^(?:yo |nosotr[oa]s |(?:El |La )?[Uu]suari[oa] )/iu,
    joint: /(?:, (?:y |pero )?|; | (?:y|e|pero) )/gu,
    own: /^(?:yo \p{Ll}+|(?:soy|estoy|tengo|vivo|trabajo|estudio|hablo|juego|me llamo|me (?:gusta|gustan|encanta|encantan)|odio|prefiero|enseño|conduzco|somos|tenemos|vivimos) |(?:mis?|nuestr[oa]s?) (?:\p{L}+ ){1,2}(?:es|son|tiene|tienen|se llama|vive|trabaja|está|están) )/iu,
    verb: /^(?:vive|trabaja|estudia|habla|tiene|toca|juega|prefiere|odia) /u,
    joiners:
      'o u ni sino quien con sin porque pues donde cuando aunque mientras además también ' +
      'cuyo cuya incluso si',
    unsure: anyWord(
      'si|cuando|hasta|antes|ojalá|espero|espera|creo|pienso|supongo|quizás?|tal vez|probablemente|sería|tendría|podría|debería|quisiera|quiero|quiere|pienso|planeo|dijo|dice|contó|oí|ni|para que',
    ),
    governing: anyWord('no|nunca|jamás|puedo|puede|debo|debe|voy|va|sin|que|quien|donde'),
    reference: anyWord(
      'él|ella|ellos|ellas|le|les|lo|su|sus|este|esta|estos|estas|ese|esa|esos|esas|eso|esto|allí|ahí|también|entonces|otro|otra|mismo|misma|ambos',
    ),
  },
  newValue: anyWord(
    'ahora|actualmente|hoy en día|nuev[oa]s?|en vez|ya no|cambi[éeado]+|mud[éeado]+|volví|vuelto|hice|a partir de|desde ahora|recientemente|acabo de',
  ),
  beside: anyWord(
    'también|además|todavía|aún|otra vez|de nuevo|otr[oa]s?|segund[oa]|a veces|normalmente|media jornada|temporalmente|por ahora|quizás?|tal vez|probablemente|sería|podría|antes|antiguamente|entonces|si|era|eran|estaba|tenía|fines? de semana|entre semana|durante|verano|invierno|pronto|casi',
  ),
  corrections: spanishCorrections,
  past: anyWord(done, 'he'),
  future: anyWord(
    toCome,
    'voy|vamos|mañana|viajo|vuelo|(?:acaba|termina|caduca|finaliza|expira|vence)n?',
  ),
  ...spanishDates,
  forgetting: spanishForgetting,
};
