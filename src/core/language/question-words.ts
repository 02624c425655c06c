import { indexByWord } from './by-word.ts';

/** Words of a question for all that is known: "What do you know about me?", "everything". */
const lists = {
  english: `all anything everything know known knows recall recalls remember remembered remembers
    something stuff`,
  german: 'erinnern erinnerst weiss weisst wissen',
  french: 'rappelles sais savez souviens',
  spanish: 'recuerda recuerdas sabe saben sabes',
  italian: 'ricorda ricordi sa sai sapete',
  portuguese: 'lembra lembras sabe sabem sabes',
};

export const recallWords = indexByWord(lists);

/** How the person whose memories these are is called in many of them: "User likes tea". */
export const userWords: ReadonlySet<string> = new Set(['user', "user's", 'user’s']);
