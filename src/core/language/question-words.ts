import { indexByWord } from './by-word.ts';

/** Words of a question for all that is known: "What do you know about me?", "everything". */
const lists = {
  english: `all anything everything fact facts know known knows list memories memory recall recalls
    remember remembered remembers show something stuff`,
  german: `alle alles erinnern erinnerst erinnerung erinnerungen weiss weisst wissen zeig zeige zeigen`,
  french: 'montre montrez rappelles sais savez souvenir souvenirs souviens',
  spanish: `memorias muestra muestrame recuerda recuerdas recuerdo recuerdos sabe saben sabes`,
  italian: 'cosa memorie mostra mostrami ricorda ricordi sa sai sapete tutti tutto',
  portuguese: 'lembra lembrancas lembras memorias mim mostra mostre sabe sabem sabes toda todas',
  russian: 'воспоминания знаете знаешь об обо память покажи покажите помните помнишь',
};

export const recallWords = indexByWord(lists);

/** How the person whose memories these are is called in many of them: "User likes tea". */
export const userWords: ReadonlySet<string> = new Set(['user', "user's", 'user’s']);

const nameQuestions = [
  '(?:my|mein|mon|mi|il mio|meu|мо[её]) (?:full )?(?:name|prénom|nom|nombre|nome|имя)',
  "am i called|hei(?:ß|ss)e ich|je m['’]appelle",
  'me llamo|mi chiamo|me chamo|меня зовут',
];

/**
 * Asks who the person is whose memories these are, in words that a memory need not have: "User is
 * Ann" holds no "name". Where words have no spaces, also for all that is known.
 */
export const selfQuestion = new RegExp(
  `(?<!\\p{L})(?:${nameQuestions.join('|')})(?!\\p{L})|` +
    '我是谁|我叫什么|我的名字|知道我|所有记忆|显示所有|私は誰|私の名前|私について|すべての記憶|全部見せて',
  'iu',
);
