import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { portugueseFamily } from './family.ts';

export const portugueseForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads: 'por favor|pode|poderia|você pode',
    forget: 'esque(?:ce|ça|cer)|apag(?:a|ue|ar) que',
    delete: 'apag(?:a|ue|ar)|elimin(?:a|e|ar)',
    remembered: 'memórias?|lembranças?|disse|contei',
    never: '(?<!\\p{L})(?:não|no)(?!\\p{L})[^.]{0,20}esque[cç]',
  }),
  kin:
    `${portugueseFamily}s?|irmãos?|irmãs?|pais|av[óô]s?|noiv[oa]|sogr[oa]|net[oa]s?|cunhad[oa]|` +
    'colegas?|amig[oa]s?|gat[oa]s?',
  user: 'usuári[oa]',
  words: {
    verbs: `esquece esqueça esquecer apaga apague apagar remova remover exclua excluir elimine
      eliminar`,
    nouns: `tudo disse contei falei coisa coisas nota notas lembrança lembranças memória
      informação informações dados fato facto respeito`,
    polite: 'favor obrigado obrigada pode poderia você',
    free: 'guardar tira',
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
