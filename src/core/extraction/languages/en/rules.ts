import { weekdaysOf } from '../calendar-words.ts';
import {
  anyOf,
  anyWord,
  type LanguageRules,
  leadingPhrases,
  sentenceStart,
  wholeSentence,
} from '../rules.ts';
import { englishAsking } from './asking.ts';
import { englishCategories } from './categories.ts';
import { englishChanges } from './changes.ts';
import { englishClauses } from './clauses.ts';
import { englishCorrections, englishDate } from './corrections.ts';
import { englishDates } from './dates.ts';
import { englishFamily } from './family.ts';
import { englishForgetting } from './forgetting.ts';
import { englishSentences } from './sentences.ts';
import { englishSlots } from './slots.ts';
import { isTerseFact } from './terse.ts';
import { englishUnrecorded } from './unrecorded.ts';

/** To be told this is to be told to remember. */
const remember =
  '(?:remember|note(?: down)?|(?:keep|bear) in mind|memori[sz]e|(?:make|take) a (?:mental )?note|' +
  "save|store|(?:write|jot)(?: this| that| it)? down|(?:don['’]t|do not|never) forget|remind me)";

const remembered =
  'this|that|it|for (?:me|later|next time|the future)|please|pls|of (?:this|that|the following)|the following';

const pastVerbs =
  "was|were|went|had|did|(?<!(?:['’]ve|['’]s|have|has) )got|bought|" +
  'sold|came|saw|met|took|made|gave|found|left|lost|won|ran|ate|' +
  'drank|began|started|finished|moved|visited|attended|graduated|adopted|' +
  'married|joined|quit|' +
  'flew|drove|read|wrote|learned|learnt|tried|broke|fell|had|hurt|' +
  'spent|told|said|sent|paid|taught|brought|kept|slept|built|spoke|rode|threw|caught|chose|' +
  'stole|woke|signed|passed|' +
  'failed|celebrated|painted|ran|hiked|traveled|travelled|booked|' +
  '\\p{L}{2,}(?<!nam|call|bas|suppos|\\bus|interest|relat|marri|tir|hundr|sacr|\\bnak|\\bsh|\\b(?:[dfnsw]|bl|br|gr|sp|tw)e)ed';

/** The subject, and what may come between it and the verb. */
const subject =
  '(?:\\bI|\\b[Ww]e|\\b[Hh]e|\\b[Ss]he|\\b[Tt]hey|\\b[Ii]t|\\b(?:[Mm]y|' +
  "[Oo]ur|[Tt]he) [\\p{L}'’-]+(?: [\\p{L}'’-]+)?|^\\p{Lu}\\p{L}+)(?:,)?";
const verbAdverbs =
  '(?:(?:just|finally|recently|also|already|once|even|both|all|\\p{L}+ly|' +
  'and I|have|has|had) )*';

export const english: LanguageRules = {
  language: 'english',
  categories: englishCategories,
  changes: englishChanges,
  sentences: englishSentences,
  words:
    'the and is are was were have has had my i you it that this with for not but they she he we ' +
    "of in to a an do does did will would can i'm don't it's at on from me your just about no",
  opening: leadingPhrases(
    `${anyOf(
      'hi|hello|hey|hiya|good (?:morning|afternoon|evening)|thanks|thank you|thx|oh|wow|haha|lol',
      'ok|okay|great|sure|yes|yeah|yep|cool|nice|well|so|anyway|by the way|btw|fyi|hmm+|um+|uh',
      'congrats|congratulations|awesome|perfect|sounds good|got it|no problem|no worries',
      'wait,? no|no,? wait|wait|exactly|right|alright|all right|fine|true|indeed|agreed|ugh|ah+|omg',
      'haha|ha|yay|yikes|whoa|nah|nope|yup|ya|deal|fair enough|makes sense|of course|absolutely',
      '(?:quick )?(?:intro|introduction|update|context|correction)|(?:a bit |a little )?about me',
      '(?:scratch|strike) that|on second thoughts?',
    )}(?: there| everyone| all| again| so much| a lot|,? \\p{Lu}\\p{L}+)?`,
  ),
  joint: new RegExp(
    '^(?:(?:so|also|and|but|plus|anyway|btw|by the way|oh|well|actually|yeah|yes|yep|no|nah|' +
      'ok|okay|hmm+|ah|lol|ugh|fyi|just so you know|changed my mind),? +)+' +
      "(?=(?:I|I['’]?m|I['’]ve|my|we|our|favou?rite)(?! mean\\b)(?!\\p{L}))|^(?:yes|yeah|ok|okay|sure),? but +|" +
      ',? (?:by the way|btw|lol|haha)(?=[,.!]|$)',
    'giu',
  ),
  terse: isTerseFact,
  smallTalk: wholeSentence(
    "(?:it(?:['’]s)? |that |ok |all )?(?:works?|working|fixed|solved|sorted)(?: it)?(?: again| now| fine)?",
    '(?:hi|hello|hey|hiya|howdy|yo)(?: there| everyone| all| again| guys)?(?:,? \\p{L}+)?',
    'good (?:morning|afternoon|evening|night|day)(?: to you)?(?:,? \\p{L}+)?',
    '(?:many )?(?:thanks|thank you|thx|ty|cheers)(?: so much| very much|' +
      ' a lot| again| a bunch)?(?: for (?:your|the|all the|all your) \\p{L}+)?(?:,? \\p{L}+' +
      ')?',
    'o?k(?:ay)?|sure(?: thing)?|great|cool|nice|perfect|awesome|amazing|' +
      'wonderful|excellent|lovely',
    'sounds (?:good|great|perfect|fine|like a plan)(?: to me)?|got it|' +
      'i see|understood|makes sense',
    'yes|yeah|yep|yup|no|nope|nah|maybe|right|exactly|agreed|absolutely|' +
      'definitely|of course|totally',
    "you(?:['’]re| are) (?:welcome|right|the best|so kind)|no (?:problem|" +
      'worries|thanks)|my pleasure',
    '(?:good ?)?bye(?: bye)?|see (?:you|ya)(?: (?:later|soon|then|tomorrow))?|' +
      'take care|talk (?:to you )?(?:soon|later)|have a (?:nice|good|great) (?:one|' +
      'day|evening|weekend|night)',
    'wow|ha(?:ha)+|lol|omg|please|pls|plz|' +
      "love it|that['’]?s (?:it|all)(?: for now)?|worth a (?:try|shot)|(?:i['’]?m )?bored|" +
      "(?:i['’]ll |will )(?:do|tell (?:her|him|them)(?: that)?)|" +
      'hm+|oh(?: (?:wow|no|nice|great|cool))?|' +
      "ah+|well|so|anyway|i(?:['’]m| am) (?:back|here|good|fine|ok|okay)",
    "that(?:['’]s| is| was| sounds)(?: (?:really|very|so|super|pretty|" +
      'just|all))* (?:great|good|nice|cool|helpful|awesome|amazing|perfect|' +
      'fine|right|correct|it|funny|true|useful|fun|wonderful|fantastic|' +
      'lovely|interesting|sweet|so cool)(?: to (?:hear|know))?',
    'i (?:really )?appreciate (?:it|that|your help|the help)|let me know|' +
      "i(?:['’]ll| will) (?:think about it|try (?:it|that)|let you know|" +
      'be back)',
    "it works(?: now)?|never ?mind|not sure|i (?:don['’]t|do not) know|" +
      'idk|i (?:think|guess|hope) so|me too|same(?: here)?|good (?:luck|' +
      'job|point|idea|question)|well done|congrats|congratulations|happy to (?:help|' +
      'hear (?:it|that))|glad to (?:help|hear (?:it|that))',
  ),
  question: new RegExp(
    `^${anyOf(
      '(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|had)\\s+' +
        '(?:i|you|he|she|it|we|they|there|this|that|these|those|my|your|the|anyone|someone)',
      "(?:what|when|where|who|whom|whose|which|why|how)(?:['’]s|\\s+(?:can|could|would|will|" +
        'should|do|does|did|is|are|was|were|has|have|had|much|many|long|often|far|about))',
      '(?:what|which)\\s+\\S+\\s+(?:can|could|would|will|should|do|does|did|is|are|was|were)',
      'any (?:ideas?|suggestions?|tips|advice|recommendations?)',
    )}\\b|(?<!\\b(?:so|neither|nor|as|than|only|never) )\\b(?:do|does|did|can|should|shall) i\\b`,
    'i',
  ),
  asking: englishAsking,
  unrecorded: englishUnrecorded,
  request: sentenceStart(
    '(?:please )?(?:tell|show|give|send|remind|help|teach) me',
    `(?:please |now |then |and now )?` +
      `${anyOf(
        'explain|write|list|summari[sz]e|translate|describe|compare|suggest|recommend|find|create',
        'generate|fix|check|draft|proofread|rewrite|calculate|convert|look up|search for|plan|make',
      )}` +
      `\\s+${anyOf('me|us|a|an|the|this|that|these|those|it|my|some|all|how|what|why|for')}`,
    '(?:please )?translate (?:in)?to',
    "let['’]s (?:talk|start|go|see|get|try|do|continue|discuss|move on)",
    "i(?:['’]d| would) like you to|i (?:need|want) you to (?!always|never)",
    'i (?:need|want|could use) (?:some |your )?(?:help|advice|suggestions|' + 'ideas|tips) ',
  ),
  reminder: new RegExp(
    `^(?:(?:please|pls|also|and|so)[,\\s]+)*${anyOf(
      "(?:(?:can|could|will|would) you (?:please )?|i(?:['’]d like| want| need) you to )?" +
        `${remember}(?: (?:${remembered}))*(?:\\s?[,:;–—-]|,?\\s+that)\\s+(?=\\S+\\s+\\S)`,
      `${remember}(?: for me)? (?=(?:i|we|my|our|the|\\p{L}+['’]s) (?:[^,.?]{1,60} )?` +
        '(?:am|is|are|was|has|have|lives?|works?|comes?|starts?|likes?|prefers?|hates?)(?!\\p{L})' +
        '[^?]{1,200}$)',
      '(?:(?:a )?note to (?:self|yourself|myself)|reminder|for (?:the record|later)|' +
        'for (?:your|future|later) reference|memo)\\s?[,:;–—-]\\s*(?=\\S+\\s+\\S)',
    )}`,
    'iu',
  ),
  types: [
    [
      'instruction',
      new RegExp(
        `^(?:please |from now on,? |in (?:the )?future,? |going forward,? |` +
          `and |also )*(?:always|never|do not|don['’]t|stop|avoid|call me|` +
          `address me|refer to me|answer|reply|respond|use|keep|write|speak|` +
          `talk|remind|be|give me|format|skip|include|start|end|only|please)\\b|` +
          `\\bfrom now on\\b|^(?:when|if|whenever) .+, (?:please |always |` +
          `never |do not |don['’]t |use )|\\bi(?:['’]d| would) (?:like|want|` +
          `prefer) you to\\b|\\bi (?:need|want|expect) you to\\b|\\byou (?:should|` +
          `must|may|can) (?:always|never|not)\\b`,
        'i',
      ),
    ],
    [
      'plan',
      anyWord(
        "(?:would|I['’]d) (?:like|love) to",
        '(?:going|planning|hoping|plan|intend|want) to \\p{L}+',
        '(?:has been|have been|got|was|were|is|are) (?:pushed|moved|rescheduled|' +
          'postponed|delayed)' +
          `(?: back| up| forward)?(?: from .{2,30}?)? (?:to|until) ${englishDate}`,
      ),
    ],
    [
      'preference',
      anyWord(
        'prefers?|preferred|favou?rites?',
        '(?:really |absolutely |also |just |still ){0,9}(?:loves?|likes?|hates?|' +
          'enjoys?|dislikes?|adores?|detests?|loathes?)(?! to (?:be|have) )',
        "(?:does(?: not|n['’]t)|don['’]t|do not) (?:really |particularly )?(?:like|" +
          'enjoy|care for|want)',
        "can(?:['’]t|not) stand|(?:fan|lover) of|fond of|into|would rather|" +
          'rather .{1,200} than|' +
          'rather have|obsessed with',
      ),
    ],
    [
      'relation',
      new RegExp(
        `\\b${englishFamily}\\b(?:['’]s name)?,?(?: \\p{Lu}\\p{L}+)? (?:is|are) (?:named|` +
          `called|\\p{Lu}|` +
          `an? )|\\b(?:has|have|is) .{0,100}\\b${englishFamily} (?:named|called) \\p{Lu}|` +
          `\\b${englishFamily}['’]s name is\\b|` +
          `\\bmarried to\\b|\\bhas (?:a|an|one|two|three|four|five|\\d+|no) (?:\\p{L}+ )?` +
          `${englishFamily}s?\\b|\\b\\p{Lu}\\p{L}+ is (?:my|their|\\p{L}+['’]s) (?:\\p{L}+ )?${englishFamily}` +
          `\\b`,
        'u',
      ),
    ],
    [
      'plan',
      anyWord(
        "(?:is|are|am|I['’]m|[Ww]e['’]re) (?:going to|planning|about to|thinking (?:of|" +
          'about)|hoping to|looking to|getting ready|saving (?:up )?for|starting|' +
          'moving|getting engaged|flying|travell?ing|visiting|leaving|getting married|meeting)',
        "will(?: be)?|['’]ll|plans? (?:to|on)|intends? to|wants? to|would like to|" +
          'hopes? to|aims? to|needs? to|has to|must|scheduled|upcoming|goal is|' +
          `tomorrow|next ${anyOf('week|month|year|fall', englishDates.calendar.seasons, weekdaysOf(englishDates.calendar))}`,
      ),
    ],
    [
      'event',
      new RegExp(
        `^(?:${verbAdverbs}(?!married|used)(?:${pastVerbs})\\b.*\\b(?:yesterday|last|ago|today)\\b)|` +
          `^(?!.{0,100}\\b(?:used to(?!.{0,100}\\bbut\\b)|grew up|was born)\\b).{0,100}${subject}(?:['’]ve)? ` +
          `${verbAdverbs}(?:${pastVerbs})\\b`,
        'u',
      ),
    ],
  ],
  slots: englishSlots,
  clauses: englishClauses,
  newValue: anyWord(
    'now|nowadays|these days|currently|new|instead|no longer|any ?more|changed|switched|moved|relocated|became|turned|from now on|as of|starting|recently|just',
  ),
  beside: anyWord(
    'also|too|as well|still|again|another|second|other|both|either|sometimes|mostly|usually|part[- ]time|temporarily|for now|maybe|perhaps|probably|possibly|might|may|would|could|used to|once|if|was|were|had been|formerly|previously|back then|originally|weekdays?|weekends?|during|summers?|winters?|on the side|soon|planning|hoping|almost|nearly|not sure',
  ),
  corrections: englishCorrections,
  past: new RegExp(`\\b(?:${pastVerbs})\\b`, 'iu'),
  future: anyWord(
    "will|['’]ll|going to|plans?|planning|next|upcoming|tomorrow|(?:is|" +
      "am|are|i['’]m|(?:we|they)['’]re) \\p{L}+ing|has to|needs? to|have to|must|wants? to|" +
      'might|due|scheduled|(?:leave|start|begin|come|arrive|return|open|close|end|depart|expire|lapse)s?|finish(?:es)?|runs? out',
  ),
  ...englishDates,
  forgetting: englishForgetting,
};
