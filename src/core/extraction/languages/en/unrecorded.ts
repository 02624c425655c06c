import { type UnrecordedWords, unrecordedWords } from '../unrecorded-words.ts';

const never =
  "(?:(?:do not|don['’]?t|never)(?: (?:you )?ever)?|you (?:must not|mustn['’]?t|must never|should not|shouldn['’]?t|need not|needn['’]?t|can['’]?t|cannot|may not|(?:do not|don['’]?t) (?:have|need) to)|i (?:do not|don['’]?t|never) want you to(?: ever)?|(?:there is |there['’]s )?no need to|(?:i want|i need|i['’]d like|i would like|i(?:['’]m| am) asking|i ask|i trust) you (?:not to|to not|to never)|(?:i['’]d|i would) (?:rather|prefer)(?: it)?(?: if)? you (?:not|didn['’]?t|did not|don['’]?t|do not|never)|(?:can|could|would) you (?:please )?not|(?:avoid|refrain from|stop))";
const store = '(?:remember|stor|sav|keep|not|record|logg?|memori[sz]|retain|jott?)(?:e|ing)?';
const this_ =
  "(?:(?:(?:any|all|none|some|either|both|anything|a word) (?:of|in|from) )?(?:(?:this|that|these|those|my|the) (?:(?:next|last|first|previous|following|whole|entire|two|three|few) ){0,2}(?:one|part|bit|thing|message|sentence|conversation|chat|secret|confession|two|three)s?|this|that|it|these|those|the following|what follows|what (?:comes|i|i['’]\\p{L}+)(?: \\S{1,20}){1,6})|anything (?:of what )?i (?:say|said|tell you|told you|write)(?: (?:now|next|today|here|just now))?|(?:my|our) (?:\\S{1,20} ){0,2}(?:name|age|address|number|birthday|weight|salary|income|password|diagnosis))";
const where =
  '(?:,? (?:down|anywhere|please|at all|for (?:me|later)|ok|okay|in mind|on (?:record|file)|ever|though|either|(?:in|into|to) (?:your |the |any )?(?:long[- ]term )?(?:memory|memories|notes?|records?|database|files?|profile|history|log)))';
const stored = '(?:remembered|stored|saved|kept|noted|recorded|logged|memori[sz]ed|written down)';

export const englishUnrecorded: UnrecordedWords = unrecordedWords({
  hint: "n['’]?t |not |never|nothing|none|no need|off the record|for the record|between (?:us|you|our)|forget|keep|leave|avoid|refrain|stop|delet|eras|remov|strik",
  storing:
    'rememb|stor(?:e|ing)|sav(?:e|ing)|keep|kept|not(?:e|ing)|record|memor|retain|writ|jot|logg?(?:e|ing)?|put|add|tak|commit|fil(?:e|ing)|mak|between|forget|delet|eras|remov|strik',
  polite:
    "please|pls|plz|just|ok|okay|hey|now|then|also|btw|by the way|between (?:you and me|us|ourselves)|seriously|really|sorry|can you|could you|can we|let['’]?s",
  joints: 'but|and|so|because|lol|haha',
  asked: [
    `${never} (?:please )?${store}(?: down)? (?:of )?${this_}${where}{0,2}`,
    `${never} (?:please )?(?:stor|sav)(?:e|ing)${where}{0,2}(?! \\p{L})`,
    `${never} (?:please )?writ(?:e|ing) ${this_}(?! \\p{L})`,
    `${never} (?:please )?(?:put|add|tak|commit|writ|fil|mak)(?:e|ing)?(?: a (?:note|record) of)? ${this_}${where}{1,2}`,
    `${never} (?:please )?(?:make|take|keep) (?:a |any )?(?:notes?|record|memory) of ${this_}${where}{0,2}`,
    `what i(?:['’]\\p{L}+)?(?: \\S{1,20}){1,7},? (?:you )?(?:must not|mustn['’]?t|should not|shouldn['’]?t|is not to|isn['’]t to|may not|do not|don['’]?t|must never|should never)(?: be)? (?:${stored}|${store})(?: down)?`,
    `(?:nothing of |none of |both of )?(?:this|that|it|these|what follows)(?:(?: is|['’]s)(?: \\S{1,15}){1,2} and)?(?: (?:is|must|should|may|does|shall) not|(?:['’]s| is) never| (?:isn|mustn|shouldn)['’]?t| (?:must|should))(?: to)? be ${stored}${where}{0,2}`,
    "(?:(?:this|that|it)(?: one| part)?(?: is|['’]s) |strictly )?(?:off the record|not for (?:the record|your (?:memory|notes|records)))|(?:this|that|it)(?: one| part)? isn['’]?t for (?:the record|your (?:memory|notes|records))",
    "(?:let this |can this |(?:this|that|it)(?:['’]s| is| has to| must| should)? (?:strictly |just )?)?(?:stays?|remains?) (?:strictly |just )?between (?:us|you and me|ourselves)",
    '(?:keep|leave) (?:this|that|it|what follows|all (?:of )?(?:this|that)) (?:strictly )?(?:between us|between you and me|off the record|out of (?:your |the )?(?:memory|memories|notes|records?))',
    "forget (?:the following|what follows|what i(?:['’]m| am) (?:going|about) to (?:say|tell you)|what i(?:['’]ll| will) (?:say|tell you)(?: now| next)?|(?:what|that|everything|anything) (?:i|i['’]ve)(?: have)?(?: just)? (?:said|told you|wrote|written|mentioned|typed)(?: (?:that|this|it|just now|now|here|above))?)",
  ],
  pointed:
    '(?:(?:you )?(?:can|could|may|should) |you )?(?:please |just |now ){0,2}(?:forget(?: about)?|delete|erase|remove|strike) (?:that|this|those)(?: last)?(?: (?:one|part|bit|sentence|message))?(?: (?:again|now|then|please|(?:from|in) (?:the|your) (?:record|memory|memories|notes))){0,2}|forget (?:that )?i (?:ever )?(?:said|mentioned|told you|wrote)(?: (?:that|this|it|so|anything))?',
  just: 'just',
  corrected: 'now|actually|instead|any ?more|no longer|in fact',
  excused: 'embarrassing|embarrassed|private|secret|confidential|nobody|no one',
  stated: "i|i['’]\\p{L}+|im|my|we|our|he|she|his|her",
  next: "my (?!last|first|previous)\\S{1,20}|following|follows|comes|next|i tell|i say|i['’]m (?:about|going)|i am (?:about|going)|i['’]ll|i will|off the record",
  back: 'that|it|those|last|previous|said|told|mentioned|wrote',
  all: '(?:any|all|none|nothing|anything|both|either|a word) (?:of|in|from) (?:this|that|it|these|those|what|the following)|(?:these|those|two|three|few|following) (?:two|three|things|messages)|these two|all (?:this|that)|(?:any|every)thing|conversation|chat|whole|entire|message',
  announced:
    '(?:tell|confess|share)(?: \\S{1,12}){0,3} (?:something|a secret|one thing)|something to (?:tell|say|confess)|i have a (?:secret|confession)',
  blamed: `you (?:should|were|had)(?:n['’]?t| not| never)(?: ever)?(?: have| supposed to have| supposed to| been asked to)? (?:${stored}|${store})|why did you (?:${store})|who told you to (?:${store})`,
});
