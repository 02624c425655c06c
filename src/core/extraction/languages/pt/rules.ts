import {
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { portugueseAsking } from './asking.ts';
import { portugueseCategories } from './categories.ts';
import { portugueseChanges } from './changes.ts';
import { portugueseCorrections } from './corrections.ts';
import { portugueseDates } from './dates.ts';
import { portugueseFamily } from './family.ts';
import { portugueseForgetting } from './forgetting.ts';
import { portugueseSentences } from './sentences.ts';
import { portugueseUnrecorded } from './unrecorded.ts';

const diet = '(?:vegan[oa]|vegetarian[oa]|(?<topic>celíac[oa]|intolerante à lactose))';

const toCome =
  'vou (?!bem|sempre)\\p{L}+r|vamos \\p{L}+r|quero|queria|gostaria|' +
  'pretendo|planejo|tenho que|preciso|amanhã|próxim[oa]|que vem|em breve|' +
  '\\p{L}+(?:ar|er|ir)ei|\\p{L}+remos';

const done =
  'fui|foi|fomos|ontem|anteontem|passad[oa]|(?!est(?:ou|amos)|vamos)\\p{L}{2,}(?:ei|ou|aram|' +
  'eram|amos|emos|imos)|estive|tive|fiz|vi|comprei|nasci|nasceu|viajei|' +
  'li|caí|saí|comi|bebi|corri|conheci|aprendi|perdi|vendi|parti|assisti|' +
  'decidi';

export const portuguese: LanguageRules = {
  language: 'portuguese',
  letters: /[ãõç]/i,
  categories: portugueseCategories,
  changes: portugueseChanges,
  sentences: portugueseSentences,
  words:
    'eu sou o os as um uma e é não que em com por para meu minha meus minhas me de do da ' +
    'ela ele daqui até às ao dia semana semanas amanhã no na dos ' +
    'muito mas tenho estou fui moro trabalho gosto como está este esta desde há nós você ' +
    'também ontem',
  opening: leadingPhrases(
    'olá|oi|bom dia|boa (?:tarde|noite)|obrigad[oa]|ok|sim|ótimo|perfeito|' +
      'claro|bem|aliás|ah|legal|beleza|enfim|bom|então|k{3,9}|haha|nossa|' +
      'apresentação rápida|correção',
  ),
  smallTalk: wholeSentence(
    '(?:agora |já )?(?:funciona|funcionou|resolvido)(?: agora| de novo)?',
    '(?:olá|oi)(?: pessoal| de novo| tudo bem)?(?: \\p{L}+)?|bom dia|' +
      'boa (?:tarde|noite)|tudo (?:bem|bom)',
    '(?:muito )?obrigad[oa](?: (?:pelas?|pelos?|por)(?: \\p{L}+){1,2}| mesmo)?|' +
      'valeu|de nada|por nada',
    'ok|okay|sim|não|ótimo|perfeito|claro(?: que sim)?|bem|muito bem|' +
      'entendi|entendido|certo|exato|exatamente|legal|beleza|com certeza|' +
      'que (?:bom|legal|ótimo)|sem problemas?',
    'tchau|até (?:logo|amanhã|mais|breve)|adeus|bom fim de semana|tenha um bom dia',
    'está bem|eu também|não sei|nem ideia|haha(?:ha)*|kkk+|nossa|por favor|' +
      'parece bom|isso mesmo',
  ),
  question: sentenceStart(
    '(?:você )?(?:pode|poderia|podes|sabe|sabes|consegue) ',
    '(?:o que|quando|onde|como|por que|qual|quais|quant[oa]s?|quem) (?:é|' +
      'são|está|há|posso|devo|tenho|faz|significa|custa)',
  ),
  asking: portugueseAsking,
  unrecorded: portugueseUnrecorded,
  request: sentenceStart(
    '(?:por favor,? )?(?:me (?:diga|mostre|dê|envie|explique|ajude|conte|' +
      'recomende)|diga-me|mostre-me|ajude-me|explique)',
    '(?:por favor,? )?(?:escreva|traduza|resuma|compare|procure|encontre|' +
      'crie|faça|gere) (?:me|uma?|o|a|os|as|isto|este)',
    '(?:por favor,? )?traduza para',
    'preciso (?:da sua |de )?(?:ajuda|um conselho)',
  ),
  reminder: new RegExp(
    '^(?:(?:por favor|e)[,\\s]+)*(?:(?:lembre(?:-se|-me)?|lembra(?:-te|-me)?|' +
      'não (?:te |se )?esque(?:ça|ças|ce)|anot[ae]|ten?ha? em mente|tem em mente|guard[ae]|memoriz[ae]|' +
      '(?:você )?(?:podes?|poderias?|consegues?) (?:se |me )?(?:lembrar(?:-me|-se)?|anotar|guardar|' +
      'memorizar))(?: (?:isso|isto|disso|disto|bem|de|por favor|o seguinte))*(?: que|\\s?[:,–—-])|' +
      '(?:nota (?:para mim|mental|pessoal)|lembrete)\\s?:)\\s+(?=\\S+\\s+\\S)',
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        '^(?:por favor,? |a partir de agora,? |de agora em diante,? )*(?:responda|' +
          'responde|use|usa|me chame|chame-me|fale|escreva|evite|sempre|nunca|' +
          'não (?:use|escreva|responda|inclua|me chame))(?![\\p{L}])|a partir de agora|' +
          'de agora em diante',
        'iu',
      ),
    ],
    [
      'preference',
      anyWord(
        'prefiro|favorit[oa]s?|preferid[oa]s?|gosto|adoro|amo|odeio|detesto|' +
          'não suporto|não gosto|sou fã de|apaixonad[oa] por',
      ),
    ],
    [
      'relation',
      new RegExp(
        `(?:^|\\s)(?:meu|minha) (?:\\p{L}+ )?${portugueseFamily} (?:se chama|chama-se|` +
          `é)(?![\\p{L}])|casad[oa] com|tenho (?:uma?|dois|duas|três|quatro) (?:\\p{L}+ )?(?:` +
          `${portugueseFamily}s?|filh[oa]s|irmãos|irmãs)(?![\\p{L}])`,
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
        '^(?:agora |atualmente |desde .+? )?(?:eu )?(?:(?<ended>não )?(?:moro|' +
          'vivo) (?:mais |agora |atualmente )?(?:em|no|na|nos|nas)|' +
          '(?:me )?mudei(?:-me)? (?:de .+? )?para) ',
        'iu',
      ),
    },
    {
      // "We moved" must be about a home: teams move to tools as well.
      slot: 'lives_in',
      pattern: new RegExp(
        '^(?:[Nn]ós )?(?:[Nn]os mudamos|[Mm]udamos(?:-nos)?) para (?:uma?|outra|outro|nossa|' +
          'nosso) (?:nov[oa] )?(?:casa|apartamento) (?:em|no|na) \\p{Lu}|' +
          '^(?:[Nn]os mudamos|[Mm]udamos(?:-nos)?) com a (?:minha )?família para \\p{Lu}',
        'u',
      ),
    },
    {
      slot: 'works_at',
      pattern: new RegExp(
        '^(?:agora |atualmente )?(?:eu )?(?<ended>não )?trabalho (?:mais |' +
          'agora |atualmente )?(?:como .+? )?(?:na|no|para a|para o|para|em) (?!casa)',
        'iu',
      ),
    },
    {
      slot: 'job',
      pattern: new RegExp(
        '^(?:agora )?(?:eu )?(?:trabalho (?:agora )?como |sou (?:agora )?(?:engenheir[oa]|' +
          'professora?|enfermeir[oa]|médic[oa]|advogad[oa]|estudante|programadora?|' +
          'jornalista|arquitet[oa]|contadora?|cozinheir[oa]|designer|dentista|' +
          'tradutora?|desenvolvedora?|garçom|garçonete)(?![\\p{L}]))',
        'iu',
      ),
    },
    { slot: 'name', pattern: /^(?:me chamo|(?:o )?meu nome é|eu me chamo|chamo-me) /iu },
    {
      slot: 'age',
      pattern:
        /^(?:agora )?(?:eu )?(?:tenho (?:agora )?|fiz )\d{1,3} anos(?=[.!]?$| e| ontem| hoje)/iu,
    },
    {
      slot: 'relationship',
      pattern: new RegExp(
        '^(?:agora )?(?:(?:eu )?(?:estou|sou)|(?:o |a )?usuári[oa] é) (?:agora )?(?:solteir[oa]|' +
          'casad[oa]|noiv[oa]|divorciad[oa]|viúv[oa]|separad[oa])|^(?:eu )?(?:me )?(?:casei|' +
          'divorciei)(?:-me)?(?![\\p{L}])',
        'iu',
      ),
    },
    {
      slot: 'diet',
      pattern: new RegExp(
        `^(?:agora )?(?:eu )?(?<ended>não )?(?:sou (?:mais |agora )?|virei |me tornei )${diet}`,
        'iu',
      ),
    },
    {
      slot: 'favourite',
      pattern: new RegExp(
        '^(?:o |a |os |as )?(?:meus?|minhas?) (?:nov[oa] )?(?<topic>\\p{L}+) (?:favorit[oa]s?' +
          '|preferid[oa]s?) (?:agora )?(?:é|são)(?![\\p{L}])',
        'iu',
      ),
    },
    {
      slot: 'allergic_to',
      pattern: new RegExp(
        '^(?:eu )?(?<ended>não )?(?:sou|tenho) (?:mais )?(?:muito )?(?:alérgic[oa]|' +
          'alergia) (?:ao |à |aos |às |a )(?<topic>[^.!,]+)',
        'iu',
      ),
    },
    {
      slot: 'attribute',
      pattern: new RegExp(
        '^(?:o |a )?(?:meu|minha) (?:nov[oa] )?(?<topic>número de telefone|' +
          'telefone|endereço|e-?mail|aniversário|altura|tamanho|tipo sanguíneo|' +
          'língua materna) é ',
        'iu',
      ),
    },
    // Programs write notes about "the user".
    {
      slot: 'lives_in',
      pattern: /^(?:O |A )?[Uu]suári[oa] (?:mora|vive) (?:em|no|na) (?=\p{Lu})/u,
    },
    {
      slot: 'works_at',
      pattern: /^(?:O |A )?[Uu]suári[oa] trabalha (?:na|no|em|para) (?=\p{Lu})/u,
    },
  ],
  clauses: {
    age: 'Tenho # anos',
    subject: /^(?:eu |nós |(?:O |A )?[Uu]suári[oa] )/iu,
    joint: /(?:, (?:e |mas )?|; | (?:e|mas) )/gu,
    own: /^(?:eu \p{Ll}+|(?:sou|estou|tenho|moro|vivo|trabalho|estudo|falo|jogo|toco|me chamo|gosto|adoro|odeio|prefiro|ensino|dirijo|temos|somos|moramos) |(?:o |a |os |as )?(?:meus?|minhas?|nossos?|nossas?) (?:\p{L}+ ){1,2}(?:é|são|tem|têm|se chama|mora|vive|trabalha|está) )/iu,
    verb: /^(?:mora|vive|trabalha|estuda|fala|tem|toca|joga|prefere|odeia) /u,
    joiners: 'mas quem com sem porque pois onde quando enquanto também nem além cujo cuja embora',
    unsure: anyWord(
      'se|quando|até|antes|espero|espera|acho|penso|suponho|talvez|provavelmente|seria|teria|poderia|deveria|queria|gostaria|quero|quer|pretendo|disse|diz|contou|ouvi|nem|para que',
    ),
    governing: anyWord('não|nunca|jamais|posso|pode|devo|deve|vou|vai|sem|que|quem|onde'),
    reference: anyWord(
      'ele|ela|eles|elas|lhe|seu|sua|seus|suas|este|esta|esse|essa|isso|isto|aquele|aquela|lá|ali|também|então|outro|outra|mesmo|mesma|ambos',
    ),
  },
  newValue: anyWord(
    'agora|atualmente|hoje em dia|nov[oa]|em vez|não .{1,60} mais|mud(?:ei|ou|amos)|virei|tornei|troquei|a partir de|recentemente|acabei de',
  ),
  beside: anyWord(
    'também|além disso|ainda|de novo|outr[oa]|segund[oa]|às vezes|normalmente|meio período|temporariamente|por enquanto|talvez|provavelmente|seria|poderia|antes|antigamente|na época|se|era|estava|tinha|fins? de semana|semana|durante|verão|inverno|em breve|quase',
  ),
  corrections: portugueseCorrections,
  past: anyWord(done, 'atrás'),
  future: anyWord(toCome, 'vou|vamos|viajo|(?:acaba|termina|caduca|expira|vence)m?'),
  ...portugueseDates,
  forgetting: portugueseForgetting,
};
