import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { portugueseFamily } from './family.ts';

const keep = '(?:guard|grav|memoriz|conserv|armazen)(?:e[sm]?|ar|ass?e[sm]?)';
const mine = '((?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?)(?: [^\\s,.]{1,30}){1,4}?)';

export const portugueseForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: '(?:quero|queria|gostaria) que(?: você| tu)?|por favor|pode|poderia|você pode',
    forget: 'esque(?:ce|ça|ças|cer)|apag(?:a|ue|ar) que',
    delete: 'apag(?:a|ue|ar)|elimin(?:a|e|ar)',
    remembered: 'você sabe|sabes|memórias?|lembranças?|disse|contei',
    never:
      '(?<!\\p{L})(?:não|no)(?!\\p{L})[^.]{0,20}esque[cç]' +
      '|^(?:por favor,? )?não (?:guard|grav|salv|conserv|armazen)(?:e[sm]?|ar) (?:[oa]s? )?(?:meus?|minhas?|noss[oa]s?) ' +
      '|(?<!\\p{L})(?:quero|queria|gostaria de|preciso|prefiro|preferia|tento|tenho (?:de|que)|desejo|queremos)' +
      '(?: (?!que |te |pedir|lhe )\\p{L}{1,10}){0,2} esquecer(?:-?(?:me|l[oa]))?(?!\\p{L})',
    sparing:
      '(?<!\\p{L})(?:não|nunca|jamais|sempre|para de)(?!\\p{L})[^.,;]{0,30}(?:esque|apag|elimin|delet)|' +
      '(?<!\\p{L})(?:exceto|salvo|à exceção|tirando|tudo (?:\\p{L}{1,12} ){0,3}menos|por enquanto)(?!\\p{L})|' +
      '^(?:esque[cç][ea]|apagu?[ea])(?!\\p{L})[^?]{0,80}\\?$|^se ',
    keepNot:
      '(?:(?:preferia|preferiria|prefiro|gostaria|gostava|queria|quero) que (?:tu |você )?não|não quero que(?: tu| você)?) ' +
      `${keep} ${mine}|(?:por favor,? )?não (?:memoriz(?:es?|ar) ${mine}|${keep} ${mine} na (?:tua |sua )?memória)`,
    pointing:
      '(?:por isso |então |e |já ){0,2}(?:(?:você )?pode(?:s)? (?:já )?(?:esquecer|apagar|eliminar)(?:-?l?[oa]| isso| isto| disso)|' +
      'esque(?:ce|ça) (?:isso|isto)|apag(?:a|ue) (?:isso|isto)|(?:isso|isto) pode(?:s)? (?:esquecer|apagar))',
  }),
  kin:
    `${portugueseFamily}s?|irmãos?|irmãs?|pais|av[óô]s?|noiv[oa]|sogr[oa]|net[oa]s?|cunhad[oa]|` +
    'colegas?|amig[oa]s?|gat[oa]s?',
  naming: { called: 'se chama|chama-se', is: 'é' },
  user: 'usuári[oa]',
  words: {
    verbs: `esqueças apagues elimines esquece esqueça esquecer apaga apague apagar remova
      remover exclua excluir elimine eliminar`,
    nouns: `tudo disse sabes sabe contei falei coisa coisas nota notas lembrança lembranças memória
      informação informações dados fato facto respeito`,
    polite: 'favor obrigado obrigada pode poderia você quero queria gostaria',
    free: 'guardar tira',
    determiners: 'meu minha meus minhas nosso nossa um uma esse essa este esta',
    that: 'que',
    all: 'tudo',
    kinds: {
      job: 'trabalho emprego profissão',
      lives_in: 'moro',
      age: 'idade',
      name: 'nome',
      diet: 'dieta',
      allergic_to: 'alergia',
    },
  },
  signs: null,
};
