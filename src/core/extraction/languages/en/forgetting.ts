import { askingPatterns, type ForgettingWords } from '../forgetting-words.ts';
import { englishFamily } from './family.ts';

const not = "(?:don['’]t|do not|you (?:don['’]t|do not) (?:need|have) to)";
const mine = '((?:my|our)(?: [^\\s,.]{1,30}){1,4}?)';
const place = '(?: (?:on (?:file|record)|in (?:your )?memory|any ?more|any longer))';

export const englishForgetting: ForgettingWords = {
  asks: askingPatterns({
    leads:
      'can you|could you|would you|will you|you can|you should|i want you to|just|' +
      "i(?:['’]d| would) like you to|and|also|actually|now",
    forget: 'forget|stop remembering|(?:delete|remove|erase)(?: the fact)? that (?:i|my|we|our)',
    delete: 'delete|remove|erase|drop|wipe|scrap',
    remembered: 'memor(?:y|ies)|remember(?:ed)?|you know|i (?:have |just )?(?:told|said|mentioned)',
    never:
      "(?<!\\p{L})(?:don['’]?t|do not|never)(?!\\p{L})[^.]{0,20}forget|" +
      '^(?:(?:oh|ah|ok|well),? )?forget (?:about )?it[.!]*$' +
      `|^(?:please )?${not} (?:keep|store|save|retain) (?:my|our)(?!\\p{L})` +
      "|(?<!\\p{L})(?:i|we)(?:['’]d|['’]m)?(?: (?!you )\\p{L}{2,8}){0,3} (?:to|rather|could|wanna) forget(?!\\p{L})",
    sparing:
      "(?<!\\p{L})(?:\\p{L}{2,6}n['’]t|not|never|stop|keeps?|always|avoid|refuse to)(?!\\p{L})[^.,;]{0,30}(?:forget|delet|eras|remov|wip)|" +
      '(?<!\\p{L})(?:except|other than|apart from|besides|for now|(?:every ?thing|all|anything)(?: \\p{L}{1,12}){0,4} (?:but|not|before|after|until))(?!\\p{L})|' +
      '^(?:forget|delete|erase|remove)(?!\\p{L})[^?]{0,80}\\?$|^(?:if|when|unless) |, (?:he|she|they|\\p{Lu}\\p{L}+) (?:said|says|told)(?!\\p{L})',
    keepNot: `(?:please |sorry,? ){0,2}(?:(?:i(?:['’]d| would) (?:rather|prefer)(?: it)?(?: if| that)? you (?:didn['’]t|did not|don['’]t|wouldn['’]t)|i (?:don['’]t|do not) want you to) (?:keep|store|save|remember|retain) ${mine}${place}?(?: please)?|${not} remember ${mine}${place}?(?: please)?|${not} (?:keep|store|save|retain) ${mine}(?: please)?${place}(?: please)?)`,
    pointing:
      '(?:so |and |please |now |just ){0,3}(?:you (?:can|may|could) )?(?:please |just |now |safely ){0,2}' +
      '(?:forget|delete|drop|scrap|erase|remove)(?: about)? (?:that|this|it)(?: now| then| please| again| one){0,2}',
  }),
  kin:
    `${englishFamily}s?|ex|(?:grand|step)?(?:parent|child|children)|siblings?|in-laws?|` +
    '(?:grand|step)(?:mother|father|son|daughter)s?|(?:girl|boy)?friends?|nieces?|manager|' +
    'flatmates?|landlord|landlady|horse|hamster|rabbit|parrot',
  naming: { called: '(?:is |are )?(?:called|named)', is: 'is' },
  user: "user(?:['’]?s)?",
  words: {
    verbs: `forget forgot forgetting delete deleting remove removing erase erasing drop wipe wiping
      scrap clear purge stop remembering strike ditch bin del forgt`,
    nouns: `memory memories remember remembered note notes noted thing things stuff bit part info
      information detail details fact facts entry entries record records everything anything
      whatever all about regarding concerning told said mentioned shared stored saved know knew
      wrote`,
    polite: `please pls plz thanks thank thx ok okay hey hi just also actually now kindly can could
      would will want like you`,
    free: `scratch lose let rid gone goes get got hold take go going put asap ur im lol one rest
      rather should may might literally really private anymore mention bring longer never again
      mind ask asked need keep kept file don't your you've you're i'd that's whole forgotten
      deleted`,
    determiners: 'my our the a an that this some',
    joinedBefore: 'is are was were',
    that: 'that',
    all: 'everything anything whatever all',
    kinds: {
      job: 'job work profession occupation employer',
      lives_in: 'live',
      age: 'age old',
      name: 'name',
      diet: 'diet',
      allergic_to: 'allergy',
    },
  },
  signs: null,
};
